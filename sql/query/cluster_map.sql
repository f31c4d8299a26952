/*
title:       Where gold clusters went
question:    Into which clusters of a run did the items of each gold cluster go?
about:       clusters
inputs:      base.partition_cell__v1, base.partition_gold_cluster, base.partition_cluster, base.block,
             base.partition_extra_block, registry.run, registry.condition
parameters:
    run        run        none  one run; none: all
    condition  condition  none  one condition; none: all
    topic      topic      none  one block; none: all
    limit      count      12    clusters of a side that stand by themselves, the largest ones
grain:       condition_id, run_id, gold, cluster
columns:
    condition_id  key    evaluation condition
    run_id        key    run
    gold          key    gold cluster; the others together; items in none
    cluster       key    cluster of the run; the others together; items in none
    n_item        count  items that they share
    series        text   largest part of a gold cluster, split off from it, or together: several clusters
    of_gold       ratio [0, 1]  share of the gold cluster
    of_cluster    ratio [0, 1]  share of the cluster of the run
    thickness     double        of its ribbon, where all items are 400
    gold_y        double        where the ribbon begins at the bar of the gold cluster
    cluster_y     double        where it ends at the bar of the cluster of the run
order:       Conditions and runs by name, the largest clusters first, what is in none last.
show:        ribbons x=gold y=cluster value=n_item series=series by=run_id
pages:       report 140 run 90
edges:       As the files say, before the policies of a profile; an item in several clusters counts in each. A gold
             cluster with several ribbons was split, a cluster of the run with several was merged. Neutral: the largest
             part of a gold cluster; orange: items split off from it.
see also:    split_clusters, merged_clusters
*/
with

named_block as (
    select run_no, block_no, block_id from registry.run join base.block using (condition_no)
    union all
    select run_no, block_no, block_id from base.partition_extra_block
),

cell as (
    select run_no, gold_no, system_no, cast(sum(n_item) as bigint) as n_item
    from base.partition_cell__v1
    join named_block using (run_no, block_no)
    where block_id = coalesce($topic, block_id)
    group by all
),

blocks as (
    select run_no, count(*) as n_block
    from named_block
    where block_id = coalesce($topic, block_id)
    group by run_no
),

gold as (
    select
        run_no, gold_no, row_number() over (partition by run_no order by sum(n_item) desc, gold_no) as place,
        count(*) over (partition by run_no) - $limit as n_other
    from cell
    where gold_no <> 0
    group by run_no, gold_no
),

answer as (
    select
        run_no, system_no, row_number() over (partition by run_no order by sum(n_item) desc, system_no) as place,
        count(*) over (partition by run_no) - $limit as n_other
    from cell
    where system_no <> 0
    group by run_no, system_no
),

gold_name as (
    select
        run_no, gold_no, least(place, $limit + 1) as gold_place,
        case
            when place > $limit then n_other || case when n_other = 1 then ' other cluster' else ' other clusters' end
            else case when n_block > 1 then block_id || ': ' else '' end || cluster_id
        end as gold
    from gold
    join blocks using (run_no)
    join registry.run using (run_no)
    join base.partition_gold_cluster as known on known.condition_no = run.condition_no and cluster_no = gold_no
    left join named_block using (run_no, block_no)
),

answer_name as (
    select
        run_no, system_no, least(place, $limit + 1) as place,
        case
            when place > $limit then n_other || case when n_other = 1 then ' other cluster' else ' other clusters' end
            else case when n_block > 1 then block_id || ': ' else '' end || cluster_id
        end as cluster
    from answer
    join blocks using (run_no)
    join base.partition_cluster as known using (run_no)
    left join named_block using (run_no, block_no)
    where known.cluster_no = system_no
),

shared as (
    select
        run_no, coalesce(gold, 'no gold cluster') as gold, coalesce(cluster, 'no cluster of the run') as cluster,
        coalesce(gold_place, $limit + 2) as gold_place, coalesce(answer_name.place, $limit + 2) as place,
        cast(sum(n_item) as bigint) as n_item
    from cell
    left join gold_name using (run_no, gold_no)
    left join answer_name using (run_no, system_no)
    group by all
),

-- clusters of the run in the order in which ribbons of the gold clusters meet them, so that few cross
placed as (
    select
        *,
        min(cell_place) over (partition by run_no, cluster) as met,
        400 * n_item / sum(n_item) over (partition by run_no) as thickness
    from (select *, row_number() over (partition by run_no order by gold_place, place) as cell_place from shared)
),

-- bars begin at least 17 from each other, so that their names can be read
gold_bar as (
    select run_no, gold, 4 + coalesce(sum(greatest(17, sum(thickness) + 4)) over before, 0) as gold_top
    from placed
    group by run_no, gold_place, gold
    window before as (
        partition by run_no order by gold_place, gold rows between unbounded preceding and 1 preceding
    )
),

cluster_bar as (
    select
        run_no, cluster,
        row_number() over (partition by run_no order by greatest(place - $limit, 0), met) as side_place,
        4 + coalesce(sum(greatest(17, sum(thickness) + 4)) over before, 0) as cluster_top
    from placed
    group by run_no, place, met, cluster
    window before as (
        partition by run_no order by greatest(place - $limit, 0), met rows between unbounded preceding and 1 preceding
    )
)

select
    condition_id, run_id, gold, cluster, n_item,
    case
        when gold_place > $limit then 'together'
        when row_number() over (partition by run_no, gold_place order by n_item desc, place) = 1 then 'largest part'
        else 'split off'
    end as series,
    n_item / sum(n_item) over (partition by run_no, gold_place) as of_gold,
    n_item / sum(n_item) over (partition by run_no, place) as of_cluster,
    round(thickness, 2) as thickness,
    round(gold_top + sum(thickness) over (partition by run_no, gold order by side_place) - thickness, 2) as gold_y,
    round(cluster_top + sum(thickness) over (partition by run_no, cluster order by gold_place) - thickness, 2)
        as cluster_y
from placed
join gold_bar using (run_no, gold)
join cluster_bar using (run_no, cluster)
join registry.run using (run_no)
join registry.condition using (condition_no)
where run_id = coalesce($run, run_id)
    and condition_id = coalesce($condition, condition_id)
order by condition_id, run_id, gold_place, place, gold, cluster
