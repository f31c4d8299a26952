/*
what: The decisions of the runs of files with their numbers, those apart on what the condition does not have.
*/
create or replace temp view run_decision as
select run_no, decided.*
from decided
join new_run on new_run.run_id is not distinct from decided.run_id
