/*
title:    Values of a run and true values, by interval
formula:  at tau the run believes its latest value with u.t < tau, and Err = |true - believed|,
          for locations the length of the geodesic on WGS84
source:   TREC 2013 Temporal Summarization Metrics, section 3.1, eq. 27
inputs:   base.attribute, base.true_value, base.submitted_value, base.value_distance, registry.run,
          registry.condition_profile, registry.profile
grain:    run_no, profile_no, block_no, from_time
columns:
    run_no       key      run
    profile_no   key      scoring profile
    block_no     key      attribute of an event
    from_time    key      start of the interval
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
with tracked as (
    select run_no, profile_no, block_no, condition_no, start_time, end_time
    from registry.run join registry.condition_profile using (condition_no)
    join base.attribute using (condition_no)
),

-- in the order of time; of values submitted at one time the later line is the later value
submitted as (
    select
        run_no, block_no, value_no as line_no, value_time, number as believed,
        row_number() over (partition by run_no, block_no order by value_time, value_no) as place
    from base.submitted_value
),

-- an interval begins at the start of the event, with the first true value and the baseline (place 0), and at every
-- change within it; what existed before the start exists at the start
change as (
    select run_no, profile_no, block_no, start_time as change_time, true_no, 0 as place
    from tracked join base.true_value using (condition_no, block_no)
    qualify rank() over (partition by run_no, profile_no, block_no order by true_time) = 1
    union all
    select run_no, profile_no, block_no, true_time as change_time, true_no, 0 as place
    from tracked join base.true_value using (condition_no, block_no)
    where true_time < end_time
    union all
    select run_no, profile_no, block_no, value_time as change_time, 0 as true_no, place
    from tracked join submitted using (run_no, block_no)
    where value_time < end_time
),

moment as (
    select
        run_no, profile_no, block_no, max(true_no) as last_true_no, max(place) as last_place,
        case when change_time > start_time then change_time else start_time end as from_time
    from change join tracked using (run_no, profile_no, block_no)
    group by all
),

-- true values are numbered in time, and so are the places: the greatest so far is in force
stretch as (
    select
        run_no, profile_no, block_no, from_time,
        lead(cast(from_time as bigint)) over (partition by run_no, profile_no, block_no order by from_time)
            as next_time,
        max(last_true_no) over so_far as true_no, max(last_place) over so_far as place
    from moment
    window so_far as (
        partition by run_no, profile_no, block_no order by from_time
        rows between unbounded preceding and current row
    )
)

select
    run_no, profile_no, block_no, from_time, coalesce(next_time, end_time) as to_time, true_no,
    coalesce(line_no, 0) as value_no,
    case
        when number is null and place = 0 then location_baseline
        when number is null then distance_km
        when place = 0 then abs(number - scalar_baseline)
        else abs(number - believed)
    end as error,
    coalesce(distance.is_vincenty, 1) as is_vincenty
from stretch join tracked using (run_no, profile_no, block_no)
join registry.profile using (profile_no)
join base.true_value using (condition_no, block_no, true_no)
left join submitted using (run_no, block_no, place)
left join base.value_distance as distance
    on distance.run_no = stretch.run_no and distance.block_no = stretch.block_no and distance.value_no = line_no
    and distance.true_no = stretch.true_no
