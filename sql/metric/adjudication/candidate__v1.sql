/*
title:    Candidates for re-annotation: errors that may be annotation misses
formula:  n_reason = number of the criteria (a) to (e) that hold
source:   The 2004 TDT evaluation plan, section 6, criteria (a) to (e)
inputs:   registry.condition, registry.task, registry.counted_run, base.block, base.topic, base.story, base.judgment,
          base.link_pair, metric.adjudication_false_alarm__v1
grain:    condition_no, profile_no, block_no, trial_no
columns:
    condition_no       key    condition
    profile_no         key    scoring profile
    block_no           key    block (topic)
    trial_no           key    story, or number of the pair
    n_run_yes          count  runs of the condition that make this false alarm
    n_run              count  runs of the condition that answer
    is_most            flag   (a) most of several runs make it
    is_default_no      flag   (b) the story was not examined for the topic
    is_incomplete      flag   (c) annotation of the topic is marked incomplete
    is_cross_language  flag   (d) the topic is annotated in one language, the story is in another
    is_high            flag   (e) some run scores it higher than half of its hits
    best_rank          count  its best rank among a run's false alarms in the block
    n_reason           count  criteria that hold
edges:    Withdrawn runs do not count.
          A condition with one run cannot have most of several: (a) is 0.
          Of a pair of stories, (b) and (d) hold if they hold for either.
          What the corpus does not say (complete, languages) counts as 0.
class:    exact
see also: false_alarm__v1, report.adjudication
*/
with error as (
    select
        condition_no, profile_no, block_no, trial_no, count(*) as n_run_yes, max(is_high) as is_high,
        min(rank) as best_rank
    from metric.adjudication_false_alarm__v1 join registry.counted_run using (run_no)
    group by all
),

panel as (select condition_no, count(*) as n_run from registry.counted_run group by all),

-- the stories of a trial: itself, or both of a pair
member as (
    select condition_no, profile_no, block_no, trial_no, trial_no as story_no
    from error join registry.condition using (condition_no) join registry.task using (task)
    where decides_on <> 'pair'
    union all
    select condition_no, profile_no, block_no, trial_no,
        case when side = 1 then story_no_1 else story_no_2 end as story_no
    from error join base.link_pair using (condition_no, trial_no)
    cross join (select 1 as side union all select 2 as side) as side
),

judged as (
    select distinct condition_no, topic_no, story_no, 1 as is_judged
    from registry.condition join base.judgment using (corpus_no, judgment_set)
),

known as (
    select
        condition_no, profile_no, block_no, trial_no, max(1 - coalesce(is_judged, 0)) as default_no,
        max(case when is_complete = 0 then 1 else 0 end) as incomplete,
        max(
            case when is_multilingual = 0 and not has_word(lower(topic.languages), lower(language)) then 1 else 0 end
        ) as cross_language
    from member join registry.condition using (condition_no)
    join base.block using (condition_no, block_no)
    join base.topic using (corpus_no, topic_no)
    join base.story using (corpus_no, story_no)
    left join judged using (condition_no, topic_no, story_no)
    group by all
)

select
    condition_no, profile_no, block_no, trial_no, n_run_yes, n_run,
    case when n_run > 1 and n_run_yes * 2 > n_run then 1 else 0 end as is_most,
    coalesce(default_no, 0) as is_default_no, coalesce(incomplete, 0) as is_incomplete,
    coalesce(cross_language, 0) as is_cross_language, is_high, best_rank,
    is_most + is_default_no + is_incomplete + is_cross_language + is_high as n_reason
from error join panel using (condition_no)
left join known using (condition_no, profile_no, block_no, trial_no)
