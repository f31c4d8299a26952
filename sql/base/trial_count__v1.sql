/*
title:    Target and non-target trials per block and segment, counted without listing them
formula:  n_target    = listed scored targets; with a key of trials: the trials of the target segments
          n_nontarget = scoreable stories of the segment - implied listed trials + listed scored non-targets
source:   The 2004 TDT evaluation plan, section 5 (story- and topic-weighted estimation: the denominators)
inputs:   registry.condition_profile, base.segment, base.test_segment, base.listed_trial__v1, base.verification_segment
grain:    condition_no, profile_no, block_no, segment_no
columns:
    condition_no  key    condition
    profile_no    key    scoring profile
    block_no      key    block (topic)
    segment_no    key    segment
    n_target      count  scored target trials
    n_nontarget   count  scored non-target trials
edges:    A cell whose trials are all unscored is here with zeros.
class:    exact
see also: detection_trial__v1 (a test holds these counts equal to counting its rows)
*/
-- one row per cell and kind of evidence; counts add up
with part as (
    select condition_no, profile_no, block_no, segment_no, 0 as target, n_trial as nontarget
    from base.test_segment join base.segment using (condition_no, segment_no)
    join registry.condition_profile using (condition_no)
    union all
    select
        condition_no, profile_no, block_no, segment_no,
        case when is_scored = 1 and is_target = 1 then 1 else 0 end as target,
        case when is_scored = 1 and is_target = 0 then 1 else 0 end - is_implied as nontarget
    from base.listed_trial__v1
    union all
    select
        condition_no, profile_no, block_no, segment_no, is_target * n_trial as target,
        (1 - is_target) * n_trial as nontarget
    from base.verification_segment join registry.condition_profile using (condition_no)
)

select
    condition_no, profile_no, block_no, segment_no, whole_sum(target) as n_target, whole_sum(nontarget) as n_nontarget
from part group by all
