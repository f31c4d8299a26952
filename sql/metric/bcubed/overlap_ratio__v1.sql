/*
title:    Extended B-CUBED precision and recall of the stories that have several topics on a side
formula:  ratio = gain / n_near, the mean over the stories near it (overlap_gain__v1)
          an own-only story has 0; where it is a topic of one story on the other side (singleton), it shares that
          topic with itself only: ratio = 1 / n_own / n_near
source:   E. Amigo, J. Gonzalo, J. Artiles and F. Verdejo, A comparison of extrinsic clustering evaluation metrics,
          section 5 (multiplicity precision and recall)
inputs:   metric.bcubed_overlap_unit__v1, metric.bcubed_overlap_gain__v1
grain:    run_no, profile_no, is_response, unit_no
columns:
    run_no       key           run
    profile_no   key           scoring profile
    is_response  key           1: precision; 0: recall
    unit_no      key           stories with the same topics, named by the least
    n_story      count         stories of the unit
    ratio        ratio [0, 1]  the same for each story of the unit; NULL where the numbers of the run are not made
                               (overlap_work__v1)
edges:    A unit has a row for a side only if its stories have a topic there.
class:    exact
see also: extended_side_topic__v1
*/
with side as (
    select run_no, profile_no, is_response, unit_no, n_story, n_own, n_other, is_asked
    from metric.bcubed_overlap_unit__v1 where n_own > 1 or n_other > 1 group by all
)

select
    run_no, profile_no, is_response, unit_no, n_story,
    case
        when is_asked = 0 then 0e0
        when n_other = 0 and n_near > 0 then 1e0 / (n_own * n_near)
        when n_near > 0 then cast(gain as double) / (1e15 * n_near)
    end as ratio
from side
left join metric.bcubed_overlap_gain__v1 using (run_no, profile_no, is_response, unit_no)
