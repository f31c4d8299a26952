/*
title:  A comparison as a table: a line per pair, the first baseline before them; by values of an attribute pairs alone
*/
with

pair as (select *, row_number() over () as row_no from result),

setting as (
    select best, place, how, value_head, is_every, has_wins, significant, metric, level, signature
    from pair
    limit 1
),

baseline as (
    select
        baseline_id, row_number() over (order by min(row_no)) as baseline_no, max(row_no) as last_no,
        count(*) over () as n_baseline
    from pair
    group by baseline_id
),

sign as (
    select
        baseline_id, baseline_no, ['dagger', 'ddagger', 'S', 'P'][baseline_no] as mark,
        '; ' || '†‡§¶'[baseline_no] || ' differs from ' || baseline_id as words
    from baseline
    where n_baseline <= 4
),

marked as (
    select run_id, list(mark order by row_no) as marks
    from pair
    join sign using (baseline_id)
    where p_adjusted < significant
    group by run_id
),

number as (
    select run_id, last(value order by row_no, is_baseline) as value
    from (
        select row_no, 0 as is_baseline, run_id, value from pair
        union all
        select row_no, 1 as is_baseline, baseline_id, baseline_value from pair
    )
    where value is not null
    group by run_id
),

top as (
    select
        case
            when count(*) < 2 then null when best = 'lowest' then min(value) when best = 'highest' then max(value)
        end as top
    from number
    cross join setting
    group by best
),

-- the number of a run in its interval, for the first baseline and for each pair; the other cells are texts
line as (
    select 0 as line_no, baseline_id as run_id, baseline_low as low, baseline_high as high, null as pair
    from pair
    join baseline using (baseline_id)
    where baseline_no = 1
        and row_no = last_no
        and not is_every
    union all
    select row_no, run_id, value_low, value_high, pair from pair
),

laid_out as (
    select
        line_no,
        list_concat(
            case when is_every then [{'text': pair.subset}] else [] end, [{'text': run_id}],
            case
                when is_every then []
                else [{'value': value, 'low': low, 'high': high, 'is_best': value = top, 'marks': marks}]
            end,
            [{'text': coalesce(pair.baseline_id, ''), 'is_number': pair is null}],
            case
                when pair is null then [{'text': '', 'is_number': true}]
                else [{'value': pair.difference, 'is_signed': true}]
            end,
            list_transform(
                [
                    '[' || array_to_string(list_transform([pair.low, pair.high], lambda value: case
                        when value is null then '–'
                        when isinf(value) then case when value > 0 then '+inf' else '-inf' end
                        when value <> 0 and abs(value) < 5e-5 or abs(value) >= 1e9 then printf('%+.2e', value)
                        else printf('%+.4f', value)
                    end), ', ') || ']'
                ]
                || case
                    when has_wins then [coalesce(nullif(concat_ws('/', pair.win, pair.tie, pair.loss), ''), '–')]
                    else []
                end
                || list_transform([pair.p, pair.p_adjusted], lambda value: case
                    when value is null then '–'
                    when value > 0 and value <= greatest(least, 5e-5) then '<' || printf('%.2g', greatest(least, 1e-4))
                    else printf('%.4f', value)
                end),
                lambda text: {'text': case when pair is null then '' else text end, 'is_number': true}
            )
        ) as cells
    from line
    cross join setting
    cross join top
    left join number using (run_id)
    left join marked using (run_id)
    cross join lateral (
        select case when pair.test = 'bootstrap' then 2 / (pair.n_resample + 1) else 0 end as least
    )
)

select
    list_concat(
        case when is_every then ['subset', 'run'] else ['run', value_head] end,
        ['against', 'difference', printf('%g', 100 * level) || ' % interval'],
        case when has_wins then ['w/t/l'] else [] end, ['p', 'p corr.']
    ) as columns,
    list(cells order by line_no) as rows,
    metric || ' (' || case best
        when 'lowest' then 'lower is better' when 'highest' then 'higher is better' else 'neither end is better'
    end || ') on ' || place || '. '
        || case
            when is_every then ''
            else 'Best in bold'
                || coalesce(
                    (select string_agg(words, '' order by baseline_no) from sign)
                    || ' (p < ' || printf('%g', significant) || ')', ''
                ) || '. '
        end || how as caption,
    'tab:compare-' || trim(regexp_replace(metric, '[^\p{L}\p{N}]', '-', 'g'), '-') as label, signature,
    list_filter(columns, lambda name: name not in ('mean', 'value', 'p')) as keep
from laid_out
cross join setting
group by all
