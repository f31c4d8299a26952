/*
title:    Mutual information, homogeneity, completeness and NMI: of each block, and of the whole where it is one block
formula:  homogeneity = MI / H_g, completeness = MI / H_s, v_measure their harmonic mean; nmi = MI / norm with norm =
          (H_g + H_s) / 2 (arithmetic), sqrt(H_g H_s) (geometric), min, max of the two, H_g + H_s - MI (joint)
source:   A. Rosenberg, J. Hirschberg, V-Measure (2007), section 2; A. Strehl, J. Ghosh, Cluster Ensembles (2002),
          equation 2; N. Vinh, J. Epps, J. Bailey (2010), table 2
inputs:   metric.partition_information_state__v1
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no          key           run
    profile_no      key           scoring profile
    subset_no       key           subset; 0 is all
    block_no        key           block; 0: all together
    n_item          count         items of either side
    entropy_gold    nats [0, ]    entropy of the gold
    entropy_system  nats [0, ]    entropy of the run
    mi              nats [0, ]    mutual information
    homogeneity     ratio [0, 1.000001]  1 where the gold has one cluster
    completeness    ratio [0, 1.000001]  1 where the run has one cluster
    v_measure       ratio [0, 1.000001]  harmonic mean of the two
    nmi_arithmetic  ratio [0, 1.000001]  normalised by the mean of the entropies
    nmi             ratio [0, 1.000001]  the same
    nmi_geometric   ratio [0, 1.000001]  by their geometric mean
    nmi_min         ratio [0, 1.000001]  by the smaller
    nmi_max         ratio [0, 1.000001]  by the larger
    nmi_joint       ratio [0, 1.000001]  by the entropy of both together
    null_reason     text          several clusters; different items; several blocks: they do not add up
edges:    0/0 is NULL. degenerate = reference_program: as scikit-learn prints, nmi 1 where both sides are one
          cluster, nmi_geometric and nmi_min 0 where one is.
class:    libm
see also: information_block__v1, information_score__v1
*/
with part as (
    select
        *, entropy_gold as g, entropy_system as s, case when n_one = 2 then reference_word end as both_word,
        case when n_one > 0 then reference_word end as one_word, case when n_one = 2 then 1e0 else 0e0 end as printed,
        case when g > s then g else s end as larger, case when g > s then s else g end as smaller,
        case when n_one < 2 and g + s > 0 then 2e0 * mi / (g + s) end as of_mean,
        case when g > 0 then mi / g when g = 0 then 1e0 end as homogeneity,
        case when s > 0 then mi / s when s = 0 then 1e0 end as completeness
    from metric.partition_information_state__v1
)

select
    run_no, profile_no, subset_no, block_no, n_item, entropy_gold, entropy_system, mi, homogeneity, completeness,
    harmonic_mean(homogeneity, completeness) as v_measure, reference_value(of_mean, both_word, 1e0) as nmi_arithmetic,
    reference_value(of_mean, both_word, 1e0) as nmi,
    reference_value(case when n_one = 0 and smaller > 0 then mi / sqrt(g * s) end, one_word, printed) as nmi_geometric,
    reference_value(case when n_one = 0 and smaller > 0 then mi / smaller end, one_word, printed) as nmi_min,
    reference_value(case when n_one < 2 and larger > 0 then mi / larger end, both_word, 1e0) as nmi_max,
    reference_value(case when n_one < 2 and g + s - mi > 0 then mi / (g + s - mi) end, both_word, 1e0) as nmi_joint,
    case when null_reason <> 'too many terms' then null_reason end as null_reason
from part
