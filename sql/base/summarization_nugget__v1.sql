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
        hit.condition_no as condition_no,
        hit.block_no as block_no,
        hit.nugget_no as nugget_no,
        1 as is_matched
    from base.nugget_match as hit
    where hit.nugget_no > 0
    group by hit.condition_no, hit.block_no, hit.nugget_no

),

labelled_row as (

    select
        nugget.condition_no as condition_no,
        used.profile_no as profile_no,
        nugget.block_no as block_no,
        nugget.nugget_no as nugget_no,
        nugget.row_no as row_no,
        nugget.importance as importance,
        nugget.nugget_time as file_time,
        case
            when profile.word_count = 'column' then nugget.length_column
            when profile.word_count = 'blanks' then nugget.n_word_blanks
            else nugget.n_word
        end as n_word,
        case
            when profile.nugget_importance = 'positive' and nugget.importance <= 0 then 'importance'
            when profile.nuggets = 'matched' and coalesce(matched.is_matched, 0) = 0 then 'not matched'
        end as exclusion_reason
    from base.nugget as nugget
    inner join registry.condition_profile as used on used.condition_no = nugget.condition_no
    inner join registry.profile as profile on profile.profile_no = used.profile_no
    left join matched_nugget as matched
        on matched.condition_no = nugget.condition_no
        and matched.block_no = nugget.block_no
        and matched.nugget_no = nugget.nugget_no

),

-- a row that counts comes before one that does not; then the last in the file
ranked_row as (

    select
        labelled.condition_no as condition_no,
        labelled.profile_no as profile_no,
        labelled.block_no as block_no,
        labelled.nugget_no as nugget_no,
        labelled.importance as importance,
        labelled.file_time as file_time,
        labelled.n_word as n_word,
        labelled.exclusion_reason as exclusion_reason,
        row_number() over (
            partition by labelled.condition_no, labelled.profile_no, labelled.block_no, labelled.nugget_no
            order by case when labelled.exclusion_reason is null then 0 else 1 end, labelled.row_no desc
        ) as place
    from labelled_row as labelled

),

event_top as (

    select
        ranked.condition_no as condition_no,
        ranked.profile_no as profile_no,
        ranked.block_no as block_no,
        max(ranked.importance) as top_importance
    from ranked_row as ranked
    where ranked.place = 1 and ranked.exclusion_reason is null
    group by ranked.condition_no, ranked.profile_no, ranked.block_no

),

graded_row as (

    select
        ranked.condition_no as condition_no,
        ranked.profile_no as profile_no,
        ranked.block_no as block_no,
        ranked.nugget_no as nugget_no,
        ranked.importance as importance,
        ranked.file_time as file_time,
        ranked.n_word as n_word,
        ranked.exclusion_reason as exclusion_reason,
        ranked.place as place,
        case
            when profile.relevance = 'binary' and profile.binary_rule = 'nonzero'
                then case when ranked.importance <> 0 then 1e0 else 0e0 end
            when profile.relevance = 'binary'
                then case when ranked.importance > 0 then 1e0 else 0e0 end
            else exp(ranked.importance)
                / nullif(exp(coalesce(profile.importance_top, highest.top_importance, ranked.importance)), 0e0)
        end as relevance
    from ranked_row as ranked
    inner join registry.profile as profile on profile.profile_no = ranked.profile_no
    left join event_top as highest
        on highest.condition_no = ranked.condition_no
        and highest.profile_no = ranked.profile_no
        and highest.block_no = ranked.block_no
    where ranked.place = 1
        or (ranked.exclusion_reason is null and profile.repeated_nugget = 'every_row')

),

