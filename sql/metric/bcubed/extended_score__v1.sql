/*
title:    Extended B-CUBED precision, recall and F1 of a run, by story and by topic
formula:  story: mean over the stories of a side of their ratio (overlap_ratio__v1; by cells where a story has one topic)
          topic: mean over the topics of a side of extended_topic__v1
          the stories of the other side only enter as in score__v1 (n_zero, n_one);
          b3_ext_f1 = 2 b3_ext_precision b3_ext_recall / (b3_ext_precision + b3_ext_recall), 0 where both are 0
source:   E. Amigo, J. Gonzalo, J. Artiles and F. Verdejo, A comparison of extrinsic clustering evaluation metrics, section 5;
          A. Bagga, Enhancing the TDT Tracking Evaluation, figure 6 (weighting topic)
inputs:   metric.bcubed_extended_side_topic__v1, metric.bcubed_side_cell__v1, metric.bcubed_overlap_ratio__v1, metric.bcubed_outside__v1
grain:    run_no, profile_no, subset_no, weighting
columns:
    run_no            key           run
    profile_no        key           scoring profile
    subset_no         key           subset; always 0, all
    weighting         key           story or topic
    n_precision       count         stories or system topics in the mean of the precision
    n_recall          count         stories or reference topics in the mean of the recall
    n_f1              count         n_precision + n_recall; 0 where b3_ext_f1 is NULL
    b3_ext_precision  ratio [0, 1]  NULL where nothing enters the mean
    b3_ext_recall     ratio [0, 1]  NULL where nothing enters the mean
    b3_ext_f1         ratio [0, 1]  NULL where one of the two is
metrics:
    b3_ext_precision  n=n_precision  best=highest  Extended B-CUBED precision
    b3_ext_recall     n=n_recall     best=highest  Extended B-CUBED recall
    b3_ext_f1         n=n_f1         best=highest  Extended B-CUBED F1
edges:    Where every story has one topic at most these are the numbers of score__v1.
          Every tracking run has both rows, however many topics its stories have.
class:    exact
see also: extended_topic__v1, score__v1
*/
with

single_story as (

    select
        cell.run_no as run_no,
        cell.profile_no as profile_no,
        cell.is_response as is_response,
        cell.own_no as block_no,
        cast(sum(cell.n_story) as bigint) as n_story
    from metric.bcubed_side_cell__v1 as cell
    group by cell.run_no, cell.profile_no, cell.is_response, cell.own_no

),

-- fixed point: whole numbers of 1e-15, summed exactly, divided once
part as (

    select
        topic.run_no as run_no,
        topic.profile_no as profile_no,
        topic.is_response as is_response,
        1 as n_topic,
        cast(floor(topic.ratio * 1e15 + 5e-1) as decimal(38, 0)) as sum_topic,
        coalesce(single_story.n_story, 0) as n_story,
        topic.single_sum as sum_story
    from metric.bcubed_extended_side_topic__v1 as topic
    left join single_story as single_story
        on single_story.run_no = topic.run_no
        and single_story.profile_no = topic.profile_no
        and single_story.is_response = topic.is_response
        and single_story.block_no = topic.block_no
    union all
    select
        unit.run_no as run_no,
        unit.profile_no as profile_no,
        unit.is_response as is_response,
        0 as n_topic,
        cast(0 as decimal(38, 0)) as sum_topic,
        unit.n_story as n_story,
        cast(floor(unit.ratio * 1e15 + 5e-1) as decimal(38, 0)) * cast(unit.n_story as decimal(38, 0)) as sum_story
    from metric.bcubed_overlap_ratio__v1 as unit

),

side_total as (

    select
        part.run_no as run_no,
        part.profile_no as profile_no,
        part.is_response as is_response,
        cast(sum(part.n_topic) as bigint) as n_topic,
        sum(part.sum_topic) as sum_topic,
        cast(sum(part.n_story) as bigint) as n_story,
        sum(part.sum_story) as sum_story
    from part as part
    group by part.run_no, part.profile_no, part.is_response

),

total as (

    select
        outside.run_no as run_no,
        outside.profile_no as profile_no,
        outside.is_response as is_response,
        outside.n_zero as n_zero,
        outside.n_one as n_one,
        coalesce(side_total.n_topic, 0) as n_topic,
        coalesce(side_total.n_story, 0) as n_story,
        coalesce(side_total.sum_topic, 0) as sum_topic,
        coalesce(side_total.sum_story, 0) as sum_story
    from metric.bcubed_outside__v1 as outside
    left join side_total as side_total
        on side_total.run_no = outside.run_no
        and side_total.profile_no = outside.profile_no
        and side_total.is_response = outside.is_response

),

mean as (

    select
        total.run_no as run_no,
        total.profile_no as profile_no,
        total.is_response as is_response,
        'story' as weighting,
        total.n_story + total.n_zero + total.n_one as n_value,
        case
            when total.n_story + total.n_zero + total.n_one > 0
                then cast(total.sum_story + cast(total.n_one as decimal(38, 0)) * cast(1000000000000000 as decimal(38, 0)) as double) / (1e15 * (total.n_story + total.n_zero + total.n_one))
        end as ratio
    from total as total
    union all
    select
        total.run_no as run_no,
        total.profile_no as profile_no,
        total.is_response as is_response,
        'topic' as weighting,
        total.n_topic + total.n_one as n_value,
        case
            when total.n_topic + total.n_one > 0
                then cast(total.sum_topic + cast(total.n_one as decimal(38, 0)) * cast(1000000000000000 as decimal(38, 0)) as double) / (1e15 * (total.n_topic + total.n_one))
        end as ratio
    from total as total

),

side as (

    select
        mean.run_no as run_no,
        mean.profile_no as profile_no,
        mean.weighting as weighting,
        max(case when mean.is_response = 1 then mean.n_value else 0 end) as n_precision,
        max(case when mean.is_response = 0 then mean.n_value else 0 end) as n_recall,
        max(case when mean.is_response = 1 then mean.ratio end) as b3_ext_precision,
        max(case when mean.is_response = 0 then mean.ratio end) as b3_ext_recall
    from mean as mean
    group by mean.run_no, mean.profile_no, mean.weighting

)

select
    side.run_no as run_no,
    side.profile_no as profile_no,
    0 as subset_no,
    side.weighting as weighting,
    side.n_precision as n_precision,
    side.n_recall as n_recall,
    case when side.n_precision > 0 and side.n_recall > 0 then side.n_precision + side.n_recall else 0 end as n_f1,
    side.b3_ext_precision as b3_ext_precision,
    side.b3_ext_recall as b3_ext_recall,
    case
        when side.b3_ext_precision + side.b3_ext_recall > 0
            then 2 * side.b3_ext_precision * side.b3_ext_recall / (side.b3_ext_precision + side.b3_ext_recall)
        when side.b3_ext_precision + side.b3_ext_recall = 0 then cast(0 as double)
    end as b3_ext_f1
from side as side
