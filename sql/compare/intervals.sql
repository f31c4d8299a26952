/*
title:    Intervals of printed numbers, and a sentence on their computation or on why none has one
edges:    A printed number of another weighting than the stored one has no interval.
*/
with

number as (
    select
        *, abs(value - number) > 1e-9 * greatest(1, abs(value)) as is_other,
        list_min(list_transform(string_split(n_unit, ' x '), lambda n: cast(n as bigint))) as least_unit
    from compared_pair
    join (select unnest(cast($numbers as struct(run_id varchar, number double)[]), recursive := true)) using (run_id)
),

whole as (
    select
        count(low) as n_known, coalesce(bool_or(is_other) filter (low is not null), false) as is_other,
        first(metric order by low is null, row_no) as metric, first(unit order by low is null, row_no) as unit,
        first(n_unit order by low is null, row_no) as n_unit, first(n_draw order by low is null, row_no) as n_draw,
        first(least_unit order by low is null, row_no) as least_unit, first(seed order by low is null, row_no) as seed,
        first(reason order by low is null, row_no) as reason,
        first(n_target order by low is null, row_no) is not null as is_of_trials
    from number
),

-- that intervals are too narrow
note as (
    select ' ' || string_agg(upper(left(note, 1)) || substr(note, 2) || '.', ' ' order by place) as notes
    from (
        select note, min(row_no) as place
        from (
            select row_no, unnest(string_split(note, '; ')) as note
            from number
            where low is not null
        )
        where contains(note, $coverage)
        group by note
    )
)

select
    run_id, case when not is_other_number then low end as low, case when not is_other_number then high end as high,
    words
from (
    select
        row_no, run_id, low, high, whole.is_other as is_other_number,
        case
            when whole.is_other and is_of_trials
                then whole.metric || ' has no interval: it is a mean over blocks, and intervals are of all trials '
                || 'together: --weighting story has them.'
            when whole.is_other then whole.metric || ' has no interval: its value is not a mean over ' || $topics || '.'
            when n_known = 0 then coalesce(whole.reason, '')
            else 'Intervals: percentile bootstrap over ' || whole.unit || 's, '
                || format('{:,} resamples, seed ', whole.n_draw) || whole.seed || '.' || coalesce(notes, '')
                || case
                    when whole.unit <> 'trial' and whole.least_unit < $fewest
                        then ' With ' || whole.n_unit || ' ' || whole.unit || 's they are unreliable.'
                    else ''
                end
        end as words
    from number cross join whole cross join note
)
order by row_no
