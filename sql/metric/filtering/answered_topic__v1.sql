/*
title:    Topics that a run says anything of, in each subset
formula:  decisions of the run on the topic; of a subset those in its segments
source:   TREC run files: a topic without retrieved documents is not in the file
inputs:   base.decision, registry.run, base.listed_pair, base.subset_cell
grain:    run_no, subset_no, block_no
columns:
    run_no      key    run
    subset_no   key    subset; 0 is all
    block_no    key    topic; 0 where decisions are not about one block (new event, link)
    n_decision  count  decisions of the run on it
edges:    A topic that is not here was left out by the run, or its retrieved set is empty:
          the files do not tell. The policy missing_topic of the profile decides.
class:    exact
volume:   decisions
see also: mean__v1
*/
with counted as (
    select run_no, block_no as own_block_no, segment_no, count(*) as n_counted from base.decision group by all
),

-- a condition has segments of stories, or a file lists its trials
inside as (
    select run_no, condition_no, own_block_no, segment_no, n_counted
    from counted join registry.run using (run_no)
    union all
    select run_no, condition_no, block_no as own_block_no, listed.segment_no, 1 as n_counted
    from base.decision join registry.run using (run_no)
    join base.listed_pair as listed using (condition_no, block_no, trial_no)
),

placed as (
    select run_no, 0 as subset_no, own_block_no, n_counted from counted
    union all
    select run_no, subset_no, own_block_no, n_counted
    from inside join base.subset_cell using (condition_no, segment_no)
    where block_no in (0, own_block_no)
)

select run_no, subset_no, own_block_no as block_no, whole_sum(n_counted) as n_decision from placed group by all
