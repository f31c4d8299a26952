/*
title:    B-CUBED, purity, clusters found whole, events, MUC and LEA: of each block, and of all together
formula:  n overlaps, a and b sizes, N_g N_s items, R C clusters, S shared items, Z cells:
          b3 = sum n^2 / b / N_s and sum n^2 / a / N_g; b3_cluster = sum n^2 / b^2 / C and sum n^2 / a^2 / R;
          purity = sum_j max_i n / N_s; inverse_purity = sum_i max_j n / N_g; exact = whole clusters / C and / R;
          event_f1 = sum_i max_j 2 n / (a + b) / R; muc = (S - Z) / (N_s - C) and (S - Z) / (N_g - R);
          lea = (sum n (n - 1) / (b - 1) + whole clusters of one item) / N_s, and with a over N_g
source:   A. Bagga, B. Baldwin, Algorithms for Scoring Coreference Chains (1998); M. Vilain et al., A model-theoretic
          coreference scoring scheme (1995); N. Moosavi, M. Strube, Which Coreference Evaluation Metric Do You Trust?
          (2016); Y. Zhao, G. Karypis, Criterion Functions for Document Clustering (2001), section 6 (purity); J. Yang,
          J. Leskovec, Overlapping Community Detection at Scale (2013) (event_f1 of overlapping clusters)
inputs:   metric.partition_total__v1, registry.profile
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no                key           run
    profile_no            key           scoring profile
    subset_no             key           subset; 0 is all
    block_no              key           block; 0: all together
    n_item                count         items of either side
    n_gold_item           count         items in gold clusters
    n_system_item         count         items in clusters of the run
    n_shared_item         count         items in both
    n_gold_cluster        count         gold clusters
    n_system_cluster      count         clusters of the run
    n_cell                count         pairs of a gold cluster and a cluster of the run that share an item
    b3_precision          ratio [0, 1]  mean over the items of the run
    b3_recall             ratio [0, 1]  mean over the items of the gold
    b3_f1                 ratio [0, 1]  harmonic mean of the two
    b3_cluster_precision  ratio [0, 1]  mean over the clusters of the run
    b3_cluster_recall     ratio [0, 1]  mean over the gold clusters
    b3_cluster_f1         ratio [0, 1]  harmonic mean of the two
    purity                ratio [0, 1]  items of the run in the gold cluster that their cluster has most of
    inverse_purity        ratio [0, 1]  items of the gold in the cluster of the run that their cluster has most of
    purity_f1             ratio [0, 1]  harmonic mean of the two
    exact_precision       ratio [0, 1]  clusters of the run that are gold clusters
    exact_recall          ratio [0, 1]  gold clusters that are clusters of the run
    exact_f1              ratio [0, 1]  harmonic mean of the two
    event_f1              ratio [0, 1]  mean over the gold clusters of the F1 with the best cluster of the run
    muc_precision         ratio [0, 1]  links of the run that the gold needs
    muc_recall            ratio [0, 1]  links of the gold that the run has
    muc_f1                ratio [0, 1]  harmonic mean of the two
    lea_precision         ratio [0, 1]  weight of the resolved links of the run
    lea_recall            ratio [0, 1]  weight of the resolved links of the gold
    lea_f1                ratio [0, 1]  harmonic mean of the two
    null_reason           text          several clusters: an item is in several clusters of a side
edges:    0/0 is NULL: no item, no cluster, no link. degenerate = reference_program: 0, as the coreference scorers
          print.
          With items in several clusters purity counts memberships, exact and event_f1 are those of sets; all others are
          NULL.
class:    exact
see also: overlap_block__v1, overlap_score__v1
*/
with side as (
    select
        total.*, case when n_repeat = 0 then n_gold_item else 0 end as n_gold_plain,
        case when n_repeat = 0 then n_system_item else 0 end as n_system_plain,
        case when n_repeat = 0 then n_gold_cluster else 0 end as n_gold_whole,
        case when n_repeat = 0 then n_system_cluster else 0 end as n_system_whole,
        case when n_repeat = 0 then degenerate end as word,
        reference_value(mean_of_units(system_square_sum, n_system_plain), word, 0e0) as b3_precision,
        reference_value(mean_of_units(gold_square_sum, n_gold_plain), word, 0e0) as b3_recall,
        reference_value(mean_of_units(system_square_mean, n_system_whole), word, 0e0) as b3_cluster_precision,
        reference_value(mean_of_units(gold_square_mean, n_gold_whole), word, 0e0) as b3_cluster_recall,
        reference_value(ratio(n_system_largest, n_system_item), degenerate, 0e0) as purity,
        reference_value(ratio(n_gold_largest, n_gold_item), degenerate, 0e0) as inverse_purity,
        reference_value(ratio(n_system_exact, n_system_cluster), degenerate, 0e0) as exact_precision,
        reference_value(ratio(n_gold_exact, n_gold_cluster), degenerate, 0e0) as exact_recall,
        reference_value(mean_of_units(event_sum, n_gold_cluster), degenerate, 0e0) as event_f1,
        reference_value(ratio(n_shared_item - n_cell, n_system_plain - n_system_whole), word, 0e0) as muc_precision,
        reference_value(ratio(n_shared_item - n_cell, n_gold_plain - n_gold_whole), word, 0e0) as muc_recall,
        reference_value(
            mean_of_units(system_link_sum + count_units(n_single), n_system_plain), word, 0e0
        ) as lea_precision,
        reference_value(mean_of_units(gold_link_sum + count_units(n_single), n_gold_plain), word, 0e0) as lea_recall
    from metric.partition_total__v1 as total join registry.profile using (profile_no)
)

select
    run_no, profile_no, subset_no, block_no, n_item, n_gold_item, n_system_item, n_shared_item, n_gold_cluster,
    n_system_cluster, n_cell, b3_precision, b3_recall, harmonic_mean(b3_precision, b3_recall) as b3_f1,
    b3_cluster_precision, b3_cluster_recall, harmonic_mean(b3_cluster_precision, b3_cluster_recall) as b3_cluster_f1,
    purity, inverse_purity, harmonic_mean(purity, inverse_purity) as purity_f1, exact_precision, exact_recall,
    harmonic_mean(exact_precision, exact_recall) as exact_f1, event_f1, muc_precision, muc_recall,
    harmonic_mean(muc_precision, muc_recall) as muc_f1, lea_precision, lea_recall,
    harmonic_mean(lea_precision, lea_recall) as lea_f1,
    case when n_repeat > 0 then 'several clusters' end as null_reason
from side
