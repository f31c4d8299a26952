/*
title:  What the example of a task package has: the names of its first number by topic, the runs of its first condition,
        how many scores are numbers, and files that can be damaged
*/
with

first_condition as (
    select condition_no, condition_id
    from registry.condition semi join registry.run using (condition_no)
    order by condition_no
    limit 1
)

select
    first_condition.condition_id,
    (select list(run_id order by run_id) from registry.run semi join first_condition using (condition_no)) as runs,
    (select count(value) from report.score) as n_number,
    (
        select list(distinct path order by path)
        from registry.input_file
        where not starts_with(owner, 'corpus:')
    ) as files,
    block.condition_id as "condition", block.profile_id as profile, block.block_id as topic
from first_condition
left join (
    from report.block_score
    order by condition_id, profile_id, block_id, subset, run_id
    limit 1
) as block on true
