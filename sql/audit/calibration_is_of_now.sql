/*
title:    The source runs of a calibrated run are unchanged
severity: warning
inputs:   registry.condition, registry.run, registry.run_fact
checked:  after every load
*/
with

now as (
    select condition_id || '/' || run_id as made_of, run.content_sha256
    from registry.run
    join registry.condition using (condition_no)
),

source as (
    select named.run_no, named.name, named.value as made_of, hashed.value as content_sha256
    from registry.run_fact as named
    join registry.run_fact as hashed on hashed.run_no = named.run_no and hashed.name = named.name || '_sha256'
    where named.name in ('calibration.fitted_on', 'calibration.scores_of')
)

select run_id, condition_id, source.name as source_name, made_of
from source
join registry.run using (run_no)
join registry.condition using (condition_no)
anti join now on now.made_of = source.made_of and now.content_sha256 = source.content_sha256
where format = 'calibrated'
order by all
