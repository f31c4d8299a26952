/*
title:    Judgments are about stories of the corpus
severity: error
inputs:   base.judgment, base.story
checked:  after every load
*/
select *
from base.judgment
anti join base.story using (corpus_no, story_no)
limit 1000
