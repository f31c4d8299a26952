/*
title:       Drift between two stores or archives
question:    Which numbers differ from those of another store, and is the cause the definition, the data or the run?
about:       trust
inputs:      report.score, report.stale, ledger.current_computation, other.report.score, other.report.stale,
             other.ledger.current_computation
parameters:
    other      store      needed  the other store (a file), or an archive that `archive pack` wrote
    condition  condition  none    one condition; none: all
    run        run        none    one run; none: all
    metric     metric     none    one number; none: all
    subset     subset     none    one subset; none: all of them
grain:       condition_id, profile_id, run_id, subset, metric, weighting
columns:
    condition_id  key     evaluation condition
    profile_id    key     scoring profile
    run_id        key     run
    subset        key     all, or what the number is conditioned on
    metric        key     metric id
    weighting     key     topic, topic_all, story or none
    value         double  the number here; NULL where it is undefined, or not here
    other_value   double  the number there; NULL where it is undefined, or not there
    difference    double  value - other_value
    n             count   topics or trials behind the number here; NULL where it is not here
    other_n       count   topics or trials of the number in the other store; NULL if missing
    reason        text    only here, only there, not up to date here or there, or what has changed: definition,
                          judgments, run; computation where none of these has
order:       Names. Numbers that agree in value and n are left out.
see also:    definitions_of_metric, files_of_run
*/
with

own as (
    select score.*, run_sha256, condition_sha256, definition_sha256
    from report.score
    join ledger.current_computation using (run_id, condition_id, profile_id)
),

theirs as (
    select score.*, run_sha256, condition_sha256, definition_sha256
    from other.report.score
    join other.ledger.current_computation using (run_id, condition_id, profile_id)
)

select
    condition_id, profile_id, run_id, subset, metric, weighting,
    own.value,
    theirs.value as other_value,
    own.value - theirs.value as difference,
    own.n,
    theirs.n as other_n,
    case
        when outdated.run_id is not null then 'not up to date here'
        when outdated_there.run_id is not null then 'not up to date there'
        when theirs.n is null then 'only here'
        when own.n is null then 'only there'
        else coalesce(nullif(concat_ws(
            ', ',
            case when own.definition_sha256 <> theirs.definition_sha256 then 'definition' end,
            case when own.condition_sha256 <> theirs.condition_sha256 then 'judgments' end,
            case when own.run_sha256 <> theirs.run_sha256 then 'run' end
        ), ''), 'computation')
    end as reason
from own
full join theirs using (condition_id, profile_id, run_id, subset, metric, weighting)
left join report.stale as outdated using (condition_id, profile_id, run_id)
left join other.report.stale as outdated_there using (condition_id, profile_id, run_id)
where (own.value is distinct from theirs.value or own.n is distinct from theirs.n)
    and condition_id = coalesce($condition, condition_id)
    and run_id = coalesce($run, run_id)
    and metric = coalesce($metric, metric)
    and subset = coalesce($subset, subset)
order by condition_id, profile_id, run_id, subset, metric, weighting
