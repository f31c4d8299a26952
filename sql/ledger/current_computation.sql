/*
title:    Computations whose inputs, profile and definitions are those of now
source:   ledger.computation
inputs:   ledger.computation, ledger.profile_text, registry.run, registry.condition, registry.current_input, registry.task_definition
grain:    run_no, profile_no
columns:
    computation_no  count  the computation
    run_no          key    run
    profile_no      key    scoring profile
edges:    Of several equal computations the newest.
class:    exact
see also: report.stale
*/
select
    max(computation.computation_no) as computation_no,
    computation.run_no as run_no,
    computation.profile_no as profile_no
from ledger.computation as computation
inner join registry.current_input as input
    on input.run_no = computation.run_no
    and input.sha256 = computation.input_sha256
inner join ledger.profile_text as profile
    on profile.profile_no = computation.profile_no
    and profile.profile_text = computation.profile_text
inner join registry.run as run
    on run.run_no = computation.run_no
inner join registry.condition as condition
    on condition.condition_no = run.condition_no
inner join registry.task_definition as definition
    on definition.task = condition.task
    and definition.sha256 = computation.definition_sha256
group by computation.run_no, computation.profile_no
