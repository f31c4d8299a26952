/*
title:    B-CUBED precision of each system topic and recall of each reference topic, one row a side
formula:  own topic x with n(x) stories, n(x, y) of them in topic y of the other side:
              ratio = sum_y n(x, y)^2 / n(x)^2
          which is the mean over the stories of x of n(x, y(s)) / n(x)
          own-only stories: n(x, y) = 0; where they are topics of one story (singleton): each adds 1 to the sum
source:   A. Bagga, Enhancing the TDT Tracking Evaluation, figures 4 and 6 (with the reference topics in the outer sum
          of recall)
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
with own_topic as (
    select
        run_no, profile_no, is_response, own_no as block_no, whole_sum(n_story) as n_story,
        whole_sum(case when other_no > 0 then n_story * n_story when own_singleton = 1 then n_story else 0 end)
            as n_square
    from metric.bcubed_side_cell__v1 join metric.bcubed_outside__v1 using (run_no, profile_no, is_response)
    where n_overlapping = 0
    group by all
)

select
    run_no, profile_no, is_response, block_no, n_story, n_square, ratio_units(n_square, n_story) as story_sum,
    ratio(n_square, n_story * n_story) as ratio
from own_topic
