/*
what:   a cluster is called like noise, and counts as one cluster
advice: If it is, say noise_label = "{value}" in the condition.
*/
select 0 as file, null as line, shown as run, cluster_id as value
from base.partition_cluster
join new_run using (run_no)
where
    $noise_label = ''
    and lower(cluster_id) in ('-1', 'noise', 'outlier', 'outliers')
qualify row_number() over (partition by run_no order by cluster_no) = 1
