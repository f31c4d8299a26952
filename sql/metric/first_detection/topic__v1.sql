/*
title:    How soon a run finds a topic: latency of the first detection
formula:  first_detection_delay   = position of the first hit - position of the first target
          first_detection_seconds = time of publication of the first hit - that of the first target
          Never found: the story behind the last one of the topic's test set, and the time of that last story.
source:   Our own: the TDT plans weight early and late misses equally. That a topic that is never found counts as
          found when its stream is over is our choice: a mean that best is low never gains by silence.
inputs:   registry.run, registry.condition, base.story, base.segment_story, base.test_segment, base.listed_pair,
          base.listed_trial__v1, base.subset_cell, base.trial_count__v1, base.scored_decision__v1,
          metric.detection_count__v1
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no                   key      run
    profile_no               key      scoring profile
    subset_no                key      subset; 0 is all
    block_no                 key      topic
    n_target                 count    scored targets; 0 where the run gave scores alone
    first_target             count    position in the corpus of the first scored target; NULL without targets
    first_hit                count    position of the first target that the run accepts; NULL if none
    is_found                 flag     1: there is such a target; NULL without targets, and of a run of scores alone
    first_detection_delay    score    stories of the corpus from the one to the other; NULL without targets
    first_detection_seconds  seconds  time between the two; NULL without targets, or without a date and time of both
metrics:
    first_detection_delay    n=n_target  best=lowest  Latency of the first detection, in stories
    first_detection_seconds  n=n_target  best=lowest  Latency of the first detection, in seconds
edges:    0 is a run that accepts the first target. Stories of the corpus are counted, tested or not:
          the clock of the stream runs for all topics alike. Stories of one source file that have no time of
          their own have that of their file. Of a run of scores alone both are NULL.
class:    exact
see also: mean__v1
*/
with cell as (
    select condition_no, profile_no, 0 as subset_no, block_no, segment_no from base.trial_count__v1
    union all
    select condition_no, profile_no, subset_no, block_no, segment_no
    from base.trial_count__v1 join base.subset_cell using (condition_no, block_no, segment_no)
),

hit as (
    select run_no, profile_no, block_no, trial_no, trial_no as hit_no
    from base.scored_decision__v1 where is_target = 1 and is_yes = 1
),

found as (
    select
        run_no, profile_no, subset_no, block_no, condition_no, min(trial_no) as first_target, min(hit_no) as first_hit
    from registry.run join base.listed_trial__v1 using (condition_no)
    join cell using (condition_no, profile_no, block_no, segment_no)
    left join hit using (run_no, profile_no, block_no, trial_no)
    where is_target = 1 and is_scored = 1
    group by all
),

-- the last story of a segment; a topic is tested on whole segments, or on the stories that a file lists
topic_end as (
    select condition_no, block_no, story_no as end_no
    from base.test_segment join base.segment_story using (condition_no, segment_no)
    union all
    select condition_no, block_no, trial_no as end_no from base.listed_pair
),

last_tested as (select condition_no, block_no, max(end_no) as last_story from topic_end group by all),

moment as (
    select condition_no, story_no, epoch_seconds(cast(published_at as varchar)) as published
    from registry.condition join base.story using (corpus_no)
),

placed as (
    select
        *, case when first_hit is null then 0 else 1 end as is_hit, coalesce(first_hit, last_story + 1) as found_at,
        coalesce(first_hit, last_story) as time_from
    from found join last_tested using (condition_no, block_no)
)

select
    run_no, profile_no, subset_no, block_no, case when is_decided = 1 then n_target else 0 end as n_target,
    first_target, first_hit, case when is_decided = 1 then is_hit end as is_found,
    case when is_decided = 1 then cast(found_at - first_target as double) end as first_detection_delay,
    case when is_decided = 1 then ending.published - beginning.published end as first_detection_seconds
from metric.detection_count__v1
left join placed using (run_no, profile_no, subset_no, block_no)
left join moment as beginning on beginning.condition_no = placed.condition_no and beginning.story_no = first_target
left join moment as ending on ending.condition_no = placed.condition_no and ending.story_no = time_from
