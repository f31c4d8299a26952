/*
title:    Mutual information adjusted for chance (AMI): of each block, and of the whole where it is one block
formula:  ami = (MI - E[MI]) / (norm - E[MI]) with norm = (H_g + H_s) / 2 (arithmetic), sqrt(H_g H_s) (geometric), min,
          max of the two
source:   N. Vinh, J. Epps, J. Bailey, Information Theoretic Measures for Clusterings Comparison (2010), table 3
inputs:   metric.partition_information_state__v1
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no          key           run
    profile_no      key           scoring profile
    subset_no       key           subset; 0 is all
    block_no        key           block; 0: all together
    n_item          count         items of either side
    expected_mi     nats [-0.001, ]  what clusters of the same sizes share by chance
    ami_arithmetic  ratio [ , 1.000001]  normalised by the mean of the entropies
    ami             ratio [ , 1.000001]  the same
    ami_geometric   ratio [ , 1.000001]  by their geometric mean
    ami_min         ratio [ , 1.000001]  by the smaller
    ami_max         ratio [ , 1.000001]  by the larger
    null_reason     text          several clusters; different items; several blocks: they do not add up; too many
                                  terms: not
                                  made (`tdtsql score --metric ami_arithmetic` makes them)
edges:    Where a side is one cluster or single items, MI = E[MI] by the counts: 0 where the norm is larger, NULL where
          it is
          not (ami_min, and ami_geometric with one cluster) and where both sides are alike.
          degenerate = reference_program: 1 where both are alike, as scikit-learn prints.
class:    libm
see also: adjusted_block__v1, adjusted_score__v1, expected_work__v1
*/
with value as (
    select
        *, case when is_alike = 1 then reference_word end as word, (entropy_gold + entropy_system) / 2e0 as mean,
        sqrt(entropy_gold * entropy_system) as root,
        case when entropy_gold > entropy_system then entropy_gold else entropy_system end as larger,
        case when entropy_gold > entropy_system then entropy_system else entropy_gold end as smaller,
        case
            when is_alike = 1 then null when is_known = 1 then 0e0
            when mean <> expected_mi then (mi - expected_mi) / (mean - expected_mi)
        end as of_mean,
        case
            when is_alike = 1 or n_one > 0 then null when is_known = 1 then 0e0
            when root <> expected_mi then (mi - expected_mi) / (root - expected_mi)
        end as of_root,
        case
            when is_known = 0 and smaller <> expected_mi then (mi - expected_mi) / (smaller - expected_mi)
        end as of_smaller,
        case
            when is_alike = 1 then null when is_known = 1 then 0e0
            when larger <> expected_mi then (mi - expected_mi) / (larger - expected_mi)
        end as of_larger
    from metric.partition_information_state__v1
)

select
    run_no, profile_no, subset_no, block_no, n_item, expected_mi, reference_value(of_mean, word, 1e0) as ami_arithmetic,
    reference_value(of_mean, word, 1e0) as ami, reference_value(of_root, word, 1e0) as ami_geometric,
    reference_value(of_smaller, word, 1e0) as ami_min, reference_value(of_larger, word, 1e0) as ami_max, null_reason
from value
