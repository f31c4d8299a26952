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
        run.run_no as run_no,
        used.profile_no as profile_no,
        tracked.block_no as block_no,
        run.condition_no as condition_no,
        tracked.start_time as start_time,
        tracked.end_time as end_time
    from registry.run as run
    inner join registry.condition_profile as used on used.condition_no = run.condition_no
    inner join base.attribute as tracked on tracked.condition_no = run.condition_no

),

-- of values at one time the last line
ranked_value as (

    select
        sent.run_no as run_no,
        sent.block_no as block_no,
        sent.value_no as value_no,
        sent.value_time as value_time,
        row_number() over (
            partition by sent.run_no, sent.block_no, sent.value_time
            order by sent.value_no desc
        ) as place
    from base.submitted_value as sent

),

ranked_truth as (

    select
        truth.condition_no as condition_no,
        truth.block_no as block_no,
        truth.true_no as true_no,
        truth.true_time as true_time,
        row_number() over (
            partition by truth.condition_no, truth.block_no, truth.true_time
            order by truth.true_no desc
        ) as place
    from base.true_value as truth

),

-- stretches begin at the start of the event and at every change within it
change as (

    select
        framed.run_no as run_no,
        framed.profile_no as profile_no,
        framed.block_no as block_no,
        framed.start_time as from_time
    from window_of as framed

    union all

    select
        framed.run_no as run_no,
        framed.profile_no as profile_no,
        framed.block_no as block_no,
        sent.value_time as from_time
    from window_of as framed
    inner join ranked_value as sent
        on sent.run_no = framed.run_no
        and sent.block_no = framed.block_no
    where sent.place = 1 and sent.value_time > framed.start_time and sent.value_time < framed.end_time

    union all

    select
        framed.run_no as run_no,
        framed.profile_no as profile_no,
        framed.block_no as block_no,
        truth.true_time as from_time
    from window_of as framed
    inner join ranked_truth as truth
        on truth.condition_no = framed.condition_no
        and truth.block_no = framed.block_no
    where truth.place = 1 and truth.true_time > framed.start_time and truth.true_time < framed.end_time

),

moment as (

    select
        change.run_no as run_no,
        change.profile_no as profile_no,
        change.block_no as block_no,
        change.from_time as from_time
    from change as change
    group by change.run_no, change.profile_no, change.block_no, change.from_time

),

stretch as (

    select
        moment.run_no as run_no,
        moment.profile_no as profile_no,
        moment.block_no as block_no,
        framed.condition_no as condition_no,
        moment.from_time as from_time,
        lead(cast(moment.from_time as bigint)) over (
            partition by moment.run_no, moment.profile_no, moment.block_no
            order by moment.from_time
        ) as next_time,
        row_number() over (
            partition by moment.run_no, moment.profile_no, moment.block_no
            order by moment.from_time desc
        ) as place_from_last,
        framed.end_time as end_time
    from moment as moment
    inner join window_of as framed
        on framed.run_no = moment.run_no
        and framed.profile_no = moment.profile_no
        and framed.block_no = moment.block_no

),

believed as (

    select
        stretch.run_no as run_no,
        stretch.profile_no as profile_no,
        stretch.block_no as block_no,
        stretch.from_time as from_time,
        sent.value_no as value_no,
        1 as hit,
        row_number() over (
            partition by stretch.run_no, stretch.profile_no, stretch.block_no, stretch.from_time
            order by sent.value_time desc
        ) as place
    from stretch as stretch
    inner join ranked_value as sent
        on sent.run_no = stretch.run_no
        and sent.block_no = stretch.block_no
    where sent.place = 1 and sent.value_time <= stretch.from_time

),

latest as (

    select
        believed.run_no as run_no,
        believed.profile_no as profile_no,
        believed.block_no as block_no,
        believed.from_time as from_time,
        believed.value_no as value_no,
        believed.hit as hit
    from believed as believed
    where believed.place = 1

),

-- the true value in force: the latest that has begun, else the first to begin
truth_choice as (

    select
        stretch.run_no as run_no,
        stretch.profile_no as profile_no,
        stretch.block_no as block_no,
        stretch.from_time as from_time,
        truth.true_no as true_no,
        row_number() over (
            partition by stretch.run_no, stretch.profile_no, stretch.block_no, stretch.from_time
            order by
                case when truth.true_time <= stretch.from_time then 0 else 1 end,
                case when truth.true_time <= stretch.from_time then -truth.true_time else truth.true_time end
        ) as place
    from stretch as stretch
    inner join ranked_truth as truth
        on truth.condition_no = stretch.condition_no
        and truth.block_no = stretch.block_no
    where truth.place = 1

),

compared as (

    select
        stretch.run_no as run_no,
        stretch.profile_no as profile_no,
        stretch.block_no as block_no,
        stretch.condition_no as condition_no,
        stretch.from_time as from_time,
        case when stretch.place_from_last = 1 then stretch.end_time else stretch.next_time end as to_time,
        chosen.true_no as true_no,
        case when coalesce(latest.hit, 0) = 1 then latest.value_no else 0 end as value_no
    from stretch as stretch
    inner join truth_choice as chosen
        on chosen.run_no = stretch.run_no
        and chosen.profile_no = stretch.profile_no
        and chosen.block_no = stretch.block_no
        and chosen.from_time = stretch.from_time
    left join latest as latest
        on latest.run_no = stretch.run_no
        and latest.profile_no = stretch.profile_no
        and latest.block_no = stretch.block_no
        and latest.from_time = stretch.from_time
    where chosen.place = 1

)

select
    compared.run_no as run_no,
    compared.profile_no as profile_no,
    compared.block_no as block_no,
    compared.from_time as from_time,
    compared.to_time as to_time,
    compared.true_no as true_no,
    compared.value_no as value_no,
    case
        when truth.number is null and compared.value_no = 0 then profile.location_baseline
        when truth.number is null then apart.distance_km
        when compared.value_no = 0 then abs(truth.number - profile.scalar_baseline)
        else abs(truth.number - sent.number)
    end as error,
    case when truth.number is null and compared.value_no > 0 and apart.is_vincenty = 0 then 0 else 1 end as is_vincenty
from compared as compared
inner join registry.profile as profile on profile.profile_no = compared.profile_no
inner join base.true_value as truth
    on truth.condition_no = compared.condition_no
    and truth.block_no = compared.block_no
    and truth.true_no = compared.true_no
left join base.submitted_value as sent
    on sent.run_no = compared.run_no
    and sent.block_no = compared.block_no
    and sent.value_no = compared.value_no
left join base.value_distance as apart
    on apart.run_no = compared.run_no
    and apart.block_no = compared.block_no
    and apart.value_no = compared.value_no
    and apart.true_no = compared.true_no
