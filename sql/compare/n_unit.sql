/*
title:    How many topics or items a condition has, how many of them are in clusters, and in how many
*/
select count(*) as n_topic, count(cluster_no) as n_clustered, count(distinct cluster_no) as n_cluster
from base.block
join registry.condition using (condition_no)
left join base.item using (condition_no, block_no)
where condition_id = $condition
