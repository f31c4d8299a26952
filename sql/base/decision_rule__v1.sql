/*
title:    Decision rule and threshold, by run and profile
formula:  a run without decisions accepts if score >= yes_from
source:   The 2004 TDT evaluation plan, section 5 (hard decisions); N. Bruemmer, J. du Preez, Application-independent
          evaluation of speaker detection (2006), section 3 (the Bayes threshold, decide_at = bayes)
inputs:   registry.run, registry.condition_profile, registry.profile, base.carried_threshold,
          base.bayes_threshold__v1
grain:    run_no, profile_no
columns:
    run_no        key    run
    profile_no    key    scoring profile
    condition_no  count  condition of the run
    run_id        text   name of the run
    is_decided    flag   1: its trials are accepted or rejected; 0: scores alone, and the profile decides nothing
    yes_from      score  lowest accepted score; NULL where the run has decisions, where nothing is decided, and where a
                         threshold fitted elsewhere accepts nothing
    fitted_on     text   condition whose minimum the threshold is of (decide_at = condition); NULL: of none
edges:    The Bayes threshold is converted like the scores of the condition (probability, log10lr): a score equal to it
          is a yes.
          A run whose has_decision is NULL decides itself.
          A threshold that is to be fitted elsewhere and cannot be decides nothing; report.threshold says why.
class:    exact: thresholds are compared with, and nothing is computed of them
see also: tracking_decision__v1, listed_decision__v1, keyed_decision__v1, report.threshold
*/
select
    run_no, profile_no, condition_no, run_id,
    case
        when has_decision = 0 and decide_threshold is null and coalesce(is_fitted, 0) = 0 then 0 else 1
    end as is_decided,
    case
        when has_decision = 0 and decide_at = 'bayes' then act_threshold
        when has_decision = 0 then coalesce(decide_threshold, threshold)
    end as yes_from,
    case when has_decision = 0 and is_fitted = 1 then from_condition_id end as fitted_on
from registry.run join registry.condition_profile using (condition_no) join registry.profile using (profile_no)
left join base.bayes_threshold__v1 using (condition_no, profile_no)
left join base.carried_threshold using (run_no, profile_no)
