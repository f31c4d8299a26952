/*
title:    Every detection trial: the definition of what is scored, and why the rest is not
formula:  Tracking and filtering: every story of the corpus x every topic of the condition. Scored when
              the story is news, in a source file that is not excluded, in a language of the condition,
              not before the first test story of the topic, in the topic's test set (its index, or the
              listed trials), and neither training, brief nor judged no, as the profile says.
          What a run retrieved and the corpus does not have (filtering with qrels alone) is scored too, in that run.
          New event and link: the listed trials. Verification: the trials of the key.
source:   The 2004 TDT evaluation plan, sections 3, 5 and 5.2 (every task is a detection task), appendix B.3, last note
          (omitted stories)
inputs:   registry.condition, registry.condition_profile, registry.profile, registry.task, base.block,
          base.story, base.source_file, base.segment_story, base.test_segment, base.listed_pair, base.training_story,
          base.tracking_label__v1, base.listed_trial__v1, base.verification_trial,
          base.verification_segment, base.decision, base.decision_rule__v1
grain:    run_no, profile_no, block_no, trial_no
columns:
    run_no            key    run
    profile_no        key    scoring profile
    block_no          key    block (topic)
    trial_no          key    story, or number of the pair; below 0 a document that the corpus does not have
    is_target         flag   1: on topic, scored or not
    is_yes            flag   1: the system said yes, or the profile does of its score; 0: no, or nothing
    score             score  the system's confidence; without a decision -9e99 (det_omitted = lowest) or NULL (never)
    is_scored         flag   1: a trial under this profile
    exclusion_reason  text   not_news, excluded_source_file, training, before_test, other_condition, brief or judged_no;
                             for new event also mixed, for link other and linked_elsewhere; NULL when scored
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
        condition_no, story_no, source_file_no, is_news,
        coalesce(is_excluded, 0) as is_in_excluded_file,
        case
            when languages is null or has_word(upper(languages), upper(coalesce(story.language, ''))) then 1 else 0
        end as is_language,
        case when pointer_type is null then 0 else 1 end as is_indexed
    from registry.condition
    join registry.task using (task)
    join base.story using (corpus_no)
    left join base.source_file using (corpus_no, source_file_no)
    where decides_on = 'topic'
),

indexed_or_listed as (
    select condition_no, block_no, story_no
    from base.segment_story
    join base.test_segment using (condition_no, segment_no)
    union all
    select condition_no, block_no, trial_no as story_no
    from base.listed_pair
),

tested as (
    select condition_no, block_no, story_no, 1 as is_tested
    from indexed_or_listed
    group by condition_no, block_no, story_no
),

first_tested as (
    select condition_no, block_no, min(story_no) as first_story_no
    from tested
    group by condition_no, block_no
),

trained as (
    select condition_no, block_no, story_no, 1 as is_trained
    from base.training_story
),

last_trained as (
    select condition_no, block_no, max(source_file_no) as last_file_no
    from base.training_story
    join story using (condition_no, story_no)
    group by condition_no, block_no
),

label as (
    select
        condition_no, profile_no, block_no, trial_no as story_no,
        is_target as is_on_topic, exclusion_reason as label_reason
    from base.tracking_label__v1
),

-- every story x every topic, with the first reason why not
trial as (
    select
        condition_no, profile_no, block_no, block_no as decision_block_no, story_no as trial_no,
        coalesce(is_on_topic, 0) as is_target,
        case
            when is_news = 0 then 'not_news'
            when is_in_excluded_file = 1 then 'excluded_source_file'
            when coalesce(is_trained, 0) = 1 and training = 'excluded' then 'training'
            when story_no < first_test_story_no then 'before_test'
            when coalesce(is_tested, 0) = 0 and story_no < first_story_no then 'before_test'
            when coalesce(is_tested, 0) = 0 and is_indexed = 1 and source_file_no <= last_file_no then 'before_test'
            when coalesce(is_tested, 0) = 0 or is_language = 0 then 'other_condition'
            else label_reason
        end as exclusion_reason
    from story
    join base.block using (condition_no)
    join registry.condition_profile using (condition_no)
    join registry.profile using (profile_no)
    left join tested using (condition_no, block_no, story_no)
    left join first_tested using (condition_no, block_no)
    left join trained using (condition_no, block_no, story_no)
    left join last_trained using (condition_no, block_no)
    left join label using (condition_no, profile_no, block_no, story_no)
    where is_scored = 1
    union all
    select condition_no, profile_no, block_no, decision_block_no, trial_no, is_target, exclusion_reason
    from base.listed_trial__v1
    join registry.condition using (condition_no)
    join registry.task using (task)
    where decides_on <> 'topic'
    union all
    select
        condition_no, profile_no, block_no, block_no as decision_block_no, trial_no, is_target,
        cast(null as varchar) as exclusion_reason
    from base.verification_trial
    join base.verification_segment using (condition_no, segment_no)
    join registry.condition_profile using (condition_no)
),

decision as (
    select run_no, block_no as decision_block_no, trial_no, is_yes as said_yes, score as decided_score
    from base.decision
),

scored_block as (
    select condition_no, block_no as decision_block_no
    from base.block
    where is_scored = 1
)

select
    run_no, profile_no, block_no, trial_no, is_target,
    case when said_yes or decided_score >= yes_from then 1 else 0 end as is_yes,
    coalesce(decided_score, case when det_omitted = 'lowest' then -9e99 end) as score,
    case when exclusion_reason is null then 1 else 0 end as is_scored,
    exclusion_reason
from trial
join base.decision_rule__v1 using (condition_no, profile_no)
join registry.profile using (profile_no)
left join decision using (run_no, decision_block_no, trial_no)
union all
select
    run_no, profile_no, decision_block_no as block_no, trial_no, 0 as is_target,
    case when said_yes or decided_score >= yes_from then 1 else 0 end as is_yes,
    decided_score as score,
    1 as is_scored,
    cast(null as varchar) as exclusion_reason
from decision
join base.decision_rule__v1 using (run_no)
join scored_block using (condition_no, decision_block_no)
where trial_no < 0
