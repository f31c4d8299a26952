/*
what:   How a run compares with the gold: items and blocks of both
*/
with

gold as (
    select distinct item_no from base.partition_gold where condition_no = $condition
),

answer as (
    select distinct item_no from partition_numbered where cluster_no is not null
),

-- blocks of the gold without an answer, and of the answer without gold
block as (
    select
        list(block_id order by block_no) filter (where not is_answered) as lonely,
        count(*) as n_gold_block
    from (
        select block_no, block_id, block_no in (select block_no from partition_numbered) as is_answered
        from base.block
        where condition_no = $condition
    )
),

extra_block as (
    select list(block_id order by block_no) as extra
    from base.partition_extra_block
    where run_no = $run
),

counted as (
    select
        (select count(*) from gold) as n_gold,
        (select count(*) from answer) as n_answer,
        (select count(*) from gold semi join answer using (item_no)) as n_both
)

select
    *,
    n_gold > 0 and n_answer > 0 and n_both = 0 as is_disjoint,
    extra is not null and len(coalesce(lonely, [])) = n_gold_block and (not $has_blocks or lonely = ['all'])
        as has_other_blocks
from counted
cross join block
cross join extra_block
