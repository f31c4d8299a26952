/*
what:   How runs compare with the gold: items and blocks of both
*/
create or replace temp table partition_tally as
with

gold as (
    select distinct item_no from base.partition_gold where condition_no = $condition
),

answer as (
    select run_no, count(*) as n_answer, count(gold.item_no) as n_both
    from (select distinct run_no, item_no from partition_numbered where cluster_no is not null)
    left join gold using (item_no)
    group by run_no
),

-- blocks of the gold without an answer, and of the answer without gold
block as (
    select
        run_no,
        list(block_id order by block_no) filter (where not is_answered) as lonely,
        count(*) as n_gold_block
    from (
        select
            run_no, block_no, block_id,
            (run_no, block_no) in (select (run_no, block_no) from partition_numbered) as is_answered
        from new_run
        cross join base.block
        where block.condition_no = $condition
    )
    group by run_no
),

extra_block as (
    select run_no, list(block_id order by block_no) as extra
    from base.partition_extra_block
    semi join new_run using (run_no)
    group by run_no
)

select
    run_no, shown, lonely, extra,
    n_gold, coalesce(n_answer, 0) as n_answer, coalesce(n_both, 0) as n_both,
    coalesce(n_gold > 0 and answer.n_answer > 0 and answer.n_both = 0, false) as is_disjoint,
    extra is not null and len(coalesce(lonely, [])) = coalesce(n_gold_block, 0)
        and (not $has_blocks or lonely = ['all']) as has_other_blocks
from new_run
cross join (select count(*) as n_gold from gold)
left join answer using (run_no)
left join block using (run_no)
left join extra_block using (run_no)
