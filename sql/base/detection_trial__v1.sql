/*
title:    Every detection trial: the definition of what is scored, and why the rest is not
formula:  Tracking and filtering: every story of the corpus x every topic of the condition. Scored when
              the story is news, in a source file that is not excluded, in a language of the condition,
              not before the first test story of the topic, in the topic's test set (its index, or the
              listed trials), and neither training, brief nor judged no, as the profile says.
          New event and link: the listed trials.
source:   The 2004 TDT evaluation plan, sections 3, 5 and 5.2 (every task is a detection task), appendix B.3, last note (omitted stories)
inputs:   registry.run, registry.condition, registry.condition_profile, registry.profile, base.block, base.story, base.source_file, base.segment_story, base.test_segment, base.listed_pair, base.training_story, base.tracking_label__v1, base.listed_trial__v1, base.decision
grain:    run_no, profile_no, block_no, trial_no
columns:
    run_no            key    run
    profile_no        key    scoring profile
    block_no          key    block (topic)
    trial_no          key    story, or number of the pair
    is_target         flag   1: on topic, scored or not
    is_yes            flag   1: the system said yes; 0: no, or nothing
    score             score  the system's confidence; without a decision -9e99 (det_omitted = lowest) or NULL (never)
    is_scored         flag   1: a trial under this profile
    exclusion_reason  text   not_news, excluded_source_file, training, before_test, other_condition, brief or judged_no; for new event also mixed, for link other and linked_elsewhere; NULL when scored
edges:    The first reason in the order above is the one that is named.
          before_test: before the first story of the topic's test set, or in an indexed
          condition in the source file of its last training story.
          other_condition: in another language, outside the topic's source files, or not listed.
          This is a definition to read, to ask, and to hold other views to: it lists what
          they count. The counts come from trial_count__v1 and scored_decision__v1, and a
          test holds those equal to this.
class:    exact
volume:   decisions
see also: trial_count__v1, scored_decision__v1, listed_trial__v1
*/
with

story as (

    select
        condition.condition_no as condition_no,
        story.story_no as story_no,
        story.source_file_no as source_file_no,
        story.is_news as is_news,
        coalesce(file.is_excluded, 0) as is_excluded,
        case
            when condition.languages is null then 1
            when ' ' || upper(condition.languages) || ' ' like '% ' || upper(coalesce(story.language, '')) || ' %' then 1
            else 0
        end as is_language,
        case when condition.pointer_type is null then 0 else 1 end as is_indexed
    from registry.condition as condition
    inner join base.story as story
        on story.corpus_no = condition.corpus_no
    left join base.source_file as file
        on file.corpus_no = story.corpus_no
        and file.source_file_no = story.source_file_no
    where condition.task in ('tracking', 'filtering')

),

listed_or_indexed as (

    select
        member.condition_no as condition_no,
        test.block_no as block_no,
        member.story_no as story_no,
        1 as hit
    from base.segment_story as member
    inner join base.test_segment as test
        on test.condition_no = member.condition_no
        and test.segment_no = member.segment_no
    union all
    select
        listed.condition_no as condition_no,
        listed.block_no as block_no,
        listed.trial_no as story_no,
        1 as hit
    from base.listed_pair as listed

),

tested as (

    select
        either.condition_no as condition_no,
        either.block_no as block_no,
        either.story_no as story_no,
        max(either.hit) as hit
    from listed_or_indexed as either
    group by either.condition_no, either.block_no, either.story_no

),

first_tested as (

    select
        tested.condition_no as condition_no,
        tested.block_no as block_no,
        min(tested.story_no) as story_no
    from tested as tested
    group by tested.condition_no, tested.block_no

),

trained as (

    select
        training.condition_no as condition_no,
        training.block_no as block_no,
        training.story_no as story_no,
        1 as hit
    from base.training_story as training

),

last_trained as (

    select
        training.condition_no as condition_no,
        training.block_no as block_no,
        max(story.source_file_no) as source_file_no
    from base.training_story as training
    inner join story as story
        on story.condition_no = training.condition_no
        and story.story_no = training.story_no
    group by training.condition_no, training.block_no

),

