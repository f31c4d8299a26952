/*
title:    The means over events that a run gets
formula:  topic:     mean over the events that the run has a row for
          topic_all: mean over all events of the condition; an event the run has no row for counts 0
source:   TREC 2013 Temporal Summarization Metrics, eq. 13 (topic_all), eq. 14, 17 (times); the track's programs of 2013
          to 2015 (topic)
inputs:   base.condition_tau, registry.run, registry.condition, registry.condition_profile, registry.task
grain:    run_no, profile_no, subset_no, weighting
columns:
    run_no      key  run
    profile_no  key  scoring profile
    subset_no   key  0: all; or a subset tau=SECONDS of the condition
    weighting   key  topic or topic_all
edges:    A run without any event is here too: its means are NULL.
class:    exact
see also: score__v1, score_confidence__v1, score_tau__v1
*/
select run_no, profile_no, 0 as subset_no, weighting
from registry.run join registry.condition using (condition_no) join registry.condition_profile using (condition_no)
join registry.task using (task)
cross join (select 'topic' as weighting union all select 'topic_all' as weighting) as weighting
where run_table = 'base.run_update'
union all
select run_no, profile_no, subset_no, weighting
from registry.run join registry.condition_profile using (condition_no)
join base.condition_tau using (condition_no)
cross join (select 'topic' as weighting union all select 'topic_all' as weighting) as weighting
