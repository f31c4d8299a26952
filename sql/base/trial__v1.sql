/*
title:    Every trial of a condition, independent of decisions: scored, or the reason why not
formula:  Tracking and filtering: every story of the corpus x every topic of the condition. Scored when
              the story is news, in a source file that is not excluded, in a language of the condition,
              not before the first test story of the topic, in the topic's test set (its index, or the
              listed trials), and neither training, brief nor judged no, as the profile says.
          New event and link: the listed trials. Verification: the trials of the key.
source:   The 2004 TDT evaluation plan, sections 3, 5 and 5.2 (every task is a detection task)
inputs:   registry.condition, registry.condition_profile, registry.profile, registry.task, base.block,
          base.story, base.source_file, base.segment_story, base.test_segment, base.listed_pair, base.training_story,
          base.marked_story__v1, base.listed_trial__v1, base.verification_trial,
          base.verification_segment, base.trial_name__v1
grain:    condition_no, profile_no, block_no, trial_no
columns:
    condition_no       key    condition
    profile_no         key    scoring profile
    block_no           key    block (topic)
    trial_no           key    story, or number of the pair
    decision_block_no  count  block_no under which base.decision holds the decision
    is_target          flag   1: on topic, scored or not
    exclusion_reason   text   not_news, excluded_source_file, training, before_test, other_condition, brief or
                              judged_no; for new event also mixed, for link other and linked_elsewhere; NULL when scored
    block_id           text   the topic, or the block of a key
    story_id           text   the story; of a pair the first
    story_id_2         text   of a pair the second; NULL elsewhere
    position           count  rank in the corpus in order of time, from 1; NULL for pairs
    published_at       time   when it was published; NULL where unknown
    begin_sec          seconds  where it begins in its source file
edges:    The first reason in the order above is the one that is named.
          before_test: before the first story of the topic's test set, or in an indexed
          condition in the source file of its last training story.
          other_condition: in another language, outside the topic's source files, or not listed.
          Names are here so that who asks for one topic or story by its name reads no other.
class:    exact
volume:   decisions
see also: detection_trial__v1, listed_trial__v1, report.trial
*/
with

story as (
    select
        condition_no, story_no, segment_no, source_file_no, is_news, story_id, published_at, begin_sec,
        coalesce(is_excluded, 0) as is_in_excluded_file,
        case
            when languages is null or has_word(upper(languages), upper(coalesce(story.language, ''))) then 1 else 0
        end as is_language,
        case when pointer_type is null then 0 else 1 end as is_indexed
    from registry.condition join registry.task using (task)
    join base.story using (corpus_no)
    left join base.source_file using (corpus_no, source_file_no)
    left join base.segment_story using (condition_no, story_no)
    where decides_on = 'topic'
),

-- of each segment its first story; a topic is tested on whole segments
segment_start as (
    select condition_no, segment_no, min(story_no) as start_no
    from base.segment_story
    group by condition_no, segment_no
),

test_segment as (
    select condition_no, block_no, segment_no, 1 as is_in_segment
    from base.test_segment
),

test_start as (
    select condition_no, block_no, start_no
    from test_segment join segment_start using (condition_no, segment_no)
    union all
    select condition_no, block_no, trial_no as start_no
    from base.listed_pair
),

first_tested as (
    select condition_no, block_no, min(start_no) as first_story_no
    from test_start
    group by condition_no, block_no
),

last_trained as (
    select condition_no, block_no, max(source_file_no) as last_file_no
    from base.training_story join story using (condition_no, story_no)
    group by condition_no, block_no
),

-- materialised: DuckDB 2.0.1 over-estimates the joins below, and would read the decisions of all topics
topic as materialized (
    select condition_no, block_no, block_id, first_test_story_no, first_story_no, last_file_no
    from base.block
    left join first_tested using (condition_no, block_no)
    left join last_trained using (condition_no, block_no)
    where is_scored = 1
),

block_name as (
    select condition_no, block_no, block_id
    from base.block
),

listed as (
    select
        condition_no, profile_no, block_no, trial_no, decision_block_no, is_target, exclusion_reason, block_id
    from base.listed_trial__v1 join registry.condition using (condition_no)
    join registry.task using (task)
    join block_name using (condition_no, block_no)
    where decides_on <> 'topic'
),

-- every story x every topic
pair as (
    select
        condition_no, profile_no, block_no, block_id, story_no, story_id, published_at, begin_sec, source_file_no,
        is_news, is_in_excluded_file, is_language, is_indexed,
        first_test_story_no, first_story_no, last_file_no, label_reason,
        coalesce(is_on_topic, 0) as is_target,
        case when is_trained = 1 and training = 'excluded' then 1 else 0 end as is_training,
        case when is_in_segment = 1 or is_listed = 1 then 1 else 0 end as is_tested
    from story join topic using (condition_no)
    join registry.condition_profile using (condition_no)
    join registry.profile using (profile_no)
    left join test_segment using (condition_no, block_no, segment_no)
    left join base.marked_story__v1 using (condition_no, profile_no, block_no, story_no)
),

keyed as (
    select condition_no, profile_no, block_no, trial_no, is_target, block_id
    from base.verification_trial join base.verification_segment using (condition_no, segment_no)
    join registry.condition_profile using (condition_no)
    join block_name using (condition_no, block_no)
)

-- with the first reason why not
select
    condition_no, profile_no, block_no, story_no as trial_no, block_no as decision_block_no, is_target,
    case
        when is_news = 0 then 'not_news'
        when is_in_excluded_file = 1 then 'excluded_source_file'
        when is_training = 1 then 'training'
        when story_no < first_test_story_no then 'before_test'
        when is_tested = 0 and story_no < first_story_no then 'before_test'
        when is_tested = 0 and is_indexed = 1 and source_file_no <= last_file_no then 'before_test'
        when is_tested = 0 or is_language = 0 then 'other_condition'
        else label_reason
    end as exclusion_reason,
    block_id, story_id, cast(null as varchar) as story_id_2, story_no as position, published_at, begin_sec
from pair
union all
select
    condition_no, profile_no, block_no, trial_no, decision_block_no, is_target, exclusion_reason,
    block_id, story_id, story_id_2, position, published_at, begin_sec
from listed join base.trial_name__v1 using (condition_no, trial_no)
union all
select
    condition_no, profile_no, block_no, trial_no, block_no as decision_block_no, is_target,
    cast(null as varchar) as exclusion_reason,
    block_id, story_id, story_id_2, position, published_at, begin_sec
from keyed join base.trial_name__v1 using (condition_no, trial_no)
