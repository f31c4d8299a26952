/*
title:    Topics that a run answers, in each subset
formula:  decisions of the run on trials of the topic that count; of a subset those in its segments
source:   TREC run files: a topic without retrieved documents is not in the file
inputs:   base.tracking_decision__v1, base.subset_cell
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
with answered as (
    select run_no, profile_no, condition_no, block_no as own_block_no, segment_no, count(*) as n_answered
    from base.tracking_decision__v1
    group by all
),

placed as (
    select run_no, profile_no, 0 as subset_no, own_block_no, n_answered from answered
    union all
    select run_no, profile_no, subset_no, own_block_no, n_answered
    from answered join base.subset_cell using (condition_no, segment_no)
    where block_no in (0, own_block_no)
)

select run_no, profile_no, subset_no, own_block_no as block_no, whole_sum(n_answered) as n_decision
from placed group by all
