/*
title:    Sets of own topics that lie within those of a unit
formula:  every set of 1 to 6 topics, for the units with 6 own topics at most (63 sets then)
source:   E. Amigo, J. Gonzalo, J. Artiles and F. Verdejo, A comparison of extrinsic clustering evaluation metrics, section 5 (what two stories share is counted by inclusion and exclusion, overlap_ratio__v1)
inputs:   metric.bcubed_overlap_unit__v1, metric.bcubed_overlap_side__v1
grain:    run_no, profile_no, is_response, unit_no, subset_no
columns:
    run_no       key    run
    profile_no   key    scoring profile
    is_response  key    1: own is the response; 0: own is the reference
    unit_no      key    unit
    subset_no    key    set of topics, numbered within run, profile and side
    n_topic      count  topics in the set
    n_story      count  stories of the unit
edges:    Units with more than 6 own topics are not here: overlap_near__v1 and
          overlap_ratio__v1 pair them.
class:    exact
see also: overlap_near__v1
*/
with

own_topic as (
    select
        run_no, profile_no, is_response, unit_no, block_no, side.n_story
    from metric.bcubed_overlap_side__v1 as side
    join metric.bcubed_overlap_unit__v1 using (run_no, profile_no, unit_no, is_response)
    where n_own <= 6
),

one as (
    select
        run_no, profile_no, is_response, unit_no,
        block_no as topic_1,
        0 as topic_2,
        0 as topic_3,
        0 as topic_4,
        0 as topic_5,
        0 as topic_6,
        1 as n_topic,
        n_story
    from own_topic
),

-- each set once, its topics in rising order
two as (
    select
        fewer.run_no, fewer.profile_no, fewer.is_response, fewer.unit_no, topic_1,
        block_no as topic_2,
        0 as topic_3,
        0 as topic_4,
        0 as topic_5,
        0 as topic_6,
        2 as n_topic,
        fewer.n_story
    from one as fewer
    join own_topic as next
        on next.run_no = fewer.run_no
        and next.profile_no = fewer.profile_no
        and next.is_response = fewer.is_response
        and next.unit_no = fewer.unit_no
        and block_no > topic_1
),

three as (
    select
        fewer.run_no, fewer.profile_no, fewer.is_response, fewer.unit_no, topic_1, topic_2,
        block_no as topic_3,
        0 as topic_4,
        0 as topic_5,
        0 as topic_6,
        3 as n_topic,
        fewer.n_story
    from two as fewer
    join own_topic as next
        on next.run_no = fewer.run_no
        and next.profile_no = fewer.profile_no
        and next.is_response = fewer.is_response
        and next.unit_no = fewer.unit_no
        and block_no > topic_2
),

four as (
    select
        fewer.run_no, fewer.profile_no, fewer.is_response, fewer.unit_no, topic_1, topic_2, topic_3,
        block_no as topic_4,
        0 as topic_5,
        0 as topic_6,
        4 as n_topic,
        fewer.n_story
    from three as fewer
    join own_topic as next
        on next.run_no = fewer.run_no
        and next.profile_no = fewer.profile_no
        and next.is_response = fewer.is_response
        and next.unit_no = fewer.unit_no
        and block_no > topic_3
),

five as (
    select
        fewer.run_no, fewer.profile_no, fewer.is_response, fewer.unit_no, topic_1, topic_2, topic_3, topic_4,
        block_no as topic_5,
        0 as topic_6,
        5 as n_topic,
        fewer.n_story
    from four as fewer
    join own_topic as next
        on next.run_no = fewer.run_no
        and next.profile_no = fewer.profile_no
        and next.is_response = fewer.is_response
        and next.unit_no = fewer.unit_no
        and block_no > topic_4
),

six as (
    select
        fewer.run_no, fewer.profile_no, fewer.is_response, fewer.unit_no, topic_1, topic_2, topic_3, topic_4, topic_5,
        block_no as topic_6,
        6 as n_topic,
        fewer.n_story
    from five as fewer
    join own_topic as next
        on next.run_no = fewer.run_no
        and next.profile_no = fewer.profile_no
        and next.is_response = fewer.is_response
        and next.unit_no = fewer.unit_no
        and block_no > topic_5
),

subset as (
    select
        run_no, profile_no, is_response, unit_no, topic_1, topic_2, topic_3, topic_4, topic_5, topic_6, n_topic, n_story
    from one
    union all
    select
        run_no, profile_no, is_response, unit_no, topic_1, topic_2, topic_3, topic_4, topic_5, topic_6, n_topic, n_story
    from two
    union all
    select
        run_no, profile_no, is_response, unit_no, topic_1, topic_2, topic_3, topic_4, topic_5, topic_6, n_topic, n_story
    from three
    union all
    select
        run_no, profile_no, is_response, unit_no, topic_1, topic_2, topic_3, topic_4, topic_5, topic_6, n_topic, n_story
    from four
    union all
    select
        run_no, profile_no, is_response, unit_no, topic_1, topic_2, topic_3, topic_4, topic_5, topic_6, n_topic, n_story
    from five
    union all
    select
        run_no, profile_no, is_response, unit_no, topic_1, topic_2, topic_3, topic_4, topic_5, topic_6, n_topic, n_story
    from six
),

known as (
    select
        run_no, profile_no, is_response, topic_1, topic_2, topic_3, topic_4, topic_5, topic_6
    from subset
    group by run_no, profile_no, is_response, topic_1, topic_2, topic_3, topic_4, topic_5, topic_6
),

numbered as (
    select
        run_no, profile_no, is_response, topic_1, topic_2, topic_3, topic_4, topic_5, topic_6,
        row_number() over (
            partition by run_no, profile_no, is_response
            order by topic_1, topic_2, topic_3, topic_4, topic_5, topic_6
            rows between unbounded preceding and current row
        ) as subset_no
    from known
)

select
    run_no, profile_no, is_response, unit_no, subset_no, n_topic, n_story
from subset
join numbered using (run_no, profile_no, is_response, topic_1, topic_2, topic_3, topic_4, topic_5, topic_6)
