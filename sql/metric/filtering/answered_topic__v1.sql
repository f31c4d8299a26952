/*
title:    Topics that a run answers, in each subset
formula:  decisions of the run on trials of the topic that count; of a subset those in its segments
source:   TREC run files: a topic without retrieved documents is not in the file
inputs:   base.decision, registry.run, registry.condition_profile, base.test_segment, base.listed_pair, base.block,
          base.unscored_trial__v1, base.subset_cell
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no      key    run
    profile_no  key    scoring profile
    subset_no   key    subset; 0 is all
    block_no    key    topic
    n_decision  count  decisions of the run on its trials that count, 1 or more
edges:    A topic that is not here was left out by the run, or its retrieved set is empty:
          the files do not tell. The policy missing_topic of the profile decides. A decision on a story that is no
          trial (no news, training, brief) answers nothing. Decisions of new event and link are not about one topic:
          they are not here.
class:    exact
volume:   decisions
see also: mean__v1, tracking_decision__v1
*/
-- a condition has test segments, or a file lists its trials; below 0 documents that the corpus does not have
with tested as (
    select run_no, condition_no, block_no, trial_no, segment_no
    from base.decision join registry.run using (run_no)
    join base.test_segment using (condition_no, block_no, segment_no)
    union all
    select run_no, condition_no, block_no, trial_no, listed.segment_no
    from base.decision join registry.run using (run_no)
    join base.listed_pair as listed using (condition_no, block_no, trial_no)
    union all
    select run_no, condition_no, block_no, trial_no, segment_no
    from base.decision join registry.run using (run_no) join base.block using (condition_no, block_no)
    where trial_no < 0 and is_scored = 1
),

counted as (select run_no, condition_no, block_no, segment_no, count(*) as n_tested from tested group by all),

-- few: what is judged no, brief or trained on
left_out as (
    select run_no, profile_no, block_no, segment_no, count(*) as n_unscored
    from tested join base.unscored_trial__v1 using (condition_no, block_no, trial_no)
    group by all
),

answered as (
    select
        run_no, condition_no, profile_no, block_no as own_block_no, segment_no,
        n_tested - coalesce(n_unscored, 0) as n_answered
    from counted join registry.condition_profile using (condition_no)
    left join left_out using (run_no, profile_no, block_no, segment_no)
    where n_tested > coalesce(n_unscored, 0)
),

placed as (
    select run_no, profile_no, 0 as subset_no, own_block_no, n_answered from answered
    union all
    select run_no, profile_no, subset_no, own_block_no, n_answered
    from answered join base.subset_cell using (condition_no, segment_no) where block_no in (0, own_block_no)
)

select run_no, profile_no, subset_no, own_block_no as block_no, whole_sum(n_answered) as n_decision
from placed group by all
