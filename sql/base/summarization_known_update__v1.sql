/*
title:    Updates that the judgments know, under a scoring profile: which count, whose matches they use, how long they
          are
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
    is_sampled        flag    1: the pool has it, itself or through the duplicates file
    match_update_no   number  the update whose match rows count for it; 0 for none
    text_update_no    number  the update whose text it has; 0 for none
    n_word            words   its length; NULL when unknown
edges:    A duplicate is followed one step only, and only inside the pool of the event. An update that the duplicates
          file finds in the pool has the text of that row and its own match rows (the program of 2015), unless the row
          is itself a duplicate. A null update (unpooled null_update) is one word long. With unpooled unknown_length it
          stays in S and its verbosity is 1.
class:    exact
see also: summarization_update__v1
*/
-- row_no: the row of the pool that it has, its own or that of its duplicate; 0 for none
with labelled as (
    select
        condition_no, profile_no, block_no, update_no, unpooled, unpooled_match, duplicates, word_count,
        case when is_pooled = 1 then update_no when duplicates_file = 'used' then twin_no else 0 end as row_no
    from base.known_update join registry.condition_profile using (condition_no) join registry.profile using (profile_no)
),

-- from that row one step along the pool's duplicates
resolved as (
    select
        labelled.*, case when row_no > 0 then 1 else 0 end as is_sampled,
        case when row_no > 0 and duplicates = 'canonical' and duplicate_no > 0 then duplicate_no else row_no end
            as text_update_no,
        case
            when text_update_no <> row_no then text_update_no
            when row_no > 0 or unpooled_match = 'kept' then labelled.update_no
            else 0
        end as match_update_no
    from labelled
    join base.known_update as pooled
        on pooled.condition_no = labelled.condition_no and pooled.block_no = labelled.block_no
        and pooled.update_no = row_no
)

select
    resolved.condition_no, profile_no, resolved.block_no, resolved.update_no,
    case when is_sampled = 1 or unpooled in ('null_update', 'unknown_length') then 1 else 0 end as is_scored,
    case when is_sampled = 0 and unpooled <> 'null_update' and unpooled <> 'unknown_length' then 'outside the pool' end
        as exclusion_reason,
    is_sampled, match_update_no, text_update_no,
    case
        when is_sampled = 0 and unpooled = 'null_update' then 1 when is_sampled = 0 then null
        when word_count = 'column' then length_column when word_count = 'blanks' then n_word_blanks
        else text.n_word
    end as n_word
from resolved
join base.known_update as text
    on text.condition_no = resolved.condition_no and text.block_no = resolved.block_no
    and text.update_no = text_update_no
