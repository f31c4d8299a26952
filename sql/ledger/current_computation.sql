/*
title:    Computations whose inputs, profile and definitions are those of now
source:   ledger.computation
inputs:   ledger.computation, ledger.profile_text, registry.run, registry.condition, registry.current_input, registry.task_definition
grain:    run_no, profile_no
columns:
    computation_no  count  the computation
    run_no          key    run
    profile_no      key    scoring profile
edges:    Only the newest computation of a run and profile: its results replaced those of the earlier ones, so an
          earlier one is not current even when its inputs have come back.
class:    exact
see also: report.stale
*/
with

newest as (
    select
        run_no, profile_no,
        max(computation_no) as computation_no
    from ledger.computation
    group by run_no, profile_no
)

select
    computation_no, computation.run_no, computation.profile_no
from ledger.computation
join newest using (computation_no)
join registry.current_input as input
    on input.run_no = computation.run_no
    and input.sha256 = computation.input_sha256
join ledger.profile_text as profile
    on profile.profile_no = computation.profile_no
    and profile.profile_text = computation.profile_text
join registry.run
    on run.run_no = computation.run_no
join registry.condition using (condition_no)
join registry.task_definition as definition
    on definition.task = condition.task
    and definition.sha256 = computation.definition_sha256
