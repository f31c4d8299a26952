/*
title:    What the stories near a story give to its extended B-CUBED precision and recall
formula:  f is near e where they share a topic on the own side; own(e, f), other(e, f): topics they share on either side
              n_near(e) = number of f near e, e included
              gain(e)   = sum over these f of min(own(e, f), other(e, f)) / own(e, f)
          precision: own is the response; recall: own is the reference
source:   E. Amigo, J. Gonzalo, J. Artiles and F. Verdejo, A comparison of extrinsic clustering evaluation metrics,
          section 5 (multiplicity precision and recall)
inputs:   metric.bcubed_overlap_unit__v1, metric.bcubed_overlap_work__v1
grain:    run_no, profile_no, is_response, unit_no
columns:
    run_no       key          run
    profile_no   key          scoring profile
    is_response  key          1: precision; 0: recall
    unit_no      key          stories with the same topics, named by the least
    n_near       count        stories that share an own topic with a story of the unit, itself included
    gain         fixed 1e-15  the sum, the same for each story of the unit; every ratio is rounded to a whole number of
                              1e-15
edges:    Only units whose ratio needs it (is_asked) have a row, and only runs that are made (overlap_work__v1).
          Where the store computes its numbers itself, `tdtsql/scoring/overlap_gain.py` makes the same rows without
          forming most pairs.
class:    exact
see also: overlap_ratio__v1
*/
-- once: a view that is read twice is planned and computed twice
with unit_topic as (select * from metric.bcubed_overlap_unit__v1),

asked as (
    select distinct run_no, profile_no, is_response, unit_no
    from unit_topic join metric.bcubed_overlap_work__v1 using (run_no, profile_no)
    where is_asked = 1 and is_made = 1
),

asked_unit as (select distinct run_no, profile_no, unit_no from asked),

-- how many topics of either side a unit shares with another, or with itself
pair as (
    select
        run_no, profile_no, own.unit_no, near.unit_no as near_no, max(near.n_story) as n_story,
        whole_sum(is_response) as n_response, whole_sum(1 - is_response) as n_reference
    from asked_unit join unit_topic as own using (run_no, profile_no, unit_no)
    join unit_topic as near using (run_no, profile_no, is_response, block_no)
    group by all
),

side as (
    select
        *, case when is_response = 1 then n_response else n_reference end as n_own,
        case when is_response = 1 then n_reference else n_response end as n_other
    from asked join pair using (run_no, profile_no, unit_no)
)

-- fixed point: whole numbers of 1e-15, summed exactly
select
    run_no, profile_no, is_response, unit_no, whole_sum(n_story) as n_near,
    sum(
        cast(n_story as decimal(38, 0))
        * case when n_other >= n_own then count_units(1) else whole_units(ratio(n_other, n_own)) end
    ) as gain
from side where n_own > 0 group by all
