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
        side.run_no as run_no,
        side.profile_no as profile_no,
        side.is_response as is_response,
        side.unit_no as unit_no,
        unit.block_no as block_no,
        side.n_story as n_story
    from metric.bcubed_overlap_side__v1 as side
    inner join metric.bcubed_overlap_unit__v1 as unit
        on unit.run_no = side.run_no
        and unit.profile_no = side.profile_no
        and unit.unit_no = side.unit_no
        and unit.is_response = side.is_response
    where side.n_own <= 6

),

one as (

    select
        topic.run_no as run_no,
        topic.profile_no as profile_no,
        topic.is_response as is_response,
        topic.unit_no as unit_no,
        topic.block_no as topic_1,
        0 as topic_2,
        0 as topic_3,
        0 as topic_4,
        0 as topic_5,
        0 as topic_6,
        1 as n_topic,
        topic.n_story as n_story
    from own_topic as topic

),

-- each set once, its topics in rising order
two as (

    select
        fewer.run_no as run_no,
        fewer.profile_no as profile_no,
        fewer.is_response as is_response,
        fewer.unit_no as unit_no,
        fewer.topic_1 as topic_1,
        next.block_no as topic_2,
        0 as topic_3,
        0 as topic_4,
        0 as topic_5,
        0 as topic_6,
        2 as n_topic,
        fewer.n_story as n_story
    from one as fewer
    inner join own_topic as next
        on next.run_no = fewer.run_no
        and next.profile_no = fewer.profile_no
        and next.is_response = fewer.is_response
        and next.unit_no = fewer.unit_no
        and next.block_no > fewer.topic_1

),

three as (

    select
        fewer.run_no as run_no,
        fewer.profile_no as profile_no,
        fewer.is_response as is_response,
        fewer.unit_no as unit_no,
        fewer.topic_1 as topic_1,
        fewer.topic_2 as topic_2,
        next.block_no as topic_3,
        0 as topic_4,
        0 as topic_5,
        0 as topic_6,
        3 as n_topic,
        fewer.n_story as n_story
    from two as fewer
    inner join own_topic as next
        on next.run_no = fewer.run_no
        and next.profile_no = fewer.profile_no
        and next.is_response = fewer.is_response
        and next.unit_no = fewer.unit_no
        and next.block_no > fewer.topic_2

),

four as (

    select
        fewer.run_no as run_no,
        fewer.profile_no as profile_no,
        fewer.is_response as is_response,
        fewer.unit_no as unit_no,
        fewer.topic_1 as topic_1,
        fewer.topic_2 as topic_2,
        fewer.topic_3 as topic_3,
        next.block_no as topic_4,
        0 as topic_5,
        0 as topic_6,
        4 as n_topic,
        fewer.n_story as n_story
    from three as fewer
    inner join own_topic as next
        on next.run_no = fewer.run_no
        and next.profile_no = fewer.profile_no
        and next.is_response = fewer.is_response
        and next.unit_no = fewer.unit_no
        and next.block_no > fewer.topic_3

),

five as (

    select
        fewer.run_no as run_no,
        fewer.profile_no as profile_no,
        fewer.is_response as is_response,
        fewer.unit_no as unit_no,
        fewer.topic_1 as topic_1,
        fewer.topic_2 as topic_2,
        fewer.topic_3 as topic_3,
        fewer.topic_4 as topic_4,
        next.block_no as topic_5,
        0 as topic_6,
        5 as n_topic,
        fewer.n_story as n_story
    from four as fewer
    inner join own_topic as next
        on next.run_no = fewer.run_no
        and next.profile_no = fewer.profile_no
        and next.is_response = fewer.is_response
        and next.unit_no = fewer.unit_no
        and next.block_no > fewer.topic_4

),

six as (

    select
        fewer.run_no as run_no,
        fewer.profile_no as profile_no,
        fewer.is_response as is_response,
        fewer.unit_no as unit_no,
        fewer.topic_1 as topic_1,
        fewer.topic_2 as topic_2,
        fewer.topic_3 as topic_3,
        fewer.topic_4 as topic_4,
        fewer.topic_5 as topic_5,
        next.block_no as topic_6,
        6 as n_topic,
        fewer.n_story as n_story
    from five as fewer
    inner join own_topic as next
        on next.run_no = fewer.run_no
        and next.profile_no = fewer.profile_no
        and next.is_response = fewer.is_response
        and next.unit_no = fewer.unit_no
        and next.block_no > fewer.topic_5

),

