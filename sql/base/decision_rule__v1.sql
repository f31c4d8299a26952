/*
title:    Whether a run says yes and no under a profile
source:   The 2004 TDT evaluation plan, section 5 (hard decisions); our own for runs of scores alone
inputs:   registry.run, registry.condition_profile
grain:    run_no, profile_no
columns:
    run_no        key    run
    profile_no    key    scoring profile
    condition_no  count  condition of the run
    is_decided    flag   1: its trials are accepted or rejected; 0: it gave scores alone
edges:    A run whose has_decision is NULL decides.
class:    exact
see also: tracking_decision__v1, listed_decision__v1, keyed_decision__v1
*/
select run_no, profile_no, condition_no, case when has_decision = 0 then 0 else 1 end as is_decided
from registry.run
join registry.condition_profile using (condition_no)
