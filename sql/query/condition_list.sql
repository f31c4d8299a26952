/*
title:       Conditions
question:    Which conditions does the store have, with which profiles and runs?
about:       runs
inputs:      report.condition, registry.condition, registry.condition_profile, registry.profile, registry.run
parameters:
    conditions  names  none  conditions; none: all
grain:       condition_id
columns:
    condition_id       key    evaluation condition
    task               text   its task
    corpus_id          text   corpus it is over
    profiles           text   its scoring profiles
    primary_metric     text   the metric that its runs are ranked by
    n_run              count  runs that answer it
    runs               text   these
    plan               text   required: every site has to answer it; other: allowed; NULL for a task that the 2004 TDT
                              plan does not have
    nt                 text   number of training stories, V where it varies
    training_language  text   language of the training stories
    languages          text   languages of the test stories, where the bundle names them
    deferral           count  deferral period in source files
    on_topic           text   labels that count as on topic
    judgment_set       count  1, or 2 for the second judgments of the corpus
    n_block            count  topics, events or blocks of links
order:       In the order in which they were loaded.
see also:    conditions, run_list
*/
select
    condition_id, facts.task, corpus_id,
    (
        select string_agg(profile_id, ', ' order by profile_id)
        from registry.condition_profile
        join registry.profile using (profile_no)
        where condition_profile.condition_no = condition.condition_no
    ) as profiles,
    primary_metric, n_run,
    (
        select string_agg(run_id, ', ' order by run_id)
        from registry.run
        where run.condition_no = condition.condition_no
    ) as runs,
    plan, facts.nt, facts.training_language, facts.languages, facts.deferral, facts.on_topic, facts.judgment_set,
    n_block
from report.condition as facts
join registry.condition using (condition_id)
where $conditions is null or list_contains($conditions, condition_id)
order by condition_no, condition_id
