/*
title:  Stored results of computations that are not the newest of their run and profile
*/
with

kept as (
    select distinct 'result_score' as name, computation_no from ledger.result_score
    union all
    select distinct 'result_block', computation_no from ledger.result_block
    union all
    select distinct 'result_label', computation_no from ledger.result_label
    union all
    select distinct 'result_det_point', computation_no from ledger.result_det_point
    union all
    select distinct 'result_pairing', computation_no from ledger.result_pairing
)

select
    format('ledger.{}: rows of computation {}, whose scores are no longer stored.', name, computation_no) as message
from kept
where computation_no not in (select max(computation_no) from ledger.computation group by run_no, profile_no)
order by name, computation_no
