/*
title:    What is known of stories is what judgments, training and test sets say
severity: error
inputs:   base.labelled_story, derived.labelled_story
*/
with

stored as (
    select condition_no, block_no, story_no, segment_no, is_implied, label, is_training
    from base.labelled_story
),

made as (
    select condition_no, block_no, story_no, segment_no, is_implied, label, is_training
    from derived.labelled_story
)

(from stored except all from made)
union all
(from made except all from stored)
