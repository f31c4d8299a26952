/*
title:    Nuggets under a scoring profile: relevance, reference time, length
formula:  graded   R(n) = exp(importance) / exp(top),  top = importance_top, or the maximum over the event's nuggets
          binary   R(n) = 1 if importance > 0 (binary_rule positive) or <> 0 (nonzero), else 0
          time     as the nuggets file says (latency_fix none); the earlier of that and the earliest time at which
                   any run sent an update that matches (all); that time alone (updates_only)
source:   TREC 2013 Temporal Summarization Metrics, section 2.3, eq. 19, 20;
          the track's programs of 2013 to 2015 (importance_top 3, options -b, -t, -l)
inputs:   base.nugget, base.nugget_match, base.known_update, base.first_emission, registry.condition_profile, registry.profile
grain:    condition_no, profile_no, block_no, nugget_no
columns:
    condition_no      key            condition
    profile_no        key            scoring profile
    block_no          key            event
    nugget_no         key            nugget
    is_scored         flag           1: it belongs to the event's nuggets under this profile
    exclusion_reason  text           why not: importance, or not matched by any update
    importance        grade          of the last row with this id
    nugget_time       seconds        reference time; NULL under updates_only when no run sent a matching update
    relevance         ratio          R(n)
    n_row             count          rows with this id that count in the sums
    sum_relevance     ratio          R(n) over those rows
    sum_word          words          length over those rows
edges:    Of a repeated id the last row gives importance and time. Under repeated_nugget every_row
          all its rows count in the sums of relevance and of lengths, as the programs do.
class:    libm
see also: summarization_event__v1
*/
with

matched_nugget as (
    select
        condition_no, block_no, nugget_no,
        1 as is_matched
    from base.nugget_match
    where nugget_no > 0
    group by condition_no, block_no, nugget_no
),

labelled_row as (
    select
        condition_no, profile_no, block_no, nugget_no, row_no, importance,
        nugget_time as file_time,
        case
            when word_count = 'column' then length_column
            when word_count = 'blanks' then n_word_blanks
            else n_word
        end as n_word,
        case
            when nugget_importance = 'positive' and importance <= 0 then 'importance'
            when nuggets = 'matched' and coalesce(is_matched, 0) = 0 then 'not matched'
        end as exclusion_reason
    from base.nugget
    join registry.condition_profile using (condition_no)
    join registry.profile using (profile_no)
    left join matched_nugget using (condition_no, block_no, nugget_no)
),

-- a row that counts comes before one that does not; then the last in the file
ranked_row as (
    select
        condition_no, profile_no, block_no, nugget_no, importance, file_time, n_word, exclusion_reason,
        row_number() over (
            partition by condition_no, profile_no, block_no, nugget_no
            order by case when exclusion_reason is null then 0 else 1 end, row_no desc
        ) as place
    from labelled_row
),

event_top as (
    select
        condition_no, profile_no, block_no,
        max(importance) as top_importance
    from ranked_row
    where place = 1 and exclusion_reason is null
    group by condition_no, profile_no, block_no
),

graded_row as (
    select
        condition_no, profile_no, block_no, nugget_no, importance, file_time, n_word, exclusion_reason, place,
        case
            when relevance = 'binary' and binary_rule = 'nonzero'
                then case when importance <> 0 then 1e0 else 0e0 end
            when relevance = 'binary'
                then case when importance > 0 then 1e0 else 0e0 end
            else exp(importance)
                / nullif(exp(coalesce(importance_top, top_importance, importance)), 0e0)
        end as relevance
    from ranked_row
    join registry.profile using (profile_no)
    left join event_top using (condition_no, profile_no, block_no)
    where place = 1
        or (exclusion_reason is null and repeated_nugget = 'every_row')
),

-- an update's time is also that of its duplicates in the pool
emission as (
    select
        condition_no, block_no, update_no, first_time
    from base.first_emission
    join base.known_update using (condition_no, block_no, update_no)
    where is_pooled = 1

    union all

    select
        condition_no, block_no,
        duplicate_no as update_no,
        first_time
    from base.first_emission
    join base.known_update using (condition_no, block_no, update_no)
    where is_pooled = 1 and duplicate_no > 0
),

matching_update as (
    select
        condition_no, block_no, nugget_no, pooled.update_no
    from base.nugget_match
    join base.known_update as pooled using (condition_no, block_no, update_no)
    where has_span = 1 and nugget_no > 0 and is_pooled = 1

    union all

    select
        condition_no, block_no, nugget_no,
        duplicate_no as update_no
    from base.nugget_match
    join base.known_update using (condition_no, block_no, update_no)
    where has_span = 1 and nugget_no > 0 and is_pooled = 1 and duplicate_no > 0
),

earliest as (
    select
        condition_no, block_no, nugget_no,
        1 as is_sent,
        min(first_time) as earliest_time
    from matching_update
    join emission using (condition_no, block_no, update_no)
    group by condition_no, block_no, nugget_no
),

nugget_sum as (
    select
        condition_no, profile_no, block_no, nugget_no,
        max(case when place = 1 then importance end) as importance,
        max(case when place = 1 then file_time end) as file_time,
        max(case when place = 1 then relevance end) as relevance,
        max(exclusion_reason) as exclusion_reason,
        count(*) as n_row,
        sum(cast(floor(relevance * 1e18 + 5e-1) as decimal(38, 0))) as sum_relevance,
        sum(n_word) as sum_word
    from graded_row
    group by condition_no, profile_no, block_no, nugget_no
)

select
    condition_no, profile_no, block_no, nugget_no,
    case when exclusion_reason is null then 1 else 0 end as is_scored,
    exclusion_reason, importance,
    case
        when latency_fix = 'updates_only' then case when coalesce(is_sent, 0) = 1 then earliest_time end
        when latency_fix = 'all' and coalesce(is_sent, 0) = 1 and earliest_time < file_time
            then earliest_time
        else file_time
    end as nugget_time,
    total.relevance,
    cast(n_row as bigint) as n_row,
    case when n_row = 1 then total.relevance else cast(sum_relevance as double) / 1e18 end as sum_relevance,
    cast(sum_word as bigint) as sum_word
from nugget_sum as total
join registry.profile using (profile_no)
left join earliest using (condition_no, block_no, nugget_no)