-- an update's time is also that of its duplicates in the pool
emission as (

    select
        sent.condition_no as condition_no,
        sent.block_no as block_no,
        sent.update_no as update_no,
        sent.first_time as first_time
    from base.first_emission as sent
    inner join base.known_update as pooled
        on pooled.condition_no = sent.condition_no
        and pooled.block_no = sent.block_no
        and pooled.update_no = sent.update_no
    where pooled.is_pooled = 1

    union all

    select
        sent.condition_no as condition_no,
        sent.block_no as block_no,
        pooled.duplicate_no as update_no,
        sent.first_time as first_time
    from base.first_emission as sent
    inner join base.known_update as pooled
        on pooled.condition_no = sent.condition_no
        and pooled.block_no = sent.block_no
        and pooled.update_no = sent.update_no
    where pooled.is_pooled = 1 and pooled.duplicate_no > 0

),

matching_update as (

    select
        hit.condition_no as condition_no,
        hit.block_no as block_no,
        hit.nugget_no as nugget_no,
        pooled.update_no as update_no
    from base.nugget_match as hit
    inner join base.known_update as pooled
        on pooled.condition_no = hit.condition_no
        and pooled.block_no = hit.block_no
        and pooled.update_no = hit.update_no
    where hit.has_span = 1 and hit.nugget_no > 0 and pooled.is_pooled = 1

    union all

    select
        hit.condition_no as condition_no,
        hit.block_no as block_no,
        hit.nugget_no as nugget_no,
        pooled.duplicate_no as update_no
    from base.nugget_match as hit
    inner join base.known_update as pooled
        on pooled.condition_no = hit.condition_no
        and pooled.block_no = hit.block_no
        and pooled.update_no = hit.update_no
    where hit.has_span = 1 and hit.nugget_no > 0 and pooled.is_pooled = 1 and pooled.duplicate_no > 0

),

earliest as (

    select
        matching.condition_no as condition_no,
        matching.block_no as block_no,
        matching.nugget_no as nugget_no,
        1 as is_sent,
        min(sent.first_time) as earliest_time
    from matching_update as matching
    inner join emission as sent
        on sent.condition_no = matching.condition_no
        and sent.block_no = matching.block_no
        and sent.update_no = matching.update_no
    group by matching.condition_no, matching.block_no, matching.nugget_no

),

nugget_sum as (

    select
        graded.condition_no as condition_no,
        graded.profile_no as profile_no,
        graded.block_no as block_no,
        graded.nugget_no as nugget_no,
        max(case when graded.place = 1 then graded.importance end) as importance,
        max(case when graded.place = 1 then graded.file_time end) as file_time,
        max(case when graded.place = 1 then graded.relevance end) as relevance,
        max(graded.exclusion_reason) as exclusion_reason,
        count(*) as n_row,
        sum(cast(floor(graded.relevance * 1e18 + 5e-1) as decimal(38, 0))) as sum_relevance,
        sum(graded.n_word) as sum_word
    from graded_row as graded
    group by graded.condition_no, graded.profile_no, graded.block_no, graded.nugget_no

)

select
    total.condition_no as condition_no,
    total.profile_no as profile_no,
    total.block_no as block_no,
    total.nugget_no as nugget_no,
    case when total.exclusion_reason is null then 1 else 0 end as is_scored,
    total.exclusion_reason as exclusion_reason,
    total.importance as importance,
    case
        when profile.latency_fix = 'updates_only' then case when coalesce(sent.is_sent, 0) = 1 then sent.earliest_time end
        when profile.latency_fix = 'all' and coalesce(sent.is_sent, 0) = 1 and sent.earliest_time < total.file_time
            then sent.earliest_time
        else total.file_time
    end as nugget_time,
    total.relevance as relevance,
    cast(total.n_row as bigint) as n_row,
    case when total.n_row = 1 then total.relevance else cast(total.sum_relevance as double) / 1e18 end as sum_relevance,
    cast(total.sum_word as bigint) as sum_word
from nugget_sum as total
inner join registry.profile as profile on profile.profile_no = total.profile_no
left join earliest as sent
    on sent.condition_no = total.condition_no
    and sent.block_no = total.block_no
    and sent.nugget_no = total.nugget_no
