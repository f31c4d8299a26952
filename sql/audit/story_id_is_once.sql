/*
title:    Story ids are unique in a corpus
severity: error
inputs:   base.story
*/
select corpus_no, story_id, count(*) as n_row
from base.story
group by all
having count(*) > 1
