/*
title:    Candidates for re-annotation: errors that may be annotation misses
formula:  n_reason = number of the criteria (a) to (e) that hold
source:   The 2004 TDT evaluation plan, section 6, criteria (a) to (e)
inputs:   registry.condition, registry.run, base.block, base.topic, base.story, base.judgment, base.link_pair, metric.adjudication_false_alarm__v1
grain:    condition_no, profile_no, block_no, trial_no
columns:
    condition_no       key    condition
    profile_no         key    scoring profile
    block_no           key    block (topic)
    trial_no           key    story, or number of the pair
    n_run_yes          count  runs of the condition that make this false alarm
    n_run              count  runs of the condition that answer
    is_most            flag   (a) most of several runs make it
    is_default_no      flag   (b) nobody examined the story for the topic
    is_incomplete      flag   (c) annotation of the topic is marked incomplete
    is_cross_language  flag   (d) the topic is annotated in one language, the story is in another
    is_high            flag   (e) some run is surer of it than of half of its hits
    best_rank          count  its best place among a run's false alarms in the block
    n_reason           count  criteria that hold
edges:    A condition with one run cannot have most of several: (a) is 0.
          Of a pair of stories, (b) and (d) hold if they hold for either.
          What the corpus does not say (complete, languages) counts as 0.
class:    exact
see also: false_alarm__v1, report.adjudication
*/
with

error as (

    select
        run.condition_no as condition_no,
        alarm.profile_no as profile_no,
        alarm.block_no as block_no,
        alarm.trial_no as trial_no,
        count(*) as n_run_yes,
        max(alarm.is_high) as is_high,
        min(alarm.rank) as best_rank
    from metric.adjudication_false_alarm__v1 as alarm
    inner join registry.run as run
        on run.run_no = alarm.run_no
    group by run.condition_no, alarm.profile_no, alarm.block_no, alarm.trial_no

),

panel as (

    select
        run.condition_no as condition_no,
        count(*) as n_run
    from registry.run as run
    group by run.condition_no

),

member as (

    select
        error.condition_no as condition_no,
        error.profile_no as profile_no,
        error.block_no as block_no,
        error.trial_no as trial_no,
        error.trial_no as story_no
    from error as error
    inner join registry.condition as condition
        on condition.condition_no = error.condition_no
    where condition.task <> 'link'
    union all
    select
        error.condition_no as condition_no,
        error.profile_no as profile_no,
        error.block_no as block_no,
        error.trial_no as trial_no,
        pair.story_no_1 as story_no
    from error as error
    inner join base.link_pair as pair
        on pair.condition_no = error.condition_no
        and pair.trial_no = error.trial_no
    union all
    select
        error.condition_no as condition_no,
        error.profile_no as profile_no,
        error.block_no as block_no,
        error.trial_no as trial_no,
        pair.story_no_2 as story_no
    from error as error
    inner join base.link_pair as pair
        on pair.condition_no = error.condition_no
        and pair.trial_no = error.trial_no

),

judged as (

    select
        condition.condition_no as condition_no,
        judgment.topic_no as topic_no,
        judgment.story_no as story_no,
        1 as hit
    from registry.condition as condition
    inner join base.judgment as judgment
        on judgment.corpus_no = condition.corpus_no
        and judgment.judgment_set = condition.judgment_set
    group by condition.condition_no, judgment.topic_no, judgment.story_no

),

known as (

    select
        member.condition_no as condition_no,
        member.profile_no as profile_no,
        member.block_no as block_no,
        member.trial_no as trial_no,
        max(1 - coalesce(judged.hit, 0)) as is_default_no,
        max(case when topic.is_complete = 0 then 1 else 0 end) as is_incomplete,
        max(case
            when topic.is_multilingual = 0 and not ' ' || lower(topic.languages) || ' ' like '% ' || lower(story.language) || ' %' then 1
            else 0
        end) as is_cross_language
    from member as member
    inner join registry.condition as condition
        on condition.condition_no = member.condition_no
    inner join base.block as block
        on block.condition_no = member.condition_no
        and block.block_no = member.block_no
    inner join base.topic as topic
        on topic.corpus_no = condition.corpus_no
        and topic.topic_no = block.topic_no
    inner join base.story as story
        on story.corpus_no = condition.corpus_no
        and story.story_no = member.story_no
    left join judged as judged
        on judged.condition_no = member.condition_no
        and judged.topic_no = block.topic_no
        and judged.story_no = member.story_no
    group by member.condition_no, member.profile_no, member.block_no, member.trial_no

),

flagged as (

    select
        error.condition_no as condition_no,
        error.profile_no as profile_no,
        error.block_no as block_no,
        error.trial_no as trial_no,
        error.n_run_yes as n_run_yes,
        panel.n_run as n_run,
        case when panel.n_run > 1 and error.n_run_yes * 2 > panel.n_run then 1 else 0 end as is_most,
        coalesce(known.is_default_no, 0) as is_default_no,
        coalesce(known.is_incomplete, 0) as is_incomplete,
        coalesce(known.is_cross_language, 0) as is_cross_language,
        error.is_high as is_high,
        error.best_rank as best_rank
    from error as error
    inner join panel as panel
        on panel.condition_no = error.condition_no
    left join known as known
        on known.condition_no = error.condition_no
        and known.profile_no = error.profile_no
        and known.block_no = error.block_no
        and known.trial_no = error.trial_no

)

select
    flagged.condition_no as condition_no,
    flagged.profile_no as profile_no,
    flagged.block_no as block_no,
    flagged.trial_no as trial_no,
    flagged.n_run_yes as n_run_yes,
    flagged.n_run as n_run,
    flagged.is_most as is_most,
    flagged.is_default_no as is_default_no,
    flagged.is_incomplete as is_incomplete,
    flagged.is_cross_language as is_cross_language,
    flagged.is_high as is_high,
    flagged.best_rank as best_rank,
    flagged.is_most + flagged.is_default_no + flagged.is_incomplete + flagged.is_cross_language + flagged.is_high as n_reason
from flagged as flagged
