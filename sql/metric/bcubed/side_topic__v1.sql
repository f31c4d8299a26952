/*
title:    B-CUBED precision of each system topic and recall of each reference topic, one row a side
formula:  own topic x with n(x) stories, n(x, y) of them in topic y of the other side:
              ratio = sum_y n(x, y)^2 / n(x)^2
          which is the mean over the stories of x of n(x, y(s)) / n(x)
          own-only stories: n(x, y) = 0; where they are topics of one story (singleton): each adds 1 to the sum
source:   A. Bagga, Enhancing the TDT Tracking Evaluation, figures 4 and 6 (with the reference topics in the outer sum of recall)
inputs:   metric.bcubed_side_cell__v1, metric.bcubed_outside__v1
grain:    run_no, profile_no, is_response, block_no
columns:
    run_no       key           run
    profile_no   key           scoring profile
    is_response  key           1: precision of a system topic; 0: recall of a reference topic
    block_no     key           topic
    n_story      count         stories of the topic
    n_square     count         the sum above the line
    story_sum    fixed 1e-15   sum of the ratios of its stories, n_square / n_story
    ratio        ratio [0, 1]  n_square / n_story^2
edges:    A run in which a story has several topics on a side has no rows.
          A topic without stories has no row.
class:    exact
see also: topic__v1, score__v1, extended_side_topic__v1
*/
with

own_topic as (

    select
        cell.run_no as run_no,
        cell.profile_no as profile_no,
        cell.is_response as is_response,
        cell.own_no as block_no,
        cast(sum(cell.n_story) as bigint) as n_story,
        cast(sum(case when cell.other_no > 0 then cell.n_story * cell.n_story else 0 end) as bigint) as n_square,
        cast(sum(case when cell.other_no > 0 then 0 else cell.n_story end) as bigint) as n_own_only
    from metric.bcubed_side_cell__v1 as cell
    group by cell.run_no, cell.profile_no, cell.is_response, cell.own_no

),

sum_of_squares as (

    select
        own_topic.run_no as run_no,
        own_topic.profile_no as profile_no,
        own_topic.is_response as is_response,
        own_topic.block_no as block_no,
        own_topic.n_story as n_story,
        own_topic.n_square + outside.own_singleton * own_topic.n_own_only as n_square
    from own_topic as own_topic
    inner join metric.bcubed_outside__v1 as outside
        on outside.run_no = own_topic.run_no
        and outside.profile_no = own_topic.profile_no
        and outside.is_response = own_topic.is_response
    where outside.n_overlapping = 0

),

-- n_square / n_story in units of 1e-15: the whole part exactly, the rest rounded
whole as (

    select
        total.run_no as run_no,
        total.profile_no as profile_no,
        total.is_response as is_response,
        total.block_no as block_no,
        total.n_story as n_story,
        total.n_square as n_square,
        case when total.n_story > 0 then cast(floor(cast(total.n_square as double) / total.n_story) as bigint) end as n_whole
    from sum_of_squares as total

)

select
    total.run_no as run_no,
    total.profile_no as profile_no,
    total.is_response as is_response,
    total.block_no as block_no,
    total.n_story as n_story,
    total.n_square as n_square,
    cast(total.n_whole as decimal(38, 0)) * cast(1000000000000000 as decimal(38, 0))
    + case
        when total.n_story > 0
            then cast(floor(cast(total.n_square - total.n_whole * total.n_story as double) / total.n_story * 1e15 + 5e-1) as decimal(38, 0))
    end as story_sum,
    case when total.n_story > 0 then cast(total.n_square as double) / (total.n_story * total.n_story) end as ratio
from whole as total
