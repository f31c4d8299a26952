/*
title:    Rows of metric.detection_count__v1 from the numbers of topics; all its columns follow from these
edges:    A run of scores alone has no hits.
*/
select
    run_no, profile_no, subset_no, block_no,
    cast(max(value) filter (metric = 'n_target') as bigint) as n_target,
    cast(max(value) filter (metric = 'n_nontarget') as bigint) as n_nontarget,
    cast(max(value) filter (metric = 'n_hit') as bigint) as n_hit,
    cast(max(value) filter (metric = 'n_false_alarm') as bigint) as n_false_alarm,
    cast(max(value) filter (metric = 'n_miss') as bigint) as n_miss,
    cast(max(value) filter (metric = 'n_correct_rejection') as bigint) as n_correct_rejection,
    n_target + n_nontarget as n_trial,
    case when n_hit is null then 0 else n_target + n_nontarget end as n_decided,
    case when n_hit is null then 0 else 1 end as is_decided
from ledger.result_block
join ledger.computation using (computation_no)
where metric in ('n_target', 'n_nontarget', 'n_hit', 'n_false_alarm', 'n_miss', 'n_correct_rejection')
group by run_no, profile_no, subset_no, block_no
