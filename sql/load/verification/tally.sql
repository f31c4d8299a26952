/*
what: How the scores of runs pair with the trials of the key: all (complete), trials of the key lack a score and may
      (lacking), no score (disjoint), or otherwise (odd).
*/
create or replace temp table run_tally as
select
    run_no, n_score, n_known,
    case
        when n_score = n_known and n_known = n_trial and n_trial = $n_trial then 'complete'
        when n_score = n_known and n_known = n_trial and n_trial > 0 and $missing_scores = 'reject' then 'lacking'
        -- of rows with errors nothing is known
        when n_score > 0 and n_known = 0 and $is_sound then 'disjoint'
        else 'odd'
    end as kind
from (
    select
        run_no, count(scored.run_no) as n_score, count(trial_no) as n_known,
        coalesce(bit_count(bitstring_agg(trial_no, 1, $n_trial)), 0) as n_trial
    from new_run
    left join scored using (run_no)
    group by run_no
)
