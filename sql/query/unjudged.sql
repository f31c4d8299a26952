/*
title:       Retrieved documents without a judgment
question:    How many accepted documents of each topic are unjudged, and how much could that change precision?
about:       stories
inputs:      metric.filtering_unjudged__v1, registry.run, registry.condition, registry.profile, base.block
parameters:
    run        run        none  one run; none: all
    condition  condition  none  one condition; none: all
    profile    profile    none  one scoring profile; none: all
grain:       condition_id, profile_id, run_id, block_id
columns:
    condition_id    key           evaluation condition
    profile_id      key           scoring profile
    run_id          key           run
    block_id        key           topic
    n_accepted      count         scored documents that the run accepted
    n_hit           count         of them, judged relevant
    n_unjudged      count         of them, without a judgment for this topic
    precision_low   ratio [0, 1]  precision if no unjudged document were relevant: the reported one
    precision_high  ratio [0, 1]  precision if every unjudged document were relevant
order:       The most unjudged documents first.
see also:    judgments_by_topic, topic_overview, metric.filtering_unjudged
*/
select
    condition_id, profile_id, run_id, block_id, n_accepted, n_hit, n_unjudged, precision_low, precision_high
from metric.filtering_unjudged__v1
join registry.run using (run_no)
join registry.condition using (condition_no)
join registry.profile using (profile_no)
join base.block using (condition_no, block_no)
where run_id = coalesce($run, run_id)
    and condition_id = coalesce($condition, condition_id)
    and profile_id = coalesce($profile, profile_id)
order by n_unjudged desc, condition_id, profile_id, run_id, block_id
