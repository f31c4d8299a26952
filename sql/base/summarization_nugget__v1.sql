/*
title:    Nuggets under a scoring profile: relevance, reference time, length
formula:  graded   R(n) = exp(importance) / exp(top),  top = importance_top, or the maximum over the event's nuggets
          binary   R(n) = 1 if importance > 0 (binary_rule positive) or <> 0 (nonzero), else 0
          time     as the nuggets file says (latency_fix none); the earlier of that and the earliest time at which
                   any run sent an update that matches (all); that time alone (updates_only)
source:   TREC 2013 Temporal Summarization Metrics, section 2.3, eq. 19, 20;
          the track's programs of 2013 to 2015 (importance_top 3, options -b, -t, -l)
inputs:   base.nugget, base.nugget_match, base.known_update, base.first_emission, registry.condition_profile,
          registry.profile
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
with matched as (
    select distinct condition_no, block_no, nugget_no, 1 as is_matched from base.nugget_match where nugget_no > 0
),

-- a row that counts comes before one that does not; then the last in the file
ranked as (
    select
        condition_no, profile_no, block_no, nugget_no, importance, nugget_time as file_time,
        case when word_count = 'column' then length_column when word_count = 'blanks' then n_word_blanks else n_word end
            as n_text_word,
        case
            when nugget_importance = 'positive' and importance <= 0 then 'importance'
            when nuggets = 'matched' and coalesce(is_matched, 0) = 0 then 'not matched'
        end as exclusion_reason,
        relevance as rule, binary_rule, importance_top, repeated_nugget, latency_fix,
        row_number() over (
            partition by condition_no, profile_no, block_no, nugget_no
            order by case when exclusion_reason is null then 0 else 1 end, row_no desc
        ) as place
    from base.nugget join registry.condition_profile using (condition_no) join registry.profile using (profile_no)
    left join matched using (condition_no, block_no, nugget_no)
),

-- the greatest importance of an event is over the nuggets that count
graded as (
    select
        *,
        case
            when rule = 'binary' and binary_rule = 'nonzero' then case when importance <> 0 then 1e0 else 0e0 end
            when rule = 'binary' then case when importance > 0 then 1e0 else 0e0 end
            else exp(importance) / nullif(exp(coalesce(
                importance_top,
                max(case when place = 1 and exclusion_reason is null then importance end)
                    over (partition by condition_no, profile_no, block_no),
                importance
            )), 0e0)
        end as row_relevance
    from ranked where place = 1 or (exclusion_reason is null and repeated_nugget = 'every_row')
),

nugget as (
    select
        condition_no, profile_no, block_no, nugget_no, latency_fix, max(exclusion_reason) as reason,
        max(importance) filter (where place = 1) as last_importance,
        max(file_time) filter (where place = 1) as last_time, max(row_relevance) filter (where place = 1) as relevance,
        count(*) as n_row, exact_sum(row_relevance, 1e18) as relevance_of_rows, whole_sum(n_text_word) as sum_word
    from graded group by all
),

-- in the pool an update is itself, and the one whose duplicate it is
stands_for as (
    select condition_no, block_no, update_no, update_no as same_no from base.known_update where is_pooled = 1
    union all
    select condition_no, block_no, update_no, duplicate_no as same_no
    from base.known_update where is_pooled = 1 and duplicate_no > 0
),

earliest as (
    select condition_no, block_no, nugget_no, min(first_time) as earliest_time
    from base.nugget_match join stands_for as said using (condition_no, block_no, update_no)
    join stands_for as sent using (condition_no, block_no, same_no)
    join base.first_emission as first
        on first.condition_no = sent.condition_no and first.block_no = sent.block_no
        and first.update_no = sent.update_no
    where has_span = 1 and nugget_no > 0
    group by condition_no, block_no, nugget_no
)

select
    condition_no, profile_no, block_no, nugget_no, case when reason is null then 1 else 0 end as is_scored,
    reason as exclusion_reason, last_importance as importance,
    case
        when latency_fix = 'updates_only' then earliest_time
        when latency_fix = 'all' and earliest_time < last_time then earliest_time
        else last_time
    end as nugget_time,
    relevance, n_row, case when n_row = 1 then relevance else relevance_of_rows end as sum_relevance, sum_word
from nugget
left join earliest using (condition_no, block_no, nugget_no)
