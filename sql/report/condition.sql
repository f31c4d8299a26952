/*
title:    Evaluation conditions by name, and which of them the plan requires of every site
source:   The 2004 TDT evaluation plan, tables 2, 5, 7 and A1
inputs:   registry.condition, registry.task, registry.corpus, registry.run, base.block, base.item_measure
grain:    condition_id
columns:
    condition_id       key    evaluation condition
    corpus_id          text   corpus it is over
    task               text   its task
    plan               text   required: every site has to answer it; other: allowed; NULL for a task that the plan does
                              not have
    nt                 text   number of training stories, V where it varies
    training_language  text   language of the training stories
    languages          text   languages of the test stories, where the bundle names them; NULL: those of the index, or
                              all
    deferral           count  deferral period in source files
    on_topic           text   labels that count as on topic
    primary_metric     text   the metric that its runs are ranked by, over topics
    judgment_set       count  1, or 2 for the second judgments of the corpus
    n_block            count  topics, events or blocks of links
    n_run              count  runs that answer it
edges:    Required are: tracking from one English story; new events in English
          only, deferred 10 files; links in English, Mandarin and Arabic, deferred
          10 files; hierarchies over English, and over all three languages.
          What languages a condition tests is looked up in its stories.
class:    exact
see also: score
*/
with size as (select condition_no, count(*) as n_block from base.block group by all),

answer as (select condition_no, count(*) as n_run from registry.run group by all)

select
    condition_id, corpus_id, task,
    case when is_in_plan = 1 and is_required = 1 then 'required' when is_in_plan = 1 then 'other' end as plan,
    nt, training_language, languages, deferral, on_topic,
    coalesce(measure, case when score_kind = 'llr' then task.primary_of_llr end, task.primary_metric) as primary_metric,
    judgment_set, coalesce(size.n_block, 0) as n_block, coalesce(answer.n_run, 0) as n_run
from registry.condition join registry.corpus using (corpus_no) join registry.task using (task)
left join size using (condition_no)
left join base.item_measure as measure on measure.condition_no = condition.condition_no and measure.is_primary = 1
left join answer using (condition_no)
