/*
title:    How much work the extended B-CUBED numbers of a run are
formula:  n_pair = pairs formed through the topics of one side + what the stories near a unit on the other side take to
          count,
          the side chosen so that it is least;
          pairs of a side = sum over its topics of (requested units) (units) (1 + topics of these units / 250):
              250 topics to compare take the time of a pair;
          counting near a unit = its pairs, or the union of its topics as sets of stories, 1000 stories in the time of a
          pair
          is_made = 1 where n_pair <= 10^8, or <= 50 for each decision of the run: at most about the time of its curves
source:   Our own: no metric may cost more than the curves by default
inputs:   metric.bcubed_overlap_unit__v1, registry.run
grain:    run_no, profile_no
columns:
    run_no      key    run
    profile_no  key    scoring profile
    n_pair      count  pairs of units
    is_made     flag   1: computed; 0: computed on request only
edges:    Runs without stories on several topics have no row: their numbers are always made.
class:    exact
see also: overlap_gain__v1, extended_score__v1
*/
-- once: a view that is read twice is planned and computed twice
with unit_topic as (select * from metric.bcubed_overlap_unit__v1),

unit_size as (select run_no, profile_no, unit_no, max(n_story) as n_story_of_unit from unit_topic group by all),

run_size as (select run_no, profile_no, whole_sum(n_story_of_unit) as n_story_of_run from unit_size group by all),

topic as (
    select
        run_no, profile_no, is_response, block_no, count(*) as n_unit, whole_sum(n_own + n_other) as n_membership,
        whole_sum(is_asked) as n_asked,
        count(*) over (partition by run_no, profile_no) as n_topic
    from unit_topic group by run_no, profile_no, is_response, block_no
),

one_side as (
    select
        run_no, profile_no, is_response,
        whole_sum(n_asked * n_unit)
        + cast(floor(
            cast(sum(n_asked * n_unit * case when n_membership < n_topic then n_membership else n_topic end) as double)
            / 250
        ) as bigint) as n_formed,
        whole_sum(n_asked) as n_asked_topic
    from topic group by all
),

-- what finding the stories near a unit takes on this side
near_side as (
    select
        *,
        case
            when n_asked_topic * n_story_of_run < n_formed * 1000
                then cast(floor(cast(n_asked_topic * n_story_of_run as double) / 1000) as bigint)
            else n_formed
        end as n_near
    from one_side join run_size using (run_no, profile_no)
),

total as (
    select own.run_no, own.profile_no, min(own.n_formed + coalesce(other.n_near, 0)) as n_pair
    from near_side as own
    left join near_side as other
        on other.run_no = own.run_no and other.profile_no = own.profile_no and other.is_response = 1 - own.is_response
    group by all
)

select run_no, profile_no, n_pair, case when n_pair <= 100000000 or n_pair <= 50 * n_row then 1 else 0 end as is_made
from total join registry.run using (run_no)
