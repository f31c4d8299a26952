/*
title:    Topics that a run says anything of
source:   TREC run files: a topic without retrieved documents is not in the file
inputs:   base.decision
grain:    run_no, block_no
columns:
    run_no      key    run
    block_no    key    topic; 0 where decisions are not about one block (new event, link)
    n_decision  count  decisions of the run on it
edges:    A topic that is not here was left out by the run, or its retrieved set is empty:
          the files do not tell. The policy missing_topic of the profile decides.
class:    exact
volume:   decisions
see also: mean__v1
*/
select
    run_no, block_no,
    count(*) as n_decision
from base.decision
group by run_no, block_no
