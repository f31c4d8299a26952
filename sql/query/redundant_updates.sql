/*
title:       Redundant updates
question:    Which updates of a run matched no nugget, the most verbose first?
about:       summaries
inputs:      metric.summarization_update_gain__v1, base.run_update, base.block, registry.condition, registry.profile,
             registry.run
parameters:
    run      run      none  one run; none: all
    topic    topic    none  one event; none: all
    profile  profile  none  one scoring profile; none: all
grain:       condition_id, profile_id, run_id, block_id, update_seq
columns:
    condition_id  key          evaluation condition
    profile_id    key          scoring profile
    run_id        key          run
    block_id      key          event
    update_seq    key          row in the run's files
    update_id     text         document and sentence
    n_word        words        its length; NULL when unknown
    verbosity     ratio [1, ]  what it costs the reader
    is_sampled    flag         1: annotators saw it; 0: not judged
order:       Conditions, profiles, runs and events by name, the most verbose first.
see also:    missed_nuggets, metric.summarization_update_gain
*/
select
    condition_id, profile_id, run_id, block_id, update_seq, update_id, gain.n_word, verbosity, gain.is_sampled
from metric.summarization_update_gain__v1 as gain
join registry.run using (run_no)
join registry.condition using (condition_no)
join registry.profile using (profile_no)
join base.block using (condition_no, block_no)
join base.run_update using (run_no, block_no, update_seq)
where n_match = 0
    and run_id = coalesce($run, run_id)
    and block_id = coalesce($topic, block_id)
    and profile_id = coalesce($profile, profile_id)
order by condition_id, profile_id, run_id, block_id, verbosity desc, update_seq
