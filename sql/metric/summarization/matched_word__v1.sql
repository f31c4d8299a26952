/*
title:    Words of an update that say the nuggets it took
formula:  |union of the word intervals of the spans of the nuggets in M^-1(u, S)|
source:   TREC 2013 Temporal Summarization Metrics, eq. 25; word_marking program: the track's programs of 2013 to 2015
inputs:   metric.summarization_taken_nugget__v1, base.nugget_match, registry.run, registry.profile
grain:    run_no, profile_no, block_no, update_seq
columns:
    run_no       key     run
    profile_no   key     scoring profile
    block_no     key     event
    update_seq   key     update that took a nugget
    n_matched    words   words in the union
edges:    exact: a word counts if one of its characters lies in a span, and all spans of an update and nugget
          count. program: only the span of the match row that took the nugget, shifted by one word to the left,
          and one word short at the very beginning. An update without a known text marks nothing.
class:    exact (of a libm view it reads only which match row took a nugget)
see also: update_gain__v1
*/
with

span as (

    select
        taken.run_no as run_no,
        taken.profile_no as profile_no,
        taken.block_no as block_no,
        taken.update_seq as update_seq,
        hit.match_no as match_no,
        case
            when profile.word_marking = 'exact' and profile.offsets = 'chars' then hit.exact_from_chars
            when profile.word_marking = 'exact' then hit.exact_from_bytes
            when profile.offsets = 'chars' then hit.program_from_chars
            else hit.program_from_bytes
        end as word_from,
        case
            when profile.word_marking = 'exact' and profile.offsets = 'chars' then hit.exact_to_chars
            when profile.word_marking = 'exact' then hit.exact_to_bytes
            when profile.offsets = 'chars' then hit.program_to_chars
            else hit.program_to_bytes
        end as word_to
    from metric.summarization_taken_nugget__v1 as taken
    inner join registry.run as run on run.run_no = taken.run_no
    inner join registry.profile as profile on profile.profile_no = taken.profile_no
    inner join base.nugget_match as hit
        on hit.condition_no = run.condition_no
        and hit.block_no = taken.block_no
        and hit.update_no = taken.match_update_no
        and hit.nugget_no = taken.nugget_no
    where taken.text_update_no > 0
        and hit.has_span = 1
        and (profile.word_marking = 'exact' or hit.match_no = taken.match_no)

),

-- sorted by their beginning, an interval adds what lies behind the farthest end so far
reached as (

    select
        span.run_no as run_no,
        span.profile_no as profile_no,
        span.block_no as block_no,
        span.update_seq as update_seq,
        span.word_from as word_from,
        span.word_to as word_to,
        coalesce(max(cast(span.word_to as bigint)) over (
            partition by span.run_no, span.profile_no, span.block_no, span.update_seq
            order by span.word_from, span.word_to, span.match_no
            rows between unbounded preceding and 1 preceding
        ), 0) as reached_before
    from span as span
    where span.word_to > span.word_from

),

added as (

    select
        reached.run_no as run_no,
        reached.profile_no as profile_no,
        reached.block_no as block_no,
        reached.update_seq as update_seq,
        case
            when reached.word_to <= reached.reached_before then 0
            when reached.word_from >= reached.reached_before then reached.word_to - reached.word_from
            else reached.word_to - reached.reached_before
        end as n_added
    from reached as reached

)

select
    added.run_no as run_no,
    added.profile_no as profile_no,
    added.block_no as block_no,
    added.update_seq as update_seq,
    cast(sum(added.n_added) as bigint) as n_matched
from added as added
group by added.run_no, added.profile_no, added.block_no, added.update_seq
