/*
what:   The groups, clusters and subsets of the items of a condition, by the attributes of its items
*/
update base.item set group_no = made.number
from (
    with

    named as (
        select distinct condition_no, unnest(string_split(group_by, chr(10))) as attribute
        from registry.condition
        where condition_no = $condition and group_by <> ''
    ),

    numbered as (
        select block_no, dense_rank() over (order by list([attribute, value] order by attribute)) as number
        from base.item_attribute
        join named using (condition_no, attribute)
        group by block_no
        having count(*) = (select count(*) from named)
    )

    select block_no, cast(number as integer) as number
    from base.item
    left join numbered using (block_no)
    where condition_no in (select condition_no from named)
) as made
where
    item.condition_no = $condition
    and item.block_no = made.block_no
    and item.group_no is distinct from made.number;

-- an item without a value is the only one of its cluster
update base.item set cluster_no = made.number
from (
    with

    named as (
        select distinct condition_no, unnest(string_split(cluster_by, chr(10))) as attribute
        from registry.condition
        where condition_no = $condition and cluster_by <> ''
    ),

    numbered as (
        select block_no, dense_rank() over (order by list([attribute, value] order by attribute)) as number
        from base.item_attribute
        join named using (condition_no, attribute)
        group by block_no
        having count(*) = (select count(*) from named)
    )

    select block_no, cast(coalesce(number, block_no + count(*) over ()) as integer) as number
    from base.item
    left join numbered using (block_no)
    where condition_no in (select condition_no from named)
) as made
where
    item.condition_no = $condition
    and item.block_no = made.block_no
    and item.cluster_no is distinct from made.number;

-- of the attributes that `subsets` names; else of those with few values whose values are no clusters
delete from base.subset_cell where condition_no = $condition;

delete from base.subset where condition_no = $condition and subset_no > 0;

insert into base.subset (condition_no, subset_no, subset, kind)
select condition_no, row_number() over (order by attribute, value), attribute || '=' || value, 'attribute'
from (
    select distinct condition_no, attribute, value
    from base.item_attribute
    where
        condition_no = $condition
        and attribute in (
            select attribute
            from base.item_attribute
            join registry.condition using (condition_no)
            where condition_no = $condition
            group by attribute
            having
                case
                    when any_value(subsets) is not null
                        then list_contains(string_split(any_value(subsets), chr(10)), attribute)
                    else
                        count(distinct value) <= $most_values
                        and not list_contains(string_split(any_value(cluster_by), chr(10)), attribute)
                end
        )
);

insert into base.subset_cell (condition_no, subset_no, block_no, segment_no)
select condition_no, subset_no, block_no, 0
from base.item_attribute
join base.subset using (condition_no)
where condition_no = $condition and subset = attribute || '=' || value
order by subset_no, block_no
