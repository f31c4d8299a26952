/*
title:    Runs that count where runs are summarised and ranked: all that are not withdrawn
source:   registry.withdrawal
inputs:   registry.run, registry.condition, registry.withdrawal
grain:    run_no
columns:
    run_no        key    run
    condition_no  count  condition of the run
    run_id        text   name of the run
    condition_id  text   name of the condition
edges:    Numbers of withdrawn runs stay in report.*; medians, best marks and candidates for re-annotation are without
          them.
class:    exact
see also: report.leaderboard
*/
select run_no, condition_no, run_id, condition_id
from registry.run join registry.condition using (condition_no)
where run_no not in (select run_no from registry.withdrawal)
