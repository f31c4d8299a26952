/*
title:    Conditions belong to a corpus
severity: error
inputs:   registry.condition, registry.corpus
checked:  after every load
*/
select *
from registry.condition
anti join registry.corpus using (corpus_no)
limit 1000
