/*
title:    Stories
source:   Our own, section 1
inputs:   base.story
grain:    story_no
columns:
    story_no  key    the story
    weight    count  its weight
class:    exact
*/
select
    story.story_no as story_no,
    story.weight as weight
from base.story as story
where story.language = 'English'
