/*
title:    B-CUBED recall of each reference topic and precision of each system topic
formula:  b3_recall of reference topic i    = sum_j n(i, j)^2 / n(i, .)^2
          b3_precision of system topic j    = sum_i n(i, j)^2 / n(., j)^2
source:   A. Bagga, Enhancing the TDT Tracking Evaluation, figures 4 and 6
inputs:   metric.bcubed_side_topic__v1, metric.bcubed_outside__v1, registry.run, base.block
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no        key           run
    profile_no    key           scoring profile
    subset_no     key           subset; always 0, all
    block_no      key           topic
    n_reference   count         stories of the reference topic; 0 where the recall is undefined
    n_response    count         stories the system puts in the topic; 0 where the precision is undefined
    b3_precision  ratio [0, 1]  of the system topic; NULL where the system puts no story in it
    b3_recall     ratio [0, 1]  of the reference topic; NULL where it has no story
    null_reason   text          several topics: both are NULL because a story has several topics on a side
metrics:
    b3_precision  n=n_response   best=highest  B-CUBED precision
    b3_recall     n=n_reference  best=highest  B-CUBED recall
edges:    The topic as the system sees it and the topic as the reference sees it are
          two sets of stories under one name.
          Figure 6 as printed takes another sum for the recall: its inner denominator has delta_sys(t, s1) as its
          numerator has, so that each story adds 1, and its outer sum runs over the topics of the response. What is
          left is the first factor. As 1 / stories of the response topic it gives 1 for every run in which the sides
          have as many topics; as 1 / stories of the reference topic of the same name it gives
          (200/200 + 250/200 + 0 + 50/50) / 4 = .8125 for the paper's R1 and (1 + 240/200 + 10/50 + 1) / 4 = .85 for R4.
          Here the inner denominator is sum_s1 delta_ref(t1, s1), and the outer sum runs over the reference topics.
          That gives the 23/25 that the paper prints for R4. The precision is as printed.
          Topics of one story that the singleton policies make have no name and no row.
class:    exact
see also: score__v1, extended_topic__v1
*/
with side as (
    select
        run_no, profile_no, block_no, max(n_story) filter (where is_response = 0) as n_reference,
        max(n_story) filter (where is_response = 1) as n_response,
        max(ratio) filter (where is_response = 1) as b3_precision,
        max(ratio) filter (where is_response = 0) as b3_recall
    from metric.bcubed_side_topic__v1 group by all
)

select
    run_no, profile_no, 0 as subset_no, block_no, coalesce(n_reference, 0) as n_reference,
    coalesce(n_response, 0) as n_response, b3_precision, b3_recall,
    case when n_overlapping > 0 then 'several topics' end as null_reason
from metric.bcubed_outside__v1 join registry.run using (run_no)
join base.block using (condition_no)
left join side using (run_no, profile_no, block_no)
where is_response = 1 and is_scored = 1
