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
        run_no, profile_no, unit_no, is_response,
        max(n_story) as n_story,
        max(case when is_response = 1 then n_response else n_reference end) as n_own,
        max(case when is_response = 1 then n_reference else n_response end) as n_other
    from metric.bcubed_overlap_unit__v1
    group by run_no, profile_no, unit_no, is_response
)

select
    run_no, profile_no, is_response, unit_no, n_story, n_own, n_other,
    case when n_other > 0 or own_singleton = 1 then 1 else 0 end as is_asked
from sided
join metric.bcubed_outside__v1 using (run_no, profile_no, is_response)
