/*
title:    Updates that the judgments know, under a scoring profile: which count, whose matches they use, how long they are
source:   the track's programs of 2013 to 2015 (pool, duplicate_id, options -i and --duplicates_file);
          TREC 2013 Temporal Summarization Metrics, eq. 1 (every update of the run is in S)
inputs:   base.known_update, registry.condition_profile, registry.profile
grain:    condition_no, profile_no, block_no, update_no
columns:
    condition_no      key     condition
    profile_no        key     scoring profile
    block_no          key     event
    update_no         key     update; 0: any that no file knows
    is_scored         flag    1: it belongs to S when a run sends it
    exclusion_reason  text    why not: outside the pool
    is_sampled        flag    1: the pool has it, itself or as the twin of the duplicates file
    match_update_no   number  the update whose match rows count for it; 0 for none
    text_update_no    number  the update whose text it has; 0 for none
    n_word            words   its length; NULL when unknown
edges:    A duplicate is followed one step only, and only inside the pool of the event. A null update (unpooled
          null_update) is one word long. With unpooled unknown_length it stays in S and its verbosity is 1.
class:    exact
see also: summarization_update__v1
*/
with

labelled as (

    select
        known.condition_no as condition_no,
        used.profile_no as profile_no,
        known.block_no as block_no,
        known.update_no as update_no,
        profile.unpooled as unpooled,
        profile.unpooled_match as unpooled_match,
        profile.duplicates as duplicates,
        profile.word_count as word_count,
        known.is_pooled as is_pooled,
        case
            when known.is_pooled = 1 then known.update_no
            when profile.duplicates_file = 'used' then known.twin_no
            else 0
        end as row_no
    from base.known_update as known
    inner join registry.condition_profile as used on used.condition_no = known.condition_no
    inner join registry.profile as profile on profile.profile_no = used.profile_no

),

-- the row that gives the text: its own, then one step along the pool's duplicates
resolved as (

    select
        labelled.condition_no as condition_no,
        labelled.profile_no as profile_no,
        labelled.block_no as block_no,
        labelled.update_no as update_no,
        labelled.word_count as word_count,
        labelled.unpooled as unpooled,
        case when labelled.row_no > 0 then 1 else 0 end as is_sampled,
        case
            when labelled.row_no > 0 and labelled.duplicates = 'canonical' and pooled.duplicate_no > 0 then pooled.duplicate_no
            else labelled.row_no
        end as text_update_no,
        case
            when labelled.row_no > 0 and labelled.duplicates = 'canonical' and pooled.duplicate_no > 0 then pooled.duplicate_no
            when labelled.row_no > 0 or labelled.unpooled_match = 'kept' then labelled.update_no
            else 0
        end as match_update_no
    from labelled as labelled
    inner join base.known_update as pooled
        on pooled.condition_no = labelled.condition_no
        and pooled.block_no = labelled.block_no
        and pooled.update_no = labelled.row_no

)

select
    resolved.condition_no as condition_no,
    resolved.profile_no as profile_no,
    resolved.block_no as block_no,
    resolved.update_no as update_no,
    case when resolved.is_sampled = 1 or resolved.unpooled in ('null_update', 'unknown_length') then 1 else 0 end as is_scored,
    case when resolved.is_sampled = 0 and resolved.unpooled <> 'null_update' and resolved.unpooled <> 'unknown_length' then 'outside the pool' end
        as exclusion_reason,
    resolved.is_sampled as is_sampled,
    resolved.match_update_no as match_update_no,
    resolved.text_update_no as text_update_no,
    case
        when resolved.is_sampled = 0 and resolved.unpooled = 'null_update' then 1
        when resolved.is_sampled = 0 then null
        when resolved.word_count = 'column' then source_row.length_column
        when resolved.word_count = 'blanks' then source_row.n_word_blanks
        else source_row.n_word
    end as n_word
from resolved as resolved
inner join base.known_update as source_row
    on source_row.condition_no = resolved.condition_no
    and source_row.block_no = resolved.block_no
    and source_row.update_no = resolved.text_update_no