label as (

    select
        label.condition_no as condition_no,
        label.profile_no as profile_no,
        label.block_no as block_no,
        label.trial_no as trial_no,
        label.is_target as is_target,
        label.exclusion_reason as exclusion_reason
    from base.tracking_label__v1 as label

),

-- every story x every topic, with the first reason why not
story_trial as (

    select
        story.condition_no as condition_no,
        chosen.profile_no as profile_no,
        block.block_no as block_no,
        story.story_no as trial_no,
        block.block_no as decision_block_no,
        coalesce(label.is_target, 0) as is_target,
        case
            when story.is_news = 0 then 'not_news'
            when story.is_excluded = 1 then 'excluded_source_file'
            when coalesce(trained.hit, 0) = 1 and profile.training = 'excluded' then 'training'
            when story.story_no < block.first_test_story_no then 'before_test'
            when coalesce(tested.hit, 0) = 0 and story.story_no < first_tested.story_no then 'before_test'
            when coalesce(tested.hit, 0) = 0 and story.is_indexed = 1 and story.source_file_no <= last_trained.source_file_no
                then 'before_test'
            when coalesce(tested.hit, 0) = 0 or story.is_language = 0 then 'other_condition'
            else label.exclusion_reason
        end as exclusion_reason
    from story as story
    inner join base.block as block
        on block.condition_no = story.condition_no
    inner join registry.condition_profile as chosen
        on chosen.condition_no = story.condition_no
    inner join registry.profile as profile
        on profile.profile_no = chosen.profile_no
    left join tested as tested
        on tested.condition_no = story.condition_no
        and tested.block_no = block.block_no
        and tested.story_no = story.story_no
    left join first_tested as first_tested
        on first_tested.condition_no = story.condition_no
        and first_tested.block_no = block.block_no
    left join trained as trained
        on trained.condition_no = story.condition_no
        and trained.block_no = block.block_no
        and trained.story_no = story.story_no
    left join last_trained as last_trained
        on last_trained.condition_no = story.condition_no
        and last_trained.block_no = block.block_no
    left join label as label
        on label.condition_no = story.condition_no
        and label.profile_no = chosen.profile_no
        and label.block_no = block.block_no
        and label.trial_no = story.story_no
    where block.is_scored = 1

),

trial as (

    select
        trial.condition_no as condition_no,
        trial.profile_no as profile_no,
        trial.block_no as block_no,
        trial.trial_no as trial_no,
        trial.decision_block_no as decision_block_no,
        trial.is_target as is_target,
        trial.exclusion_reason as exclusion_reason
    from story_trial as trial
    union all
    select
        listed.condition_no as condition_no,
        listed.profile_no as profile_no,
        listed.block_no as block_no,
        listed.trial_no as trial_no,
        listed.decision_block_no as decision_block_no,
        listed.is_target as is_target,
        listed.exclusion_reason as exclusion_reason
    from base.listed_trial__v1 as listed
    inner join registry.condition as condition
        on condition.condition_no = listed.condition_no
    where condition.task in ('new_event', 'link')

),

decision as (

    select
        decision.run_no as run_no,
        decision.block_no as block_no,
        decision.trial_no as trial_no,
        decision.is_yes as is_yes,
        decision.score as score,
        1 as hit
    from base.decision as decision

)

select
    run.run_no as run_no,
    trial.profile_no as profile_no,
    trial.block_no as block_no,
    trial.trial_no as trial_no,
    trial.is_target as is_target,
    case when decision.is_yes then 1 else 0 end as is_yes,
    case
        when coalesce(decision.hit, 0) = 1 then decision.score
        when profile.det_omitted = 'lowest' then -9e99
    end as score,
    case when trial.exclusion_reason is null then 1 else 0 end as is_scored,
    trial.exclusion_reason as exclusion_reason
from trial as trial
inner join registry.run as run
    on run.condition_no = trial.condition_no
inner join registry.profile as profile
    on profile.profile_no = trial.profile_no
left join decision as decision
    on decision.run_no = run.run_no
    and decision.block_no = trial.decision_block_no
    and decision.trial_no = trial.trial_no
