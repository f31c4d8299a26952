/*
what:   Documents of a run that the corpus does not have; numbered by name, so that the same rows have the same numbers.
*/
insert into base.unlisted_document (run_no, trial_no, document_id)
select $run, -row_number() over (order by document), document
from (
    select distinct document from decided
    where document is not null and unknown is null and run_id is not distinct from $run_id)
order by document
