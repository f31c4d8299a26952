/*
title:    What users call the trials of a condition
source:   our own: numbers inside, names outside
inputs:   registry.condition, registry.task, base.story, base.link_pair, base.verification_trial
grain:    condition_no, trial_no
columns:
    condition_no  key      condition
    trial_no      key      story, or number of the pair
    story_id      text     the story, or the trial; of a pair the first
    story_id_2    text     of a pair the second; NULL elsewhere
    position      count    rank in the corpus in order of time, from 1; NULL for pairs
    published_at  time     when it was published; NULL where unknown
    begin_sec     seconds  where it begins in its source file
class:    exact
see also: trial__v1, report.trial
*/
with

told as (
    select condition_no, corpus_no
    from registry.condition join registry.task using (task)
    where decides_on in ('topic', 'story')
)

select
    condition_no, story_no as trial_no, story_id, cast(null as varchar) as story_id_2,
    story_no as position, published_at, begin_sec
from told join base.story using (corpus_no)
union all
select
    condition_no, trial_no, id_1 as story_id, id_2 as story_id_2,
    cast(null as integer) as position, cast(null as timestamp) as published_at, cast(null as double) as begin_sec
from base.link_pair
union all
select
    condition_no, trial_no, trial_id as story_id, test_id as story_id_2,
    cast(null as integer) as position, cast(null as timestamp) as published_at, cast(null as double) as begin_sec
from base.verification_trial
