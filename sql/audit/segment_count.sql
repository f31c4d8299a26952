/*
title:    A segment counts its stories
severity: error
inputs:   base.segment, base.segment_story
checked:  after every load
*/
select condition_no, segment_no, n_trial, count(*) as n_story
from base.segment
join base.segment_story using (condition_no, segment_no)
group by all
having n_trial <> n_story
