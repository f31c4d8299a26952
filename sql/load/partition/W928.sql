/*
what:   a cluster is called like noise, and counts as one cluster
advice: If it is, say noise_label = "{value}" in the condition.
*/
select 0 as file, null as line, cluster_id as value
from base.partition_cluster
where
    run_no = $run
    and $noise_label = ''
    and lower(cluster_id) in ('-1', 'noise', 'outlier', 'outliers')
qualify row_number() over (order by cluster_no) = 1
