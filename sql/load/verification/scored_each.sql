/*
what: The same, where each listing of a trial in the key is a trial: scores list it as often as the key does, in its
      order, or once, for all of its listings.
*/
create or replace temp view run_trial as
select run_no, trial_row.*
from trial_row
join new_run on new_run.run_id is not distinct from trial_row.run_id;

create or replace temp table scored as
with

trial as (
    select *, row_number() over listed as listing, count(*) over (partition by trial_id, test_id, side) as n_listing
    from base.verification_trial
    where condition_no = $condition
    window listed as (partition by trial_id, test_id, side order by trial_no)
),

said as (
    select *, row_number() over listed as listing,
        count(*) over (partition by run_no, trial_id, test_id, side) as n_score
    from run_trial
    window listed as (partition by run_no, trial_id, test_id, side order by file, line)
)

select run_no, said.file, said.line, trial.trial_no, trial.segment_no, said.is_yes, said.is_target, said.score,
    concat_ws(' ', said.trial_id, said.test_id, said.side) as name,
    if(known.trial_id is null, name, null) as unknown, said.listing, n_score, n_listing
from said
left join (select distinct trial_id, test_id, side from trial) as known
    on known.trial_id = said.trial_id and known.test_id is not distinct from said.test_id
        and known.side is not distinct from said.side
left join trial
    on trial.trial_id = said.trial_id and trial.test_id is not distinct from said.test_id
        and trial.side is not distinct from said.side
        and (trial.listing = said.listing
            or said.listing = 1 and (n_score = 1 or $repeated_scores = 'first' and n_score <> n_listing))
