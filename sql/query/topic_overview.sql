/*
title:       All runs on one topic
question:    How many hits, misses and false alarms does each run have on one topic?
about:       topics
inputs:      report.block_score
parameters:
    topic      topic      needed  topic or block of links
    condition  condition  none    one condition; none: all
    profile    profile    none    one scoring profile; none: all
grain:       condition_id, profile_id, run_id
columns:
    condition_id   key           evaluation condition
    profile_id     key           scoring profile
    run_id         key           run
    n_hit          count         targets accepted
    n_miss         count         targets rejected
    n_false_alarm  count         non-targets accepted
    p_miss         ratio [0, 1]  miss probability; NULL without targets
    p_fa           ratio [0, 1]  false-alarm probability; NULL without non-targets
    c_det_norm     cost          normalised cost; NULL where either is
order:       Conditions and profiles by name, the cheapest run first.
pages:       topic 5
see also:    topic_timeline, worst_topics, report.block_score
*/
select
    condition_id, profile_id, run_id,
    max(case when metric = 'n_hit' then cast(value as bigint) end) as n_hit,
    max(case when metric = 'n_miss' then cast(value as bigint) end) as n_miss,
    max(case when metric = 'n_false_alarm' then cast(value as bigint) end) as n_false_alarm,
    max(case when metric = 'p_miss' then value end) as p_miss,
    max(case when metric = 'p_fa' then value end) as p_fa,
    max(case when metric = 'c_det_norm' then value end) as c_det_norm
from report.block_score
where block_id = $topic
    and subset = 'all'
    and metric in ('n_hit', 'n_miss', 'n_false_alarm', 'p_miss', 'p_fa', 'c_det_norm')
    and condition_id = coalesce($condition, condition_id)
    and profile_id = coalesce($profile, profile_id)
group by condition_id, profile_id, run_id
order by condition_id, profile_id, c_det_norm nulls last, run_id
