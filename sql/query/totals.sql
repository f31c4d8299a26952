/*
title:       What there is
question:    How many runs, conditions, topics and numbers does the store have?
about:       trust
inputs:      report.score, registry.run, registry.condition, registry.condition_profile, base.block, registry.problem
parameters:
    condition  condition  none  one condition; none: all
grain:       what
columns:
    what     key    what is counted
    n        count  how many
    item_no  count  number in this order
order:       Runs first.
show:        table layout=cards hide=item_no
pages:       report 5 overview 5
see also:    report.condition
*/
with

chosen as (
    select condition_no, condition_id from registry.condition where condition_id = coalesce($condition, condition_id)
),

counted as (
    select 1 as item_no, 'runs evaluated' as what, count(*) as n
    from registry.run
    join chosen using (condition_no)
    union all
    select 2, 'conditions', count(*) from chosen
    union all
    select 3, 'scoring profiles', count(distinct profile_no)
    from registry.condition_profile
    join chosen using (condition_no)
    union all
    select 4, 'topics or blocks in the largest condition', coalesce(max(n_block), 0)
    from (
        select count(*) as n_block
        from base.block
        join chosen using (condition_no)
        group by condition_no
    )
    union all
    select 5, 'numbers, each with its SQL', count(*) from report.score join chosen using (condition_id)
    union all
    select 6, 'warnings while loading', count(*) from registry.problem
)

select what, n, item_no
from counted
order by item_no, what
