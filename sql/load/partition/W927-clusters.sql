/*
what:   the name of the cluster only looks like {known!r}, in blanks, composed letters or letters that are not seen
advice: Names are compared as they are written.
*/
with

looks as (
    select run_id, block_id, cluster_id, as_seen(cluster_id) as look
    from (select distinct run_id, block_id, cluster_id from partition_row where cluster_id is not null)
),

twin as (
    select odd.run_id, odd.block_id, odd.cluster_id, min(other.cluster_id) as known
    from looks as odd
    join looks as other
        on other.run_id is not distinct from odd.run_id and other.block_id = odd.block_id and other.look = odd.look
    where odd.cluster_id <> odd.look and (other.cluster_id = other.look or other.cluster_id < odd.cluster_id)
    group by odd.run_id, odd.block_id, odd.cluster_id
)

select min(file) as file, arg_min(line, (file, line)) as line, twin.cluster_id as value, known
from twin
join partition_row as own
    on own.run_id is not distinct from twin.run_id and own.block_id = twin.block_id and own.cluster_id = twin.cluster_id
group by twin.run_id, twin.cluster_id, known
