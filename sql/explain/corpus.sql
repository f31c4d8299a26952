/*
title:    The corpus of a condition
*/
select corpus_id
from registry.corpus
join registry.condition using (corpus_no)
where condition_no = $condition_no
