/*
title:    Mutual information that clusters of the same sizes, filled at random, have on average
formula:  E[MI] = sum over pairs of sizes (a, b) of n_pair sum_n P(n) n / N ln(N n / (a b)), P(n) hypergeometric:
          P(n) / P(n - 1) = (a - n + 1) (b - n + 1) / (n (N - a - b + n)), made to add to 1
source:   N. Vinh, J. Epps, J. Bailey, Information Theoretic Measures for Clusterings Comparison (2010), equation 24a
inputs:   metric.partition_size_pair__v1, metric.partition_expected_work__v1, base.partition_number__v1
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no       key              run
    profile_no   key              scoring profile
    subset_no    key              subset; 0 is all
    block_no     key              block
    expected_mi  nats [-0.001, ]  expected mutual information
edges:    No factorial and no gamma function: logarithms of ratios of neighbours are added as whole numbers, the
          largest is
          taken from all, and the exponentials are divided by their sum.
          No row if expected_work__v1 says that it is not computed.
class:    libm
see also: expected_work__v1, information_value__v1
*/
with made as (
    select *, high - low + 1 as n_step
    from metric.partition_size_pair__v1 join metric.partition_expected_work__v1 using (run_no, profile_no, subset_no)
    where is_made = 1
),

longest as (select run_no, max(n_step) as most_step from made group by all),

ratio_before as (
    select
        made.*, low + number - 1 as n_overlap,
        case
            when n_overlap > low
                then ln(
                    cast((gold_size - n_overlap + 1) * (system_size - n_overlap + 1) as double)
                    / cast(n_overlap * (n_item - gold_size - system_size + n_overlap) as double)
                )
            else 0e0
        end as log_ratio
    from made join longest using (run_no)
    join base.partition_number__v1 using (run_no)
    where number <= most_step and number <= n_step
),

chance as (
    select
        *,
        sum(whole_units(log_ratio)) over (
            partition by run_no, profile_no, subset_no, block_no, gold_size, system_size
            order by n_overlap rows between unbounded preceding and current row
        ) as log_chance
    from ratio_before
),

weighed as (
    select
        *,
        max(log_chance) over (partition by run_no, profile_no, subset_no, block_no, gold_size, system_size) as most,
        exp(cast(log_chance - most as double) / 1e15) as weight,
        case
            when n_overlap > 0
                then cast(n_overlap as double) / n_item
                * ln(cast(n_item * n_overlap as double) / cast(gold_size * system_size as double))
            else 0e0
        end as information
    from chance
),

mean as (
    select
        run_no, profile_no, subset_no, block_no, gold_size, system_size, n_pair,
        exact_sum_wide(weight * information, 1e18) as sum_information, exact_sum(weight, 1e18) as sum_weight
    from weighed group by all
)

select
    run_no, profile_no, subset_no, block_no,
    exact_sum(case when sum_weight > 0 then n_pair * (sum_information / sum_weight) end, 1e17) as expected_mi
from mean group by all
