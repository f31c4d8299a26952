/*
title:    Probability that some, and that all, of k samples pass
formula:  pass_at = 1 - C(n - c, k) / C(n, k), pass_hat = C(c, k) / C(n, k), each as a product of k ratios
source:   M. Chen et al., Evaluating Large Language Models Trained on Code (arXiv 2107.03374), equation 1;
          S. Yao et al., tau-bench (arXiv 2406.12045), section 4 (pass^k)
inputs:   registry.run, registry.condition, base.item_k, base.item_score
fills:    base.item_pass
owner:    condition_no
after:    a run of the condition is loaded or dropped
class:    exact
*/
with recursive

size as (
    select distinct condition_no, cast(n as integer) as n_sample
    from (
        select run_no, measure_no, block_no,
            unnest(range(1, count(given_score) + 1)) as n
        from base.item_score
        where run_no in (
            select run_no from registry.run join registry.condition using (condition_no)
            where condition_no in (select condition_no from base.item_k)
        )
        group by run_no, measure_no, block_no
    )
    join registry.run using (run_no)
),

drawn as (
    select condition_no, n_sample, cast(n_pass as integer) as n_pass, 0 as k, 1e0 as none_passes, 1e0 as all_pass
    from (select condition_no, n_sample, unnest(range(n_sample + 1)) as n_pass from size)
    union all
    select
        condition_no, n_sample, n_pass, k + 1 as k,
        none_passes * greatest(n_sample - n_pass - k, 0) / (n_sample - k) as none_passes,
        all_pass * greatest(n_pass - k, 0) / (n_sample - k) as all_pass
    from drawn
    where k < n_sample and k < (select max(k) from base.item_k)
)

select condition_no, k, n_sample, n_pass, 1e0 - none_passes as pass_at, all_pass as pass_hat
from drawn
join base.item_k using (condition_no, k)
