/*
title:    Computations whose inputs, profile and definitions are those of now, with the names of run, condition and
          profile
source:   ledger.computation
inputs:   ledger.computation, ledger.profile_text, registry.run, registry.condition, registry.corpus, registry.profile,
          registry.current_input, registry.task_definition
grain:    run_no, profile_no
columns:
    run_no             key    run
    profile_no         key    scoring profile
    computation_no     count  the computation
    condition_no       count  condition of the run
    run_id             text   name of the run
    task               text   task of its condition
    condition_id       text   name of the condition
    profile_id         text   name of the profile
    run_sha256         text   hash of the run's name and rows
    condition_sha256   text   hash of the rows of the condition and of its corpus: judgments in a signature
    definition_sha256  text   hash of all published views of the task and of the profile's values: sql in a signature
    tdtsql_version     text   program that computed it
    duckdb_version     text   engine that computed it
edges:    Only the newest computation of a run and profile: its results replaced those of the earlier ones, so an
          earlier one is not current even when its inputs have come back.
          Reports of stored results read this; report.stale has the other runs.
class:    exact
see also: report.stale
*/
with

-- the window also keeps this apart from the joins of a report, which an engine plans in half the time then
computed as (
    select
        run_no, profile_no, computation_no, condition_no, run_id, task, condition_id, profile_id,
        run.content_sha256 as run_sha256,
        sha256(corpus.content_sha256 || condition.content_sha256) as condition_sha256,
        sha256(definition_sha256 || computation.profile_text) as signed_sha256,
        tdtsql_version, duckdb_version,
        case
            when input_sha256 = current_input.sha256
                and definition_sha256 = task_definition.sha256
                and computation.profile_text = profile_now.profile_text
                then 1
            else 0
        end as is_current,
        row_number() over (partition by run_no, profile_no order by computation_no desc) as place
    from ledger.computation
    join registry.run using (run_no)
    join registry.condition using (condition_no)
    join registry.corpus using (corpus_no)
    join registry.profile using (profile_no)
    join registry.current_input using (run_no)
    join registry.task_definition using (task)
    join ledger.profile_text as profile_now using (profile_no)
)

select
    run_no, profile_no, computation_no, condition_no, run_id, task, condition_id, profile_id, run_sha256,
    condition_sha256, signed_sha256 as definition_sha256, tdtsql_version, duckdb_version
from computed
where place = 1
    and is_current = 1
