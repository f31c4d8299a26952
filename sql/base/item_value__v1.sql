/*
title:    What a run has on an item: the mean of its samples
formula:  x_i = mean of the scored samples of the item
source:   E. Miller, Adding Error Bars to Evals (arXiv 2411.00640), section 3 (samples are averaged before items)
inputs:   base.item_sample__v1, base.item_score
grain:    run_no, measure_no, block_no
columns:
    run_no      key    run
    measure_no  key    measure
    block_no    key    item
    value       score  mean; NULL where no sample is scored
    n_sample    count  scored samples
    n_unscored  count  samples without a score
    n_error     count  samples that the file calls failed
edges:    Items have the same weight, whatever their number of samples.
class:    exact
*/
with repeated as (select distinct run_no from base.item_score where epoch <> 1),

sample as (select * from base.item_sample__v1 where run_no in (select run_no from repeated)),

unit as (select run_no, measure_no, power_of_two(max(abs(score))) as unit from sample group by run_no, measure_no)

-- most runs have one sample of an item
select
    run_no, measure_no, block_no, score as value, case when score is null then 0 else 1 end as n_sample,
    case when score is null then 1 else 0 end as n_unscored, is_error as n_error
from base.item_sample__v1 where run_no not in (select run_no from repeated)
union all
select
    run_no, measure_no, block_no, scaled_mean(score, unit) as value, count(score) as n_sample,
    count(*) - count(score) as n_unscored, whole_sum(is_error) as n_error
from sample join unit using (run_no, measure_no)
group by run_no, measure_no, block_no
