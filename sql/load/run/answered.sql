/*
title:    Whether runs answer other topics, stories, items or trials than each other
*/
with answer as (
    select run_no, block_no, trial_no from base.decision where list_contains($runs, run_no)
    union all
    select run_no, block_no, 0 from base.item_score where list_contains($runs, run_no)
    union all
    select run_no, 0, item_no from base.partition_answer where list_contains($runs, run_no)
)

select count(distinct (block_no, trial_no)) > min(n) as is_other
from answer
join (select run_no, count(distinct (block_no, trial_no)) as n from answer group by run_no) using (run_no)
