/*
title:       Input files of a run
question:    On which files of run, condition and corpus does every score of a run depend?
about:       trust
inputs:      registry.run, registry.condition, registry.corpus, registry.input_file
parameters:
    run        run        needed  the run
    condition  condition  none    one condition; none: all that the run answers
grain:       condition_id, owner, path
columns:
    condition_id  key    evaluation condition
    owner         key    corpus:ID, condition:ID or run:CONDITION/ID
    path          key    the file, as given
    kind          text   the reader that read it
    n_byte        count  its size
    sha256        text   hash of its bytes
    n_problem     count  warnings accepted in it
order:       Conditions by name; run, condition, corpus; files by name.
pages:       run 100
see also:    accepted_warnings, definitions_of_metric
*/
with

owned as (
    select condition_id, 1 as place, 'run:' || condition_id || '/' || run_id as owner
    from registry.run
    join registry.condition using (condition_no)
    where run_id = $run
    union all
    select condition_id, 2 as place, 'condition:' || condition_id as owner
    from registry.run
    join registry.condition using (condition_no)
    where run_id = $run
    union all
    select condition_id, 3 as place, 'corpus:' || corpus_id as owner
    from registry.run
    join registry.condition using (condition_no)
    join registry.corpus using (corpus_no)
    where run_id = $run
)

select condition_id, owner, path, kind, n_byte, sha256, n_problem
from owned
join registry.input_file using (owner)
where condition_id = coalesce($condition, condition_id)
order by condition_id, place, owner, path, kind
