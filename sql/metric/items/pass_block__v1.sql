/*
title:    Probability that an item is passed in k samples
formula:  pass_at = 1 - C(K_i - c_i, k) / C(K_i, k), pass_hat = C(c_i, k) / C(K_i, k), of K_i scored samples,
          of which c_i pass
source:   M. Chen et al., Evaluating Large Language Models Trained on Code (arXiv 2107.03374), equation 1;
          S. Yao et al., tau-bench (arXiv 2406.12045), section 4
inputs:   base.item_sample__v1, base.item_pass, base.item_measure, registry.run, registry.condition_profile,
          registry.profile
grain:    run_no, profile_no, subset_no, block_no, measure, k
columns:
    run_no      key           run
    profile_no  key           scoring profile
    subset_no   key           0: all; report.block_score has the item in each of its subsets
    block_no    key           item
    measure     key           measure
    k           key           samples drawn
    pass_at     ratio [0, 1]  at least one of them passes
    pass_hat    ratio [0, 1]  all of them pass
    n_sample    count         scored samples
metrics:
    pass_at as {measure}.pass_at_{k}    n=n_sample  best=highest  pass@k of an item
    pass_hat as {measure}.pass_hat_{k}  n=n_sample  best=highest  pass^k of an item
edges:    A sample passes from pass_threshold on, where lower is better up to it. Items with fewer than k samples are
          not here.
class:    exact
*/
with passed as (
    select
        run_no, profile_no, condition_no, block_no, measure, count(*) as n_sample,
        count(*) filter (
            where is_lower_better = 0 and score >= pass_threshold or is_lower_better = 1 and score <= pass_threshold
        ) as n_pass
    from base.item_sample__v1 join registry.run using (run_no) join registry.condition_profile using (condition_no)
    join registry.profile using (profile_no)
    join base.item_measure using (condition_no, measure_no)
    where score is not null
        and exists (select 1 from base.item_pass as asked where asked.condition_no = run.condition_no)
    group by all
)

select run_no, profile_no, 0 as subset_no, block_no, measure, k, pass_at, pass_hat, n_sample
from passed join base.item_pass using (condition_no, n_sample, n_pass)
