/*
title:    Probability that items are passed in k samples
formula:  mean over the items with k samples or more
source:   M. Chen et al., Evaluating Large Language Models Trained on Code (arXiv 2107.03374), equation 1;
          S. Yao et al., tau-bench (arXiv 2406.12045), section 4
inputs:   metric.items_pass_block__v1, metric.items_mean__v1, base.subset_cell, base.item_k, registry.run
grain:    run_no, profile_no, subset_no, weighting, measure, k
columns:
    run_no      key           run
    profile_no  key           scoring profile
    subset_no   key           subset; 0 is all
    weighting   key           topic
    measure     key           measure
    k           key           samples drawn
    pass_at     ratio [0, 1]  at least one of them passes; NULL without an item of k samples
    pass_hat    ratio [0, 1]  all of them pass; NULL without an item of k samples
    n_item      count         items with k samples or more
metrics:
    pass_at as {measure}.pass_at_{k}    n=n_item  best=highest  pass@k
    pass_hat as {measure}.pass_hat_{k}  n=n_item  best=highest  pass^k
class:    exact
*/
with member as (
    select run_no, profile_no, 0 as subset_no, measure, k, pass_at, pass_hat from metric.items_pass_block__v1
    union all
    select run_no, profile_no, cell.subset_no, measure, k, pass_at, pass_hat
    from metric.items_pass_block__v1 join registry.run using (run_no)
    join base.subset_cell as cell using (condition_no, block_no)
),

drawn as (
    select
        run_no, profile_no, subset_no, measure, k, exact_mean(pass_at) as pass_at, exact_mean(pass_hat) as pass_hat,
        count(*) as n_item
    from member group by run_no, profile_no, subset_no, measure, k
)

select
    run_no, profile_no, subset_no, mean.weighting, measure, k, pass_at, pass_hat, coalesce(n_item, 0) as n_item
from metric.items_mean__v1 as mean join registry.run using (run_no) join base.item_k using (condition_no)
left join drawn using (run_no, profile_no, subset_no, measure, k)
where mean.weighting = 'topic'
