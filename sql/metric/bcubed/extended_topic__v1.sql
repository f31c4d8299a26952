/*
title:    Extended B-CUBED recall of each reference topic and precision of each system topic
formula:  b3_ext_recall of a reference topic = mean over its stories of their recall
          b3_ext_precision of a system topic = mean over its stories of their precision
          (story ratios as in overlap_ratio__v1)
source:   E. Amigo, J. Gonzalo, J. Artiles and F. Verdejo, A comparison of extrinsic clustering evaluation metrics,
          section 5;
          A. Bagga, Enhancing the TDT Tracking Evaluation, figure 6
inputs:   metric.bcubed_extended_side_topic__v1, metric.bcubed_overlap_work__v1, metric.bcubed_outside__v1,
          registry.run, base.block
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no            key           run
    profile_no        key           scoring profile
    subset_no         key           subset; always 0, all
    block_no          key           topic
    n_reference       count         stories of the reference topic; 0 where the recall is undefined
    n_response        count         stories the system puts in the topic; 0 where the precision is undefined
    b3_ext_precision  ratio [0, 1]  of the system topic; NULL where the system puts no story in it
    b3_ext_recall     ratio [0, 1]  of the reference topic; NULL where it has no story
    null_reason       text          too many pairs: both are NULL because they were not requested (extended_score__v1)
metrics:
    b3_ext_precision  n=n_response   best=highest  Extended B-CUBED precision
    b3_ext_recall     n=n_reference  best=highest  Extended B-CUBED recall
edges:    Where every story has one topic at most these are the numbers of topic__v1.
class:    exact
see also: extended_score__v1, topic__v1
*/
with side as (
    select
        run_no, profile_no, block_no, max(n_story) filter (where is_response = 0) as n_reference,
        max(n_story) filter (where is_response = 1) as n_response,
        max(ratio) filter (where is_response = 1) as b3_ext_precision,
        max(ratio) filter (where is_response = 0) as b3_ext_recall
    from metric.bcubed_extended_side_topic__v1 group by all
)

select
    run_no, profile_no, 0 as subset_no, block_no, coalesce(n_reference, 0) as n_reference,
    coalesce(n_response, 0) as n_response, b3_ext_precision, b3_ext_recall,
    case when is_made = 0 then 'too many pairs' end as null_reason
from metric.bcubed_outside__v1 join registry.run using (run_no)
join base.block using (condition_no)
left join side using (run_no, profile_no, block_no)
left join metric.bcubed_overlap_work__v1 using (run_no, profile_no)
where is_response = 1 and is_scored = 1
