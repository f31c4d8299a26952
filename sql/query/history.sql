/*
title:       History of a number
question:    Which values of a metric were published, for one run or for all in the order in which they were loaded,
             when, and why did they change?
about:       trust
inputs:      ledger.past_score, ledger.current_computation, ledger.result_score, ledger.computation_made, ledger.entry,
             ledger.computation, registry.run, registry.condition, registry.corpus, registry.profile
parameters:
    metric     metric     needed  the metric
    run        run        none    one run, of the store or dropped; none: all, one after the other
    condition  condition  none    one condition; none: all that have the run
    profile    profile    none    one scoring profile; none: all
    weighting  weighting  none    one weighting; none: all
grain:       condition, profile, weighting, computed_at, computation
columns:
    condition    key    name of the condition
    run          text   name of the run
    profile      key    scoring profile
    weighting    key    topic, story, group, weight or none
    computed_at  key    when the number was computed, UTC
    value        mixed  NULL where the metric is undefined
    difference   mixed  to the value before, of whatever run; NULL for the first, and where one of both is NULL
    cause        text   first; another run, loaded data, profile, definitions: what differs from before; recomputed:
                        none of these
    changed      text   what was loaded or changed since the value before, as the ledger names it; NULL for nothing
    state        text   current, past (replaced, or of a dropped run) or stale
    computation  key    number of the computation
order:       Oldest first.
edges:       Numbers of subset all. The history of a renamed run has its earlier numbers; a copy without names and an
             archive have none.
show:        table
see also:    ledger_entries, stale_runs
*/
with

kept as (
    select
        computation_no, condition_id, run_id, profile_id, metric, weighting, value,
        case when newest.computation_no is null then 'stale' else 'current' end as state
    from ledger.result_score as score
    join ledger.computation using (computation_no)
    join registry.run using (run_no)
    join registry.condition using (condition_no)
    join registry.profile using (profile_no)
    left join (select computation_no from ledger.current_computation) as newest using (computation_no)
    where subset_no = 0
    union all
    select computation_no, condition_id, run_id, profile_id, metric, weighting, value, 'past'
    from ledger.past_score
),

corpus as (
    select condition_id, 'corpus:' || corpus_id as of_condition
    from registry.condition
    join registry.corpus using (corpus_no)
),

chosen as (
    select
        kept.*, of_condition, made.entry_no, made.made_at, made.owner, input_sha256, profile_sha256, definition_sha256
    from kept
    join ledger.computation_made as made using (computation_no)
    left join corpus using (condition_id)
    where run_id = coalesce($run, run_id)
        and metric = $metric
        and condition_id = coalesce($condition, condition_id)
        and kept.profile_id = coalesce($profile, kept.profile_id)
        and weighting = coalesce($weighting, weighting)
),

compared as (
    select
        *,
        lag(computation_no) over numbers as before_no,
        lag(run_id) over numbers as before_run,
        lag(entry_no) over numbers as before_entry_no,
        lag(value) over numbers as before_value,
        lag(input_sha256) over numbers as before_input,
        lag(profile_sha256) over numbers as before_profile,
        lag(definition_sha256) over numbers as before_definition
    from chosen
    window numbers as (partition by condition_id, profile_id, weighting order by computation_no)
)

select
    condition_id as condition, run_id as run, profile_id as profile, weighting, made_at as computed_at,
    value, value - before_value as difference,
    case
        when before_no is null then 'first'
        when run_id <> before_run then 'another run'
        when input_sha256 <> before_input then 'loaded data'
        when profile_sha256 <> before_profile then 'profile'
        when definition_sha256 <> before_definition then 'definitions'
        else 'recomputed'
    end as cause,
    (
        select string_agg(distinct between_them.subject, ', ' order by between_them.subject)
        from ledger.entry as between_them
        where between_them.entry_no between compared.before_entry_no + 1 and compared.entry_no - 1
            and between_them.kind in ('load', 'drop', 'rename', 'define', 'content')
            and (
                between_them.subject in (compared.owner, 'condition:' || compared.condition_id, 'profiles', 'store')
                or between_them.subject = compared.of_condition
                or compared.of_condition is null and between_them.subject like 'corpus:%'
                or between_them.subject like 'package:%'
                or between_them.subject like 'own:%'
            )
    ) as changed,
    state, computation_no as computation
from compared
order by condition, profile, weighting, computed_at, computation
