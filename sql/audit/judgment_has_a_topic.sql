/*
title:    Judgments are about topics of the corpus
severity: error
inputs:   base.judgment, base.topic
checked:  after every load
*/
select *
from base.judgment
anti join base.topic using (corpus_no, topic_no)
limit 1000
