/*
title:    Trials of a key by the values of their attributes
source:   our own: attacks, codecs and speakers that only one class has are compared with the whole other class
inputs:   base.verification_attribute, base.verification_segment
grain:    condition_no, segment_no, attribute, value
columns:
    condition_no  key    condition
    segment_no    key    trials with the same label and the same attributes
    attribute     key    column of the key; those of more than 20 values are not here
    value         key    its value; a class that lacks the attribute counts with each value
    n_value       count  values of the attribute
class:    exact
see also: report.score_histogram
*/
with

small as (
    select condition_no, attribute, count(distinct value) as n_value
    from base.verification_attribute
    group by condition_no, attribute
    having count(distinct value) between 1 and 20
),

present as (
    select
        condition_no, segment_no, attribute, value,
        count(value) over (partition by condition_no, attribute, is_target) as n_known
    from base.verification_attribute
    join base.verification_segment using (condition_no, segment_no)
),

known as (select distinct condition_no, attribute, value from base.verification_attribute where value is not null)

select condition_no, segment_no, attribute, value, n_value
from present join small using (condition_no, attribute)
where value is not null
union all
select condition_no, segment_no, attribute, known.value, n_value
from present join small using (condition_no, attribute)
join known using (condition_no, attribute)
where n_known = 0
