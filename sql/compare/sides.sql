/*
title:    The unit that each trial of a condition is drawn with, on one side or on two; -1 where it has no value
*/
with

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
    from base.verification_trial as trial
    join base.verification_segment as segment using (condition_no, segment_no)
    cross join (select unnest($names) as name, unnest(range(len($names))) as place) as unit
    left join base.verification_attribute as attribute
        on attribute.condition_no = trial.condition_no
            and attribute.segment_no = trial.segment_no
            and attribute.attribute = name
    where trial.condition_no = $condition_no
),

numbered as (
    select population, value, row_number() over (partition by population order by value) - 1 as unit
    from (select distinct population, value from named where value is not null) as known
)

select coalesce(unit, -1) as unit
from named
left join numbered using (population, value)
order by place, trial_no
