/*
title:    Who decides of each detection run under each profile, and from which score on
source:   The 2004 TDT evaluation plan, section 5 (hard decisions); N. Bruemmer, J. du Preez, Application-independent
          evaluation of speaker detection (2006), section 3 (the Bayes threshold)
inputs:   metric.detection_threshold__v1, registry.run, registry.condition, registry.task, registry.profile
grain:    run_id, condition_id, profile_id
columns:
    run_id        key    run
    task          text   task of its condition
    condition_id  key    evaluation condition
    profile_id    key    scoring profile
    decided_by    text   run: its decisions; threshold, bayes, condition: the profile; NULL: undecided
    fitted_on     text   condition whose scores the threshold is fitted on; NULL: it is not fitted
    threshold     score  lowest score that is a yes; NULL where the run decided itself, and where there is a reason
    reason        text   no_threshold: scores alone, and the profile has none; of a threshold that is fitted:
                         no_condition, no_run (of this name in it), no_minimum (no targets or no non-targets there),
                         reject_all (it costs least to accept nothing), not_fitted (yet)
edges:    A fitted threshold is that of the lowest cost over topics of the run of the same name in the other
          condition, under this profile; of points that cost the same (to 1e-12) the lowest. Where that run, its
          condition, its corpus or the profile change, it is fitted again with the next scoring, and says not_fitted
          until then.
class:    exact
see also: score, det_point
*/
select run_id, task, condition_id, profile_id, decided_by, fitted_on, threshold, reason
from metric.detection_threshold__v1
join registry.run using (run_no) join registry.condition using (condition_no) join registry.task using (task)
join registry.profile using (profile_no)
where is_detection = 1
