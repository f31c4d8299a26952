/*
what:   document and sentence must both be NULL (a prior) or both be given
advice: Fill in the missing one.
*/
select file, line, coalesce(document_id, 'NULL') || ' ' || coalesce(sentence_id, 'NULL') as value
from read_values
where event_id is not null and (document_id is null) <> (sentence_id is null)
