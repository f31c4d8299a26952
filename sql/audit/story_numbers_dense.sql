/*
title:    Stories are numbered from 1 without a gap
severity: error
inputs:   base.story
checked:  after every load
*/
select corpus_no, count(*) as n_story, min(story_no) as low, max(story_no) as high
from base.story
group by all
having low <> 1 or high <> n_story
