/*
title:    Pairs of items: precision and recall, Rand index, adjusted Rand index, Fowlkes and Mallows
formula:  over the ordered pairs of a block: I in one cluster on both sides, A of the gold, B of the run, T all:
          pair_precision = I / B; pair_recall = I / A; rand = (T + 2 I - A - B) / T;
          ari = (2 I T - 2 A B) / ((A + B) T - 2 A B); fowlkes_mallows = I / sqrt(A B)
source:   W. Rand, Objective criteria for the evaluation of clustering methods (1971); L. Hubert, P. Arabie, Comparing
          partitions (1985), equation 5; E. Fowlkes, C. Mallows, A method for comparing two hierarchical clusterings
          (1983)
inputs:   metric.partition_total__v1, metric.partition_repeated_pair__v1, registry.profile
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no           key            run
    profile_no       key            scoring profile
    subset_no        key            subset; 0 is all
    block_no         key            block; 0: all together
    n_item           count          items of either side
    pair_precision   ratio [0, 1]   pairs of the run that the gold has
    pair_recall      ratio [0, 1]   pairs of the gold that the run has
    pair_f1          ratio [0, 1]   harmonic mean of the two
    rand             ratio [0, 1]   pairs on which both agree
    ari              ratio [-0.5, 1]  the same, adjusted for chance
    fowlkes_mallows  ratio [0, 1]   geometric mean of pair precision and recall
    null_reason      text           several clusters; different items: rand, ari and fowlkes_mallows are NULL because
                                  of it
edges:    0/0 is NULL. degenerate = reference_program: pairs 0, as the coreference scorers print; ari and rand 1, as
          scikit-learn.
          Items in several clusters: a pair counts once; the other three are NULL.
          Of several blocks together ari and fowlkes_mallows are NULL: they do not add up.
class:    exact
see also: pair_block__v1, pair_score__v1
*/
-- of each block, and of the whole
with excess as (
    select
        run_no, profile_no, subset_no, case when is_whole = 1 then 0 else block_no end as block_no,
        whole_sum(n_gold_link) as n_gold_excess, whole_sum(n_system_link) as n_system_excess,
        whole_sum(n_shared_link) as n_shared_excess
    from metric.partition_repeated_pair__v1
    cross join (select 0 as is_whole union all select 1 as is_whole) as reach
    group by all
),

link as (
    select
        total.*, degenerate, n_gold_link - coalesce(n_gold_excess, 0) as a,
        n_system_link - coalesce(n_system_excess, 0) as b, n_shared_link - coalesce(n_shared_excess, 0) as i,
        n_possible_link as t, n_gold_item = n_system_item and n_gold_item = n_shared_item as is_same,
        is_same and n_repeat = 0 as is_comparable, is_comparable and n_block = 1 as is_alone,
        case when is_comparable and n_item > 0 then degenerate end as comparable_word,
        case when is_alone and n_item > 0 then degenerate end as alone_word,
        reference_value(ratio(i, b), degenerate, 0e0) as pair_precision,
        reference_value(ratio(i, a), degenerate, 0e0) as pair_recall,
        cast(2 * i as decimal(38, 0)) * cast(t as decimal(38, 0)) as i_t,
        cast(a + b as decimal(38, 0)) * cast(t as decimal(38, 0)) as ab_t,
        cast(2 * a as decimal(38, 0)) * cast(b as decimal(38, 0)) as a_b,
        case when is_alone and ab_t > a_b then cast(i_t - a_b as double) / cast(ab_t - a_b as double) end as adjusted,
        case when is_alone and a > 0 and b > 0 then cast(i as double) / sqrt(cast(a as double) * b) end as geometric
    from metric.partition_total__v1 as total join registry.profile using (profile_no)
    left join excess using (run_no, profile_no, subset_no, block_no)
)

select
    run_no, profile_no, subset_no, block_no, n_item, pair_precision, pair_recall,
    harmonic_mean(pair_precision, pair_recall) as pair_f1,
    reference_value(case when is_comparable then ratio(t + 2 * i - a - b, t) end, comparable_word, 1e0) as rand,
    reference_value(adjusted, alone_word, 1e0) as ari, reference_value(geometric, alone_word, 0e0) as fowlkes_mallows,
    case when n_repeat > 0 then 'several clusters' when not is_same then 'different items' end as null_reason
from link
