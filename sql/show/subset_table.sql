/*
title:  Numbers in subsets as tables: a line per subset, a column per run; of two attributes a table per run, its values
        of the one as lines, those of the other as columns
*/
with

number as (select *, row_number() over () as row_no from result),

run as (select run_id, min(row_no) as run_no from number group by run_id),

line as (select line, min(row_no) as line_no from number group by line),

head as (select head, min(row_no) as head_no from number group by head),

setting as (
    select
        corner, metric, metric_name || ' (' || case best
            when 'lowest' then 'lower is better' when 'highest' then 'higher is better' else 'neither end is better'
        end || ')' as metric_in_words,
        'on ' || condition_id || ' under ' || profile_id || ', pooled over the trials of ' as place,
        level, n_resample, n_unit, unit, seed
    from number
    where row_no = 1
),

-- what the numbers of a line are bold against
ranged as (
    select
        *, case
            when count(value) over lines < 2 then null
            when best = 'lowest' then min(value) over lines
            when best = 'highest' then max(value) over lines
        end as top
    from number
    window lines as (partition by subset)
),

by_subset as (
    select
        subset, min(row_no) as line_no,
        list_concat(
            [
                {'text': subset}, {'text': cast(first(n_target) as varchar), 'is_number': true},
                {'text': cast(first(n_nontarget) as varchar), 'is_number': true}
            ],
            list({'metric': metric, 'value': value, 'low': low, 'high': high, 'is_best': value = top} order by row_no)
        ) as cells
    from ranged
    group by subset
),

crossed as (
    select
        run_id, line_no,
        list_concat(
            [{'text': line}],
            list({'metric': metric, 'value': value, 'low': low, 'high': high} order by head_no)
        ) as cells
    from run
    cross join line
    cross join head
    left join number using (run_id, line, head)
    group by run_id, line, line_no
),

note as (
    select
        1 as note_no, '' as reason,
        'Without intervals: no resamples. `tdtsql stats subsets --resamples 1000` makes them.' as words
    from setting
    where n_resample = 0
    union all
    select
        2, '', printf('%g', 100 * level) || ' % intervals: percentiles of '
        || format('{:,} resamples of {:,} ', n_resample, n_unit)
        || case when unit = 'trial' then 'trials' else 'clusters of trials (by ' || unit || '), each whole' end
        || ', with replacement, the same resamples for all runs and subsets (seed ' || seed || ').'
    from setting
    where n_resample > 0
        and exists (select 1 from number where low is not null)
    union all
    select 3, reason, count(*) || ' without an interval: ' || reason || '.'
    from number
    cross join setting
    where setting.n_resample > 0
        and low is null
        and reason <> ''
    group by reason
)

select columns, rows, caption, label
from (
    select
        list_concat(['subset', 'targets', 'non-targets'], (select list(run_id order by run_no) from run)) as columns,
        (select list(cells order by line_no) from by_subset) as rows,
        concat_ws(
            ' ', metric_in_words || ' ' || place || 'a subset.'
            || case when (select count(*) from run) > 1 then ' Best of a line in bold.' else '' end,
            (select string_agg(words, ' ' order by note_no, reason) from note)
        ) as caption,
        metric as subject, 'subsets-' as kind, 0 as table_no
    from setting
    where corner = ''
    union all
    select
        list_concat([corner], (select list(head order by head_no) from head)), list(cells order by line_no),
        metric_in_words || ' of ' || run_id || ' ' || place || 'both.',
        run_id || '-' || replace(corner, ' \ ', '-'), '', run_no
    from crossed
    join run using (run_id)
    cross join setting
    where corner <> ''
    group by run_id, run_no, corner, metric_in_words, place
)
cross join lateral (
    select 'tab:' || kind || trim(regexp_replace(subject, '[^\p{L}\p{N}]', '-', 'g'), '-') as label
)
order by table_no
