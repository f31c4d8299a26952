/*
title:    B-CUBED precision and recall of each story
formula:  s in system topic j and reference topic i, n(i, j) stories in both:
              b3_precision = n(i, j) / n(., j)        b3_recall = n(i, j) / n(i, .)
          s on one side only: 0 there; where it is a topic of one story on the other side (singleton), it shares that
          topic with itself only: 1 / n(., j), or 1 / n(i, .)
source:   A. Bagga, Enhancing the TDT Tracking Evaluation, figure 4
inputs:   metric.bcubed_reference__v1, metric.bcubed_response__v1, metric.bcubed_outside__v1, registry.profile
grain:    run_no, profile_no, story_no
columns:
    run_no        key           run
    profile_no    key           scoring profile
    story_no      key           story
    reference_no  count         reference topic; 0 is none
    response_no   count         system topic; 0 is none
    n_reference   count         stories of the reference topic; NULL without one
    n_response    count         stories of the system topic; NULL without one
    n_shared      count         stories of both; NULL where the story lacks one of them
    b3_precision  ratio [0, 1]  NULL where the system puts the story nowhere, unless b3_unassigned says 0 or 1
    b3_recall     ratio [0, 1]  NULL where the story is in no reference topic, unless b3_unjudged says 0 or 1
    null_reason   text          several topics: all numbers are NULL because a story of the run has several topics on a
                                side
edges:    The means over the stories are b3_precision and b3_recall of score__v1, weighting story.
          A story that a drop policy removes has no row.
class:    exact
volume:   stories
see also: score__v1, topic__v1, overlap_ratio__v1 (stories of several topics)
*/
with member as (
    select run_no, profile_no, story_no, block_no as member_of, 0 as answered from metric.bcubed_reference__v1
    union all
    select run_no, profile_no, story_no, 0 as member_of, block_no as answered from metric.bcubed_response__v1
),

story as (
    select run_no, profile_no, story_no, max(member_of) as gold_no, max(answered) as system_no from member group by all
),

counted as (
    select
        story.*, b3_unassigned, b3_unjudged, n_overlapping,
        count(*) over (partition by run_no, profile_no, gold_no) as n_of_reference,
        count(*) over (partition by run_no, profile_no, system_no) as n_of_response,
        count(*) over (partition by run_no, profile_no, gold_no, system_no) as n_of_both
    from story join registry.profile using (profile_no)
    join metric.bcubed_outside__v1 using (run_no, profile_no)
    where is_response = 1 and (system_no <> 0 or coalesce(b3_unassigned, '') <> 'drop')
        and (gold_no <> 0 or coalesce(b3_unjudged, '') <> 'drop')
)

select
    run_no, profile_no, story_no, case when n_overlapping = 0 then gold_no end as reference_no,
    case when n_overlapping = 0 then system_no end as response_no,
    case when reference_no > 0 then n_of_reference end as n_reference,
    case when response_no > 0 then n_of_response end as n_response,
    case when reference_no > 0 and response_no > 0 then n_of_both end as n_shared,
    case
        when n_overlapping > 0 then null
        when n_shared > 0 then ratio(n_shared, n_response)
        when response_no > 0 and b3_unjudged = 'singleton' then ratio(1, n_response)
        when response_no > 0 or b3_unassigned = 'zero' then 0e0
        when b3_unassigned = 'singleton' then 1e0
    end as b3_precision,
    case
        when n_overlapping > 0 then null
        when n_shared > 0 then ratio(n_shared, n_reference)
        when reference_no > 0 and b3_unassigned = 'singleton' then ratio(1, n_reference)
        when reference_no > 0 or b3_unjudged = 'zero' then 0e0
        when b3_unjudged = 'singleton' then 1e0
    end as b3_recall,
    case when n_overlapping > 0 then 'several topics' end as null_reason
from counted
