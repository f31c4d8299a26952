/*
title:    Overlap cells of runs in which no story has several topics
formula:  n_story(i, j) = |reference topic i n system topic j|
          unassigned stories of i: n(i, .) - sum_j n(i, j)
source:   A. Bagga, Enhancing the TDT Tracking Evaluation, figures 3 and 4
inputs:   metric.bcubed_reference__v1, metric.bcubed_response__v1
grain:    run_no, profile_no, reference_no, response_no
columns:
    run_no        key    run
    profile_no    key    scoring profile
    reference_no  key    reference topic; 0: unjudged stories
    response_no   key    system topic; 0: unassigned stories
    n_story       count  stories
edges:    A join finds the one topic on the other side; cell__v1 groups the stories
          of all other runs, to learn first which of them have several.
class:    exact
volume:   cells
see also: cell__v1
*/
with reference as (select *, block_no as reference_no from metric.bcubed_reference__v1 where is_partition = 1),

assigned as (
    select
        run_no, profile_no, coalesce(reference_no, 0) as found_no, response.block_no as response_no, count(*) as n_story
    from metric.bcubed_response__v1 as response
    left join reference using (run_no, profile_no, story_no)
    where response.is_partition = 1
    group by all
),

topic as (select run_no, profile_no, reference_no, count(*) as n_story_of_topic from reference group by all),

found as (select run_no, profile_no, found_no as reference_no, whole_sum(n_story) as n_found from assigned group by all)

select run_no, profile_no, found_no as reference_no, response_no, n_story from assigned
union all
select run_no, profile_no, reference_no, 0 as response_no, n_story_of_topic - coalesce(n_found, 0) as n_story
from topic
left join found using (run_no, profile_no, reference_no)
where n_story_of_topic > coalesce(n_found, 0)
