/*
title:    CEAF and the CoNLL mean: of each block, and of all together
formula:  M, E largest sums of n and of 2 n / (a + b) over one-to-one pairs of clusters: ceaf_m = M / N_s and M / N_g,
          ceaf_e = E / C and E / R; conll_f1 = (muc_f1 + b3_f1 + ceaf_e_f1) / 3
source:   X. Luo, On Coreference Resolution Performance Metrics (2005), sections 3 and 4; S. Pradhan et al., Scoring
          Coreference Partitions of Predicted Mentions (2014), section 3
inputs:   metric.partition_total__v1, metric.partition_star__v1, metric.partition_search__v1,
          metric.partition_overlap_value__v1, registry.profile
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no            key           run
    profile_no        key           scoring profile
    subset_no         key           subset; 0 is all
    block_no          key           block; 0: all together
    n_item            count         items of either side
    ceaf_m_precision  ratio [0, 1]  over the items of the run
    ceaf_m_recall     ratio [0, 1]  over the items of the gold
    ceaf_m_f1         ratio [0, 1]  harmonic mean of the two
    ceaf_e_precision  ratio [0, 1]  over the clusters of the run
    ceaf_e_recall     ratio [0, 1]  over the gold clusters
    ceaf_e_f1         ratio [0, 1]  harmonic mean of the two
    conll_f1          ratio [0, 1]  NULL where one of the three is
    null_reason       text          external: no pairing is stored; search: it takes long (search__v1)
edges:    0/0 is NULL. degenerate = reference_program: 0. With items in several clusters memberships count, and conll_f1
          is NULL.
class:    exact
see also: assignment_block__v1, assignment_score__v1
*/
-- of each block, and of the whole
with best as (
    select
        run_no, profile_no, subset_no, case when is_whole = 1 then 0 else block_no end as block_no,
        max(case when n_open > 0 and coalesce(is_made, 0) = 0 then 1 else 0 end) as is_left,
        max(case when n_open > 0 then null_reason end) as reason,
        whole_sum(n_star_item + case when n_open > 0 then n_search_item else 0 end) as n_paired,
        sum(star.similarity + case when n_open > 0 then search_similarity else 0 end) as similarity
    from metric.partition_star__v1 as star
    left join metric.partition_search__v1 as search using (run_no, profile_no, subset_no, block_no)
    cross join (select 0 as is_whole union all select 1 as is_whole) as reach
    group by all
),

-- what is known: nothing where a search is left out
printed as (
    select
        total.*, muc_f1, b3_f1, reason, case when coalesce(is_left, 0) = 0 then degenerate end as word,
        case when coalesce(is_left, 0) = 0 then coalesce(n_paired, 0) end as m,
        case when coalesce(is_left, 0) = 0 then coalesce(similarity, 0) end as e,
        reference_value(ratio(m, total.n_system_item), word, 0e0) as ceaf_m_precision,
        reference_value(ratio(m, total.n_gold_item), word, 0e0) as ceaf_m_recall,
        reference_value(mean_of_units(e, total.n_system_cluster), word, 0e0) as ceaf_e_precision,
        reference_value(mean_of_units(e, total.n_gold_cluster), word, 0e0) as ceaf_e_recall
    from metric.partition_total__v1 as total
    join metric.partition_overlap_value__v1 as overlap using (run_no, profile_no, subset_no, block_no)
    join registry.profile using (profile_no)
    left join best using (run_no, profile_no, subset_no, block_no)
)

select
    run_no, profile_no, subset_no, block_no, n_item, ceaf_m_precision, ceaf_m_recall,
    harmonic_mean(ceaf_m_precision, ceaf_m_recall) as ceaf_m_f1, ceaf_e_precision, ceaf_e_recall,
    harmonic_mean(ceaf_e_precision, ceaf_e_recall) as ceaf_e_f1, (muc_f1 + b3_f1 + ceaf_e_f1) / 3e0 as conll_f1,
    reason as null_reason
from printed
