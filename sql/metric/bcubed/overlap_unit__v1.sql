/*
title:    Stories with the same topics on both sides as one unit, in runs in which a story has several topics
formula:  two stories are one unit if their sets of reference topics are equal and their sets of system topics are
          equal.
          Equal sets have equal numbers of topics and equal sums of topic numbers, of their squares and of their cubes:
          stories alike in these are one unit if every topic of one is a topic of all of them, and a unit each otherwise
source:   E. Amigo, J. Gonzalo, J. Artiles and F. Verdejo, A comparison of extrinsic clustering evaluation metrics,
          section 5 (the ratio of a story depends on its topics only)
inputs:   metric.bcubed_membership__v1, metric.bcubed_outside__v1, registry.profile
grain:    run_no, profile_no, unit_no, block_no, is_response
columns:
    run_no       key    run
    profile_no   key    scoring profile
    unit_no      key    unit: the least story of it
    block_no     key    topic of its stories
    is_response  key    1: system topic; 0: reference topic
    n_story      count  stories of the unit
    n_own        count  topics of each on this side; never 0
    n_other      count  topics of each on the other side
    is_asked     flag   1: their ratio on this side needs the stories near them; 0: it is 0, or the cells have it (one
                        topic at most on each side)
edges:    Stories that a drop policy removes are not here.
          Runs in which every story has one topic at most on each side are not here.
class:    exact
see also: overlap_gain__v1
*/
-- a topic of the system and one of the reference are two numbers
with membership as (
    select *, cast(2 * block_no + is_response as decimal(38, 0)) as topic_no
    from metric.bcubed_membership__v1 join metric.bcubed_outside__v1 using (run_no, profile_no, is_response)
    where n_overlapping > 0
),

story as (
    select
        run_no, profile_no, story_no, whole_sum(1 - is_response) as n_reference, whole_sum(is_response) as n_response,
        sum(topic_no) as sum_of_numbers, sum(topic_no * topic_no) as sum_of_squares,
        sum(topic_no * topic_no * topic_no) as sum_of_cubes
    from membership group by all
),

kept as (
    select story.*, min(story_no) over alike as alike_no, count(*) over alike as n_alike
    from story join registry.profile using (profile_no)
    where (n_response > 0 or coalesce(b3_unassigned, '') <> 'drop')
        and (n_reference > 0 or coalesce(b3_unjudged, '') <> 'drop')
    window alike as (
        partition by run_no, profile_no, n_reference, n_response, sum_of_numbers, sum_of_squares, sum_of_cubes
    )
),

-- topics that only some of those alike have
partial as (
    select run_no, profile_no, alike_no, block_no, is_response
    from kept join membership using (run_no, profile_no, story_no)
    where n_alike > 1
    group by all
    having count(*) < max(n_alike)
),

mixed as (select run_no, profile_no, alike_no, 1 as is_mixed from partial group by all)

select
    run_no, profile_no, story_no as unit_no, block_no, is_response,
    case when is_mixed = 1 then 1 else n_alike end as n_story,
    case when is_response = 1 then n_response else n_reference end as n_own,
    case when is_response = 1 then n_reference else n_response end as n_other,
    case
        when n_reference <= 1 and n_response <= 1 then 0
        when n_reference > 0 and n_response > 0 then 1
        else own_singleton
    end as is_asked
from kept join membership using (run_no, profile_no, story_no)
left join mixed using (run_no, profile_no, alike_no)
where story_no = alike_no or is_mixed = 1
