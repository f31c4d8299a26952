/*
title:    Mutual information, homogeneity, completeness and NMI, block by block
formula:  as information_value__v1, of the blocks
source:   A. Rosenberg, J. Hirschberg, V-Measure (2007); A. Strehl, J. Ghosh, Cluster Ensembles (2002); as
          information_value__v1
inputs:   metric.partition_information_value__v1
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no          key                  run
    profile_no      key                  scoring profile
    subset_no       key                  subset; 0 is all
    block_no        key                  block
    n_item          count                items of either side
    entropy_gold    nats [0, ]           Entropy of the gold (nats)
    entropy_system  nats [0, ]           Entropy of the run (nats)
    mi              nats [0, ]           Mutual information (nats)
    homogeneity     ratio [0, 1.000001]  Homogeneity
    completeness    ratio [0, 1.000001]  Completeness
    v_measure       ratio [0, 1.000001]  V-measure
    nmi_arithmetic  ratio [0, 1.000001]  NMI, arithmetic mean
    nmi             ratio [0, 1.000001]  NMI, arithmetic mean
    nmi_geometric   ratio [0, 1.000001]  NMI, geometric mean
    nmi_min         ratio [0, 1.000001]  NMI, smaller entropy
    nmi_max         ratio [0, 1.000001]  NMI, larger entropy
    nmi_joint       ratio [0, 1.000001]  NMI, joint entropy
    null_reason     text                 as information_value__v1
metrics:
    entropy_gold    n=n_item  best=none     Entropy of the gold (nats)
    entropy_system  n=n_item  best=none     Entropy of the run (nats)
    mi              n=n_item  best=none     Mutual information (nats)
    homogeneity     n=n_item  best=highest  Homogeneity
    completeness    n=n_item  best=highest  Completeness
    v_measure       n=n_item  best=highest  V-measure
    nmi_arithmetic  n=n_item  best=highest  NMI, arithmetic mean
    nmi             n=n_item  best=highest  NMI, arithmetic mean
    nmi_geometric   n=n_item  best=highest  NMI, geometric mean
    nmi_min         n=n_item  best=highest  NMI, smaller entropy
    nmi_max         n=n_item  best=highest  NMI, larger entropy
    nmi_joint       n=n_item  best=highest  NMI, joint entropy
class:    libm
see also: information_value__v1, information_score__v1
*/
select
    run_no, profile_no, subset_no, block_no, n_item, entropy_gold, entropy_system, mi, homogeneity, completeness,
    v_measure, nmi_arithmetic, nmi, nmi_geometric, nmi_min, nmi_max, nmi_joint, null_reason
from metric.partition_information_value__v1 where block_no > 0
