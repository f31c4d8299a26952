/*
title:    Pairs of items that can share several clusters of a side
formula:  two items of one cluster, both in several clusters of that side
source:   Our own: two items that share several clusters of a side are both in several there
inputs:   registry.run, registry.condition_profile, registry.profile, base.partition_gold, base.partition_answer
grain:    run_no, profile_no, first_no, second_no
columns:
    run_no         key    run
    profile_no     key    scoring profile
    first_no       key    item
    second_no      key    item after it
    condition_no   count  condition of the run
    is_first_only  flag   1: an item of the run counts in its first cluster alone (repeated_item = first)
class:    exact
see also: repeated_pair__v1
*/
with

chosen as (
    select
        run_no, profile_no, condition_no,
        case when repeated_item = 'first' then 1 else 0 end as is_first_only
    from registry.run
    join registry.condition_profile using (condition_no)
    join registry.profile using (profile_no)
),

gold_several as (
    select condition_no, item_no, max(place) as last_place
    from base.partition_gold
    group by condition_no, item_no
),

answer_several as (
    select run_no, item_no, max(place) as last_place
    from base.partition_answer
    group by run_no, item_no
),

gold_member as (
    select condition_no, item_no, cluster_no
    from base.partition_gold
    join gold_several using (condition_no, item_no)
    where last_place > 1
),

answer_member as (
    select run_no, item_no, cluster_no
    from base.partition_answer
    join answer_several using (run_no, item_no)
    where last_place > 1
),

candidate as (
    select run_no, profile_no, one.item_no as first_no, other.item_no as second_no
    from chosen
    join gold_member as one using (condition_no)
    join gold_member as other using (condition_no, cluster_no)
    where one.item_no < other.item_no
    union all
    select run_no, profile_no, one.item_no as first_no, other.item_no as second_no
    from chosen
    join answer_member as one using (run_no)
    join answer_member as other using (run_no, cluster_no)
    where one.item_no < other.item_no and is_first_only = 0
)

select run_no, profile_no, first_no, second_no, condition_no, is_first_only
from candidate
join chosen using (run_no, profile_no)
group by run_no, profile_no, first_no, second_no, condition_no, is_first_only
