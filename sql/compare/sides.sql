/*
title:    The trials of a condition: label, segment, and the unit that each is drawn with on one side or on two
edges:    A unit is -1 where the trial has no value of it.
*/
with

trial as (
    select trial_no, is_target, segment_no, block_no, trial_id, test_id, side
    from base.verification_trial
    join base.verification_segment using (condition_no, segment_no)
    where condition_no = $condition_no
),

named as (
    select
        place, trial_no,
        case when $is_one_population then 0 else place end as population,
        case
            when name in (select attribute from base.verification_attribute where condition_no = $condition_no)
                then attribute.value
            when name in ('enrolled', 'enroll_id') then trial_id
            when name = 'test_id' then test_id || coalesce(':' || nullif(side, ''), '')
            when name = 'block' then cast(block_no as varchar)
        end as value
    from trial
    cross join (
        select unnest(cast($names as varchar[])) as name, unnest(range(len($names))) as place
    ) as unit
    left join base.verification_attribute as attribute
        on attribute.condition_no = $condition_no
            and attribute.segment_no = trial.segment_no
            and attribute.attribute = name
),

numbered as (
    select population, value, row_number() over (partition by population order by value) - 1 as unit
    from (select distinct population, value from named where value is not null) as known
),

sided as (
    select
        trial_no, coalesce(min(unit) filter (place = 0), -1) as unit,
        coalesce(min(unit) filter (place = 1), -1) as other_unit
    from named
    join numbered using (population, value)
    group by trial_no
)

select is_target = 1 as is_target, segment_no, coalesce(unit, -1) as unit, coalesce(other_unit, -1) as other_unit
from trial
left join sided using (trial_no)
order by trial_no
