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
edges:    0/0 is NULL. degenerate = peer: 0. With items in several clusters memberships count, and conll_f1 is NULL.
class:    exact
see also: assignment_block__v1, assignment_score__v1
*/
with

paired as (
    select
        run_no, profile_no, subset_no, block_no,
        n_star_item, star.similarity as star_similarity,
        case when n_open > 0 then n_search_item else 0 end as n_open_item,
        case when n_open > 0 then search.search_similarity else cast(0 as decimal(38, 0)) end as open_similarity,
        case when n_open > 0 and coalesce(is_made, 0) = 0 then 1 else 0 end as n_left,
        case when n_open > 0 then null_reason end as reason_of_block
    from metric.partition_star__v1 as star
    left join metric.partition_search__v1 as search using (run_no, profile_no, subset_no, block_no)
),

part as (
    select
        run_no, profile_no, subset_no, block_no as part_no, n_left, reason_of_block,
        n_star_item + n_open_item as n_paired,
        star_similarity + open_similarity as similarity_of_pairs
    from paired
    union all
    select
        run_no, profile_no, subset_no, 0 as part_no, n_left, reason_of_block,
        n_star_item + n_open_item as n_paired,
        star_similarity + open_similarity as similarity_of_pairs
    from paired
),

best as (
    select
        run_no, profile_no, subset_no,
        part_no as block_no,
        whole_sum(n_left) as n_unsearched,
        max(reason_of_block) as reason_of_part,
        whole_sum(n_paired) as m,
        sum(similarity_of_pairs) as e
    from part
    group by run_no, profile_no, subset_no, part_no
),

made as (
    select
        run_no, profile_no, subset_no, block_no, total.n_item as n_item_of_part, muc_f1, b3_f1,
        reason_of_part,
        case when coalesce(n_unsearched, 0) = 0 then degenerate end as word,
        case when coalesce(n_unsearched, 0) = 0 then ratio(coalesce(m, 0), total.n_system_item) end as m_precision,
        case when coalesce(n_unsearched, 0) = 0 then ratio(coalesce(m, 0), total.n_gold_item) end as m_recall,
        case
            when coalesce(n_unsearched, 0) = 0 then mean_of_units(coalesce(e, 0), total.n_system_cluster)
        end as e_precision,
        case when coalesce(n_unsearched, 0) = 0 then mean_of_units(coalesce(e, 0), total.n_gold_cluster) end as e_recall
    from metric.partition_total__v1 as total
    join metric.partition_overlap_value__v1 as overlap using (run_no, profile_no, subset_no, block_no)
    join registry.profile using (profile_no)
    left join best using (run_no, profile_no, subset_no, block_no)
),

printed as (
    select
        run_no, profile_no, subset_no, block_no, n_item_of_part, reason_of_part, muc_f1, b3_f1,
        peer_value(m_precision, word, 0e0) as peer_m_precision,
        peer_value(m_recall, word, 0e0) as peer_m_recall,
        peer_value(e_precision, word, 0e0) as peer_e_precision,
        peer_value(e_recall, word, 0e0) as peer_e_recall
    from made
)

select
    run_no, profile_no, subset_no, block_no,
    n_item_of_part as n_item,
    peer_m_precision as ceaf_m_precision,
    peer_m_recall as ceaf_m_recall,
    harmonic_mean(peer_m_precision, peer_m_recall) as ceaf_m_f1,
    peer_e_precision as ceaf_e_precision,
    peer_e_recall as ceaf_e_recall,
    harmonic_mean(peer_e_precision, peer_e_recall) as ceaf_e_f1,
    (muc_f1 + b3_f1 + harmonic_mean(peer_e_precision, peer_e_recall)) / 3e0 as conll_f1,
    reason_of_part as null_reason
from printed
