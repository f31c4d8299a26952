/*
title:       Conditions
question:    Which conditions does the store have, with which profiles and runs?
about:       runs
inputs:      report.condition, registry.condition, registry.condition_profile, registry.profile, registry.run,
             registry.corpus
parameters:
    conditions  names  none  conditions; none: all
grain:       condition_id
columns:
    condition_id    key    evaluation condition
    task            text   its task
    corpus_id       text   corpus it is over
    profiles        text   its scoring profiles
    primary_metric  text   the metric that its runs are ranked by
    n_run           count  runs that answer it
    runs            text   these
order:       In the order in which they were loaded.
see also:    conditions, run_list
*/
select
    condition_id, condition.task, condition.corpus_id,
    string_agg(distinct profile_id, ', ' order by profile_id) as profiles, any_value(primary_metric) as primary_metric,
    count(distinct run_no) as n_run, string_agg(distinct run_id, ', ' order by run_id) as runs
from (select * from registry.condition join registry.corpus using (corpus_no)) as condition
join report.condition as facts using (condition_id)
left join registry.condition_profile using (condition_no)
left join registry.profile using (profile_no)
left join registry.run using (condition_no)
where $conditions is null or list_contains($conditions, condition_id)
group by condition_no, condition_id, condition.task, condition.corpus_id
order by condition_no, condition_id
