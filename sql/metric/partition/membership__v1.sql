/*
title:    Who is in which cluster after the policies, of runs in which an item is in several clusters of a side
formula:  in this order, each of what the one before it leaves:
          1 repeated_item = first: an item of the run keeps its first cluster
          2 noise_cluster: the membership in the noise cluster is removed (missing), or is a cluster of this item
            alone (singleton)
          3 singleton_cluster = drop: each side loses its clusters of one item; drop_system_item: the run loses its own,
            and an item that has no cluster of the run left by this leaves the gold too
          4 missing_item (in the gold alone), spurious_item (in the run alone): exclude: stays on its side; drop: leaves
            it with all its clusters; singleton: one new cluster of the other side with this item alone; one_cluster: in
            the one further cluster of the block on the other side
source:   Our own: policies act on items, then every definition is applied to the two covers that they leave; the
          policies are those of cell__v1
inputs:   base.partition_overlapping__v1, registry.run, registry.condition_profile, registry.profile
grain:    run_no, profile_no, subset_no, block_no, is_system, item_no, cluster_no
columns:
    run_no      key    run
    profile_no  key    scoring profile
    subset_no   key    subset; 0 is all
    block_no    key    block
    is_system   key    1: cluster of the run; 0: of the gold
    item_no     key    item
    cluster_no  key    cluster; -2: the further one of the block; -2 - item_no: the item alone
    n_own       count  clusters of the item on this side
    place       count  of them, in the order of their numbers, from 1
edges:    Each of the four steps runs once: a cluster that becomes one of one item by a later step stays.
          error is checked when a run is loaded; here it is as exclude. A profile without a policy keeps and excludes.
class:    exact
see also: cell__v1, several_pair__v1, near_share__v1
*/
with chosen as (
    select
        item.*, profile_no, missing_item, spurious_item, singleton_cluster,
        case when is_noise = 1 and noise_cluster = 'singleton' then -2 - item_no else cluster_no end as chosen_no,
        count(*) over (partition by run_no, profile_no, subset_no, is_system, chosen_no) as n_size,
        case
            when n_size > 1 then 1
            when singleton_cluster = 'drop' or is_system = 1 and singleton_cluster = 'drop_system_item' then 0
            else 1
        end as is_kept
    from base.partition_overlapping__v1 as item
    join registry.run using (run_no) join registry.condition_profile using (condition_no)
    join registry.profile using (profile_no)
    where (is_system = 0 or place = 1 or coalesce(repeated_item, '') <> 'first')
        and (is_noise = 0 or coalesce(noise_cluster, '') <> 'missing')
),

-- 1: of both sides; 2: of the gold alone; 3: of the run alone; 0: gone
item as (
    select
        run_no, profile_no, subset_no, block_no, item_no, missing_item, spurious_item,
        max((1 - is_system) * is_kept) as is_gold, max(is_system * is_kept) as is_answered,
        case
            when singleton_cluster = 'drop_system_item' and max(is_system) = 1 and is_answered = 0 then 0
            when is_answered = 1 and is_gold = 1 then 1 when is_gold = 1 then 2 when is_answered = 1 then 3
            else 0
        end as kind
    from chosen
    group by run_no, profile_no, subset_no, block_no, item_no, missing_item, spurious_item, singleton_cluster
),

staying as (
    select
        run_no, profile_no, subset_no, block_no, item_no, kind,
        case kind when 2 then missing_item when 3 then spurious_item end as policy,
        case policy when 'singleton' then -2 - item_no when 'one_cluster' then -2 end as further_no
    from item where kind > 0 and coalesce(policy, '') <> 'drop'
),

member as (
    select run_no, profile_no, subset_no, block_no, is_system, item_no, chosen_no as cluster_no
    from chosen join staying using (run_no, profile_no, subset_no, block_no, item_no)
    where is_kept = 1
    union all
    select run_no, profile_no, subset_no, block_no, 3 - kind as is_system, item_no, further_no as cluster_no
    from staying where further_no is not null
)

select
    run_no, profile_no, subset_no, block_no, is_system, item_no, cluster_no,
    count(*) over (partition by run_no, profile_no, subset_no, is_system, item_no) as n_own,
    row_number() over (partition by run_no, profile_no, subset_no, is_system, item_no order by cluster_no) as place
from member
