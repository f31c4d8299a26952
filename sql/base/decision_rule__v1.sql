/*
title:    Whether a run says yes and no under a profile, and from which score on where it gave scores alone
formula:  a run without decisions says yes if score >= decide_threshold
source:   The 2004 TDT evaluation plan, section 5 (hard decisions); N. Bruemmer, J. du Preez, Application-independent
          evaluation of speaker detection (2006), section 3 (the Bayes threshold, decide_at = bayes)
inputs:   registry.run, registry.condition_profile, registry.profile
grain:    run_no, profile_no
columns:
    run_no        key    run
    profile_no    key    scoring profile
    condition_no  count  condition of the run
    run_id        text   name of the run
    is_decided    flag   1: its trials are accepted or rejected; 0: scores alone, and the profile decides nothing
    yes_from      score  lowest score that is a yes; NULL where the run decided itself, and where nobody does
edges:    A run whose has_decision is NULL decides itself.
class:    exact
see also: tracking_decision__v1, listed_decision__v1, keyed_decision__v1
*/
select
    run_no, profile_no, condition_no, run_id,
    case when has_decision = 0 and decide_threshold is null then 0 else 1 end as is_decided,
    case when has_decision = 0 then decide_threshold end as yes_from
from registry.run
join registry.condition_profile using (condition_no)
join registry.profile using (profile_no)
