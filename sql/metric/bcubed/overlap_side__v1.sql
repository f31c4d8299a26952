/*
title:    Units of stories with several topics, seen from the response (precision) and from the reference (recall)
source:   E. Amigo, J. Gonzalo, J. Artiles and F. Verdejo, A comparison of extrinsic clustering evaluation metrics, section 5 (precision and recall are one formula, the sides exchanged)
inputs:   metric.bcubed_overlap_unit__v1, metric.bcubed_outside__v1
grain:    run_no, profile_no, is_response, unit_no
columns:
    run_no       key    run
    profile_no   key    scoring profile
    is_response  key    1: own is the response (precision); 0: own is the reference (recall)
    unit_no      key    unit
    n_story      count  stories of the unit
    n_own        count  topics of each on the own side; never 0
    n_other      count  topics of each on the other side
    is_asked     flag   1: their ratio needs their neighbours; 0: it is 0
edges:    A unit has a row for a side only if its stories have a topic there.
class:    exact
see also: overlap_ratio__v1, overlap_near__v1
*/
with

sided as (

    select
        unit.run_no as run_no,
        unit.profile_no as profile_no,
        unit.unit_no as unit_no,
        unit.is_response as is_response,
        max(unit.n_story) as n_story,
        max(case when unit.is_response = 1 then unit.n_response else unit.n_reference end) as n_own,
        max(case when unit.is_response = 1 then unit.n_reference else unit.n_response end) as n_other
    from metric.bcubed_overlap_unit__v1 as unit
    group by unit.run_no, unit.profile_no, unit.unit_no, unit.is_response

)

select
    sided.run_no as run_no,
    sided.profile_no as profile_no,
    sided.is_response as is_response,
    sided.unit_no as unit_no,
    sided.n_story as n_story,
    sided.n_own as n_own,
    sided.n_other as n_other,
    case when sided.n_other > 0 or outside.own_singleton = 1 then 1 else 0 end as is_asked
from sided as sided
inner join metric.bcubed_outside__v1 as outside
    on outside.run_no = sided.run_no
    and outside.profile_no = sided.profile_no
    and outside.is_response = sided.is_response
