/*
title:    What a run believed and what was true, stretch by stretch
formula:  at tau the run believes its latest value with u.t < tau, and Err = |true - believed|,
          for locations the length of the geodesic on WGS84
source:   TREC 2013 Temporal Summarization Metrics, section 3.1, eq. 27
inputs:   base.attribute, base.true_value, base.submitted_value, base.value_distance, registry.run, registry.condition_profile, registry.profile
grain:    run_no, profile_no, block_no, from_time
columns:
    run_no       key      run
    profile_no   key      scoring profile
    block_no     key      attribute of an event
    from_time    key      the stretch begins
    to_time      seconds  and ends
    true_no      number   the true value in force
    value_no     number   the submitted value in force; 0: nothing submitted yet, the baseline
    error        unit of the attribute  persons, dollars, or kilometres
    is_vincenty  flag     0: Vincenty's formula does not converge here, the distance is Karney's; 1 otherwise
edges:    Values submitted before the event are carried in. Of values submitted at one time the later line counts.
          Until something is submitted the error is measured from scalar_baseline, or is location_baseline for
          a location: half the equator, the greatest distance there is. The first true value holds from the start.
class:    exact
see also: error__v1
*/
with

window_of as (
    select
        run_no, profile_no, block_no, condition_no, start_time, end_time
    from registry.run
    join registry.condition_profile using (condition_no)
    join base.attribute using (condition_no)
),

-- of values at one time the last line
ranked_value as (
    select
        run_no, block_no, value_no, value_time,
        row_number() over (
            partition by run_no, block_no, value_time
            order by value_no desc
        ) as place
    from base.submitted_value
),

ranked_truth as (
    select
        condition_no, block_no, true_no, true_time,
        row_number() over (
            partition by condition_no, block_no, true_time
            order by true_no desc
        ) as place
    from base.true_value
),

-- stretches begin at the start of the event and at every change within it
change as (
    select
        run_no, profile_no, block_no,
        start_time as from_time
    from window_of

    union all

    select
        run_no, profile_no, block_no,
        value_time as from_time
    from window_of
    join ranked_value using (run_no, block_no)
    where place = 1 and value_time > start_time and value_time < end_time

    union all

    select
        run_no, profile_no, block_no,
        true_time as from_time
    from window_of
    join ranked_truth using (condition_no, block_no)
    where place = 1 and true_time > start_time and true_time < end_time
),

moment as (
    select
        run_no, profile_no, block_no, from_time
    from change
    group by run_no, profile_no, block_no, from_time
),

stretch as (
    select
        run_no, profile_no, block_no, condition_no, from_time,
        lead(cast(from_time as bigint)) over (
            partition by run_no, profile_no, block_no
            order by from_time
        ) as next_time,
        row_number() over (
            partition by run_no, profile_no, block_no
            order by from_time desc
        ) as place_from_last,
        end_time
    from moment
    join window_of using (run_no, profile_no, block_no)
),

believed as (
    select
        run_no, profile_no, block_no, from_time, value_no,
        1 as hit,
        row_number() over (
            partition by run_no, profile_no, block_no, from_time
            order by value_time desc
        ) as place
    from stretch
    join ranked_value using (run_no, block_no)
    where place = 1 and value_time <= from_time
),

latest as (
    select
        run_no, profile_no, block_no, from_time, value_no, hit
    from believed
    where place = 1
),

-- the true value in force: the latest that has begun, else the first to begin
truth_choice as (
    select
        run_no, profile_no, block_no, from_time, true_no,
        row_number() over (
            partition by run_no, profile_no, block_no, from_time
            order by
                case when true_time <= from_time then 0 else 1 end,
                case when true_time <= from_time then -true_time else true_time end
        ) as place
    from stretch
    join ranked_truth using (condition_no, block_no)
    where place = 1
),

compared as (
    select
        run_no, profile_no, block_no, condition_no, from_time,
        case when place_from_last = 1 then end_time else next_time end as to_time,
        true_no,
        case when coalesce(hit, 0) = 1 then value_no else 0 end as value_no
    from stretch
    join truth_choice using (run_no, profile_no, block_no, from_time)
    left join latest using (run_no, profile_no, block_no, from_time)
    where place = 1
)

select
    run_no, profile_no, block_no, from_time, to_time, true_no, value_no,
    case
        when truth.number is null and value_no = 0 then location_baseline
        when truth.number is null then distance_km
        when value_no = 0 then abs(truth.number - scalar_baseline)
        else abs(truth.number - sent.number)
    end as error,
    case when truth.number is null and value_no > 0 and is_vincenty = 0 then 0 else 1 end as is_vincenty
from compared
join registry.profile using (profile_no)
join base.true_value as truth using (condition_no, block_no, true_no)
left join base.submitted_value as sent using (run_no, block_no, value_no)
left join base.value_distance using (run_no, block_no, value_no, true_no)