subset as (

    select
        one.run_no as run_no,
        one.profile_no as profile_no,
        one.is_response as is_response,
        one.unit_no as unit_no,
        one.topic_1 as topic_1,
        one.topic_2 as topic_2,
        one.topic_3 as topic_3,
        one.topic_4 as topic_4,
        one.topic_5 as topic_5,
        one.topic_6 as topic_6,
        one.n_topic as n_topic,
        one.n_story as n_story
    from one as one
    union all
    select
        two.run_no as run_no,
        two.profile_no as profile_no,
        two.is_response as is_response,
        two.unit_no as unit_no,
        two.topic_1 as topic_1,
        two.topic_2 as topic_2,
        two.topic_3 as topic_3,
        two.topic_4 as topic_4,
        two.topic_5 as topic_5,
        two.topic_6 as topic_6,
        two.n_topic as n_topic,
        two.n_story as n_story
    from two as two
    union all
    select
        three.run_no as run_no,
        three.profile_no as profile_no,
        three.is_response as is_response,
        three.unit_no as unit_no,
        three.topic_1 as topic_1,
        three.topic_2 as topic_2,
        three.topic_3 as topic_3,
        three.topic_4 as topic_4,
        three.topic_5 as topic_5,
        three.topic_6 as topic_6,
        three.n_topic as n_topic,
        three.n_story as n_story
    from three as three
    union all
    select
        four.run_no as run_no,
        four.profile_no as profile_no,
        four.is_response as is_response,
        four.unit_no as unit_no,
        four.topic_1 as topic_1,
        four.topic_2 as topic_2,
        four.topic_3 as topic_3,
        four.topic_4 as topic_4,
        four.topic_5 as topic_5,
        four.topic_6 as topic_6,
        four.n_topic as n_topic,
        four.n_story as n_story
    from four as four
    union all
    select
        five.run_no as run_no,
        five.profile_no as profile_no,
        five.is_response as is_response,
        five.unit_no as unit_no,
        five.topic_1 as topic_1,
        five.topic_2 as topic_2,
        five.topic_3 as topic_3,
        five.topic_4 as topic_4,
        five.topic_5 as topic_5,
        five.topic_6 as topic_6,
        five.n_topic as n_topic,
        five.n_story as n_story
    from five as five
    union all
    select
        six.run_no as run_no,
        six.profile_no as profile_no,
        six.is_response as is_response,
        six.unit_no as unit_no,
        six.topic_1 as topic_1,
        six.topic_2 as topic_2,
        six.topic_3 as topic_3,
        six.topic_4 as topic_4,
        six.topic_5 as topic_5,
        six.topic_6 as topic_6,
        six.n_topic as n_topic,
        six.n_story as n_story
    from six as six

),

known as (

    select
        subset.run_no as run_no,
        subset.profile_no as profile_no,
        subset.is_response as is_response,
        subset.topic_1 as topic_1,
        subset.topic_2 as topic_2,
        subset.topic_3 as topic_3,
        subset.topic_4 as topic_4,
        subset.topic_5 as topic_5,
        subset.topic_6 as topic_6
    from subset as subset
    group by subset.run_no, subset.profile_no, subset.is_response, subset.topic_1, subset.topic_2, subset.topic_3, subset.topic_4, subset.topic_5, subset.topic_6

),

numbered as (

    select
        known.run_no as run_no,
        known.profile_no as profile_no,
        known.is_response as is_response,
        known.topic_1 as topic_1,
        known.topic_2 as topic_2,
        known.topic_3 as topic_3,
        known.topic_4 as topic_4,
        known.topic_5 as topic_5,
        known.topic_6 as topic_6,
        row_number() over (
            partition by known.run_no, known.profile_no, known.is_response
            order by known.topic_1, known.topic_2, known.topic_3, known.topic_4, known.topic_5, known.topic_6
            rows between unbounded preceding and current row
        ) as subset_no
    from known as known

)

select
    subset.run_no as run_no,
    subset.profile_no as profile_no,
    subset.is_response as is_response,
    subset.unit_no as unit_no,
    numbered.subset_no as subset_no,
    subset.n_topic as n_topic,
    subset.n_story as n_story
from subset as subset
inner join numbered as numbered
    on numbered.run_no = subset.run_no
    and numbered.profile_no = subset.profile_no
    and numbered.is_response = subset.is_response
    and numbered.topic_1 = subset.topic_1
    and numbered.topic_2 = subset.topic_2
    and numbered.topic_3 = subset.topic_3
    and numbered.topic_4 = subset.topic_4
    and numbered.topic_5 = subset.topic_5
    and numbered.topic_6 = subset.topic_6
