/*
title:    The runs that a gate compares, each with its baseline, and what has none; words: why nothing can be compared
edges:    Names are CONDITION/RUN. A baseline is the run of the same condition and name, or the only one of the
          condition; in this store, of two conditions too, where each is named. In a file ($is_file), any run may be it.
*/
with

named as (
    select condition_id, run_id
    from registry.run
    join registry.condition using (condition_no)
    where $run in (run_id, condition_id || '/' || run_id)
        and (len($conditions) = 0 or list_contains($conditions, condition_id))
),

other_run as (
    select condition_id, run_id
    from other.registry.run
    join other.registry.condition using (condition_no)
    where $is_file
        or $baseline in (run_id, condition_id || '/' || run_id)
            and (len($conditions) = 0 or list_contains($conditions, condition_id))
),

candidate as (
    select condition_id, list(run_id order by run_id) as runs
    from other_run
    where not $is_file or len($wanted) = 0 or list_contains($wanted, run_id)
    group by condition_id
),

chosen as (
    select
        condition_id, run_id, runs, condition_id as baseline_condition_id,
        case when list_contains(runs, run_id) then run_id when len(runs) = 1 then runs[1] end as baseline_id
    from named
    left join candidate using (condition_id)
),

pair as (
    select condition_id, run_id, baseline_condition_id, baseline_id
    from chosen
    where runs is not null
    union all
    select named.condition_id, named.run_id, other_run.condition_id, other_run.run_id
    from named
    cross join other_run
    where not $is_file
        and (select count(*) from named) = 1
        and (select count(*) from other_run) = 1
        and named.condition_id <> other_run.condition_id
),

listed as (
    select
        coalesce(list(condition_id || '/' || run_id order by condition_id, run_id), []) as runs,
        coalesce(list(baseline_condition_id || '/' || baseline_id order by condition_id, run_id), []) as baselines,
        array_to_string(list_sort(list(distinct condition_id)), ', ') as conditions,
        count(*) filter (condition_id = baseline_condition_id and run_id = baseline_id) as n_same
    from pair
),

lacking as (
    select 'under ' || string_agg(condition_id, ', ' order by condition_id, run_id) as without
    from chosen
    where runs is null
),

-- conditions that only the baseline has under this name
more as (
    select string_agg(distinct condition_id, ', ' order by condition_id) as more
    from (from other_run anti join named using (condition_id))
    where list_contains(
            if(len($wanted) > 0, $wanted, [(select min_by(run_id, (condition_id, run_id)) from named)]), run_id
        )
        and len($conditions) = 0
        and not contains($run, '/')
),

undecided as (
    select
        min_by(
            $baseline || ' has ' || len(runs) || ' runs of ' || condition_id || ', none of them ''' || run_id || ''': '
            || array_to_string(runs[1:6], ', ') || '. Choose one with --baseline-id.', (condition_id, run_id)
        ) as words
    from chosen
    where runs is not null and baseline_id is null
)

select
    runs, baselines, conditions,
    case
        when $is_file then [note for note in [
            $baseline || ' has no numbers ' || without || ': not compared.',
            $run || ' is missing under ' || more || ', which ' || $baseline || ' has: not compared.'
        ] if note is not null]
        else []
    end as notes,
    case
        when undecided.words is not null then 'comparison'
        when len(runs) = 0 and $is_file then 'name'
        else 'setting'
    end as kind,
    case
        when undecided.words is not null then undecided.words
        when len(runs) = 0 and $is_file
            then $baseline || ' has no numbers' || coalesce(' of run ''' || $wanted[1] || '''', '') || ' ' || without
                || '. It has ' || array_to_string(
                    (select list_sort(list(distinct condition_id))[1:8] from other_run), ', '
                ) || '.'
        when len(runs) = 0
            then $run || ' and ' || $baseline || ' are under no condition together. Name them CONDITION/RUN.'
        when n_same > 0 and not $is_file
            then '''' || $run || ''' cannot be compared with itself. Name another baseline.'
    end as words
from listed
cross join lacking
cross join more
cross join undecided
