/*
title:    A story is judged once for a topic in each judgment set
severity: error
inputs:   base.judgment
checked:  after every load
*/
select corpus_no, judgment_set, topic_no, story_no, count(*) as n_row
from base.judgment
group by all
having count(*) > 1
