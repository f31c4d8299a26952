/*
title:       Numbers on a topic
question:    Which numbers does each run have on a topic?
about:       topics
inputs:      report.block_score
parameters:
    topic      topic      needed  the topic, event, item or block
    condition  condition  none    one condition; none: all
    profile    profile    none    one scoring profile; none: all
grain:       condition_id, profile_id, metric, run_id
columns:
    condition_id  key     evaluation condition
    profile_id    key     scoring profile
    metric        key     metric
    run_id        key     run
    value         double  its number; NULL where it is undefined
    reason        text    why it is NULL
order:       Conditions, profiles, metrics and runs by name.
show:        pivot row=metric column=run_id value=value
pages:       topic 10
see also:    topic_overview, report.block_score
*/
select condition_id, profile_id, metric, run_id, value, null_reason as reason
from report.block_score
where block_id = $topic
    and subset = 'all'
    and condition_id = coalesce($condition, condition_id)
    and profile_id = coalesce($profile, profile_id)
order by condition_id, profile_id, metric, run_id
