/*
title:    Hits and false alarms per block and segment
formula:  n_hit = |{target trials the system accepted}|
          n_false_alarm = |{non-target trials the system accepted}|
source:   The 2004 TDT evaluation plan, section 5
inputs:   base.scored_decision__v1
grain:    run_no, profile_no, block_no, segment_no
columns:
    run_no         key    run
    profile_no     key    scoring profile
    block_no       key    block (topic)
    segment_no     key    segment
    n_hit          count  yes on a target trial
    n_false_alarm  count  yes on a non-target trial
edges:    A cell without a yes is not here. Only yes decisions are read: misses and
          correct rejections are subtractions.
class:    exact
see also: count__v1
*/
select
    run_no, profile_no, block_no, segment_no, count(*) filter (where is_target = 1) as n_hit,
    count(*) filter (where is_target = 0) as n_false_alarm
from base.scored_decision__v1 where is_yes = 1 group by all
