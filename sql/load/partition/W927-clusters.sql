/*
what:   the name of the cluster only looks like {known!r}, in blanks, composed letters or letters that are not seen
advice: Names are compared as they are written.
*/
with

looks as (
    select block_id, cluster_id, as_seen(cluster_id) as look
    from (
        select distinct block_id, cluster_id
        from partition_row
        where cluster_id is not null and run_id is not distinct from $run_id
    )
),

twin as (
    select odd.block_id, odd.cluster_id, min(other.cluster_id) as known
    from looks as odd
    join looks as other using (block_id, look)
    where odd.cluster_id <> odd.look and (other.cluster_id = other.look or other.cluster_id < odd.cluster_id)
    group by odd.block_id, odd.cluster_id
)

select min(file) as file, arg_min(line, (file, line)) as line, cluster_id as value, known
from twin
join partition_row using (block_id, cluster_id)
where run_id is not distinct from $run_id
group by cluster_id, known
