/*
title:    What is known of a story for a topic: judged, trained on, listed in a file
source:   The 2004 TDT evaluation plan, sections 5.1 and 5.2
inputs:   registry.condition_profile, base.tracking_label__v1, base.training_story, base.listed_pair
grain:    condition_no, profile_no, block_no, story_no
columns:
    condition_no  key   condition
    profile_no    key   scoring profile
    block_no      key   topic
    story_no      key   story
    is_on_topic   flag  1: its label counts as on topic
    label_reason  text  brief or judged_no; NULL where its label does not keep it from being scored
    is_trained    flag  1: training story of the topic
    is_listed     flag  1: the file of trials has it
edges:    Of all stories of a topic these are few.
class:    exact
see also: trial__v1, tracking_label__v1
*/
with mark as (
    select
        condition_no, profile_no, block_no, trial_no as story_no, is_target as on_topic, exclusion_reason as reason,
        0 as trained, 0 as listed
    from base.tracking_label__v1
    union all
    select condition_no, profile_no, block_no, story_no, 0 as on_topic, null as reason, 1 as trained, 0 as listed
    from base.training_story join registry.condition_profile using (condition_no)
    union all
    select
        condition_no, profile_no, block_no, trial_no as story_no, 0 as on_topic, null as reason, 0 as trained,
        1 as listed
    from base.listed_pair join registry.condition_profile using (condition_no)
)

select
    condition_no, profile_no, block_no, story_no, max(on_topic) as is_on_topic, max(reason) as label_reason,
    max(trained) as is_trained, max(listed) as is_listed
from mark group by all
