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
edges:    exact: a word counts if one of its characters is in a span, and all spans of an update and nugget
          count. program: only the span of the match row that took the nugget, shifted by one word to the left,
          and one word short at the very beginning. An update without a known text marks nothing.
class:    exact (of a libm view it reads only which match row took a nugget)
see also: update_gain__v1
*/
with span as (
    select
        run_no, profile_no, taken.block_no, update_seq, said.match_no,
        case
            when word_marking = 'exact' and offsets = 'chars' then exact_from_chars
            when word_marking = 'exact' then exact_from_bytes
            when offsets = 'chars' then program_from_chars
            else program_from_bytes
        end as word_from,
        case
            when word_marking = 'exact' and offsets = 'chars' then exact_to_chars
            when word_marking = 'exact' then exact_to_bytes
            when offsets = 'chars' then program_to_chars
            else program_to_bytes
        end as word_to
    from metric.summarization_taken_nugget__v1 as taken
    join registry.run using (run_no) join registry.profile using (profile_no)
    join base.nugget_match as said
        on said.condition_no = run.condition_no and said.block_no = taken.block_no
        and said.update_no = match_update_no and said.nugget_no = taken.nugget_no
    where text_update_no > 0 and has_span = 1 and (word_marking = 'exact' or said.match_no = taken.match_no)
),

-- sorted by their beginning, an interval adds what is behind the farthest end so far
reached as (
    select
        *,
        coalesce(max(cast(word_to as bigint)) over (
            partition by run_no, profile_no, block_no, update_seq order by word_from, word_to, match_no
            rows between unbounded preceding and 1 preceding
        ), 0) as reached_before
    from span where word_to > word_from
)

select
    run_no, profile_no, block_no, update_seq,
    whole_sum(case
        when word_to <= reached_before then 0
        when word_from >= reached_before then word_to - word_from
        else word_to - reached_before
    end) as n_matched
from reached group by all
