/*
title:    Who decides of each run under each profile, and from which score on
source:   The 2004 TDT evaluation plan, section 5 (hard decisions); N. Bruemmer, J. du Preez, Application-independent
          evaluation of speaker detection (2006), section 3 (the Bayes threshold)
inputs:   base.decision_rule__v1, base.carried_threshold, registry.run, registry.profile
grain:    run_no, profile_no
columns:
    run_no      key    run
    profile_no  key    scoring profile
    decided_by  text   run: its decisions; threshold, bayes, condition: the profile; NULL: undecided
    fitted_on   text   condition whose scores the threshold is fitted on; NULL: it is not fitted
    threshold   score  lowest score that is a yes; NULL where the run decided itself, and where there is a reason
    reason      text   no_threshold: scores alone, and the profile has none; of a threshold that is fitted:
                       no_condition, no_run (of this name in it), no_minimum (no targets or no non-targets there),
                       reject_all (it costs least to accept nothing), not_fitted (yet)
class:    exact
see also: report.threshold, base.decision_rule__v1
*/
select
    run_no, profile_no,
    case
        when coalesce(has_decision, 1) = 1 then 'run'
        when decide_at <> 'condition' or is_fitted = 1 then decide_at
    end as decided_by,
    case when has_decision = 0 then decide_condition end as fitted_on, yes_from as threshold,
    case
        when coalesce(has_decision, 1) = 1 or decide_threshold is not null then null
        when decide_condition is null then 'no_threshold'
        when carried.run_no is null then 'not_fitted'
        else carried.reason
    end as reason
from base.decision_rule__v1 join registry.run using (run_no) join registry.profile using (profile_no)
left join base.carried_threshold as carried using (run_no, profile_no)
