/*
title:    Mutual information, homogeneity, completeness and NMI of a run: over all blocks together and as means over
          the blocks
formula:  story: numerators and denominators added over the blocks, divided once; topic: mean of the numbers of the
          blocks that have one, F1 the mean of their F1
source:   A. Rosenberg, J. Hirschberg, V-Measure (2007); A. Strehl, J. Ghosh, Cluster Ensembles (2002); as
          information_value__v1; coreference scorers add over documents (story)
inputs:   metric.partition_information_value__v1
grain:    run_no, profile_no, subset_no, weighting
columns:
    run_no            key                  run
    profile_no        key                  scoring profile
    subset_no         key                  subset; 0 is all
    weighting         key                  story: all blocks together; topic: mean over the blocks
    entropy_gold      nats [0, ]           Entropy of the gold (nats)
    entropy_system    nats [0, ]           Entropy of the run (nats)
    mi                nats [0, ]           Mutual information (nats)
    homogeneity       ratio [0, 1.000001]  Homogeneity
    completeness      ratio [0, 1.000001]  Completeness
    v_measure         ratio [0, 1.000001]  V-measure
    nmi_arithmetic    ratio [0, 1.000001]  NMI, arithmetic mean
    nmi               ratio [0, 1.000001]  NMI, arithmetic mean
    nmi_geometric     ratio [0, 1.000001]  NMI, geometric mean
    nmi_min           ratio [0, 1.000001]  NMI, smaller entropy
    nmi_max           ratio [0, 1.000001]  NMI, larger entropy
    nmi_joint         ratio [0, 1.000001]  NMI, joint entropy
    n_block           count                blocks; story: items
    n_entropy_gold    count                blocks with entropy_gold; story: items, 0 where it is NULL
    n_entropy_system  count                blocks with entropy_system; story: items, 0 where it is NULL
    n_mi              count                blocks with mi; story: items, 0 where it is NULL
    n_homogeneity     count                blocks with homogeneity; story: items, 0 where it is NULL
    n_completeness    count                blocks with completeness; story: items, 0 where it is NULL
    n_v_measure       count                blocks with v_measure; story: items, 0 where it is NULL
    n_nmi_arithmetic  count                blocks with nmi_arithmetic; story: items, 0 where it is NULL
    n_nmi             count                blocks with nmi; story: items, 0 where it is NULL
    n_nmi_geometric   count                blocks with nmi_geometric; story: items, 0 where it is NULL
    n_nmi_min         count                blocks with nmi_min; story: items, 0 where it is NULL
    n_nmi_max         count                blocks with nmi_max; story: items, 0 where it is NULL
    n_nmi_joint       count                blocks with nmi_joint; story: items, 0 where it is NULL
    null_reason       text                 as information_value__v1; topic: of some block
metrics:
    entropy_gold    n=n_entropy_gold    best=none     Entropy of the gold (nats)
    entropy_system  n=n_entropy_system  best=none     Entropy of the run (nats)
    mi              n=n_mi              best=none     Mutual information (nats)
    homogeneity     n=n_homogeneity     best=highest  Homogeneity
    completeness    n=n_completeness    best=highest  Completeness
    v_measure       n=n_v_measure       best=highest  V-measure
    nmi_arithmetic  n=n_nmi_arithmetic  best=highest  NMI, arithmetic mean
    nmi             n=n_nmi             best=highest  NMI, arithmetic mean
    nmi_geometric   n=n_nmi_geometric   best=highest  NMI, geometric mean
    nmi_min         n=n_nmi_min         best=highest  NMI, smaller entropy
    nmi_max         n=n_nmi_max         best=highest  NMI, larger entropy
    nmi_joint       n=n_nmi_joint       best=highest  NMI, joint entropy
edges:    Items of one block only: both weightings are the number of that block.
class:    libm
see also: information_value__v1, information_block__v1
*/
select
    run_no, profile_no, subset_no, case when block_no = 0 then 'story' else 'topic' end as weighting,
    exact_mean(entropy_gold) as entropy_gold, exact_mean(entropy_system) as entropy_system, exact_mean(mi) as mi,
    exact_mean(homogeneity) as homogeneity, exact_mean(completeness) as completeness,
    exact_mean(v_measure) as v_measure, exact_mean(nmi_arithmetic) as nmi_arithmetic, exact_mean(nmi) as nmi,
    exact_mean(nmi_geometric) as nmi_geometric, exact_mean(nmi_min) as nmi_min, exact_mean(nmi_max) as nmi_max,
    exact_mean(nmi_joint) as nmi_joint, unit_count(0, block_no, n_item) as n_block,
    unit_count(entropy_gold, block_no, n_item) as n_entropy_gold,
    unit_count(entropy_system, block_no, n_item) as n_entropy_system, unit_count(mi, block_no, n_item) as n_mi,
    unit_count(homogeneity, block_no, n_item) as n_homogeneity,
    unit_count(completeness, block_no, n_item) as n_completeness,
    unit_count(v_measure, block_no, n_item) as n_v_measure,
    unit_count(nmi_arithmetic, block_no, n_item) as n_nmi_arithmetic, unit_count(nmi, block_no, n_item) as n_nmi,
    unit_count(nmi_geometric, block_no, n_item) as n_nmi_geometric, unit_count(nmi_min, block_no, n_item) as n_nmi_min,
    unit_count(nmi_max, block_no, n_item) as n_nmi_max, unit_count(nmi_joint, block_no, n_item) as n_nmi_joint,
    max(null_reason) as null_reason
from metric.partition_information_value__v1 group by all
