/*
title:  a topic of a run that the condition does not have
what:   {said}
advice: {advised}
*/
-- once for each id of a run, and where it differs from a known one in capitals alone, that
with unknown_kind (wording, kind, code, message, advice) as (
    values ('tidy', 'topics', 'E820', 'the run answers a topic that the condition does not have',
        'Correct the topic, or add it to the corpus.'),
    ('tidy', 'stories', 'E823', 'a decision on a story that the corpus does not have',
        'Correct the story, or add it to the document order.'),
    ('trec', 'topics', 'E820', 'the run answers a topic that the corpus does not have',
        'Correct the topic, add it to the topics, or give the condition unknown_topics = "ignore".'),
    ('trec', 'stories', 'E823', 'the run retrieved a document that the corpus does not have',
        'Correct the document, or add it to the document order.'),
    ('docno', 'stories', 'W823', 'a decision on a docno that the corpus does not have', ''),
    ('pair', 'pairs', 'E855', 'a decision on a pair that is not to be decided', 'Drop the line.'),
    ('pair', 'turned pairs', 'E855', 'a decision on a pair that is not to be decided in this order',
        'Write the stories in the order of the index.')
),

-- the policies of the condition decide about topics and stories that it does not have
told as (
    select kind, message, if(is_ignored, 'W' || code[2:], code) as code,
        if(starts_with(if(is_ignored, 'W' || code[2:], code), 'W'), 'It has no effect.', advice) as advice
    from (
        select *, kind = 'topics' and coalesce($unknown_topics = 'ignore', false)
                or kind = 'stories' and coalesce($unknown_documents <> 'error', true) as is_ignored
        from unknown_kind
        where wording = $wording)
),

known as (
    select lower(id) as written, min(id) as meant, kind
    from (
        select block_id as id, 'topics' as kind from base.block where condition_no = $condition
        union all
        select story_id, 'stories' from base.story where corpus_no = $corpus)
    where written in (select lower(unknown_id) from decided where unknown is not null)
    group by written, kind
),

found as (
    select kind, code, message, advice, file, unknown_id, min(line) as first_line, count(*) as n_line,
        row_number() over listed as nth, count(*) over (partition by file, kind) as n_id
    from decided
    join told on kind = unknown
    group by kind, code, message, advice, file, run_id, unknown_id
    window listed as (partition by file, kind order by min(line))
)

select file, code,
    if(nth > $most, null, first_line) as line,
    if(nth > $most, null, unknown_id) as value,
    case when nth > $most then format('{}: {:,} more such ids', message, n_id - $most)
        when n_line > 1 then format('{}, on {:,} lines', message, n_line)
        else message end as said,
    if(meant is null or nth > $most, advice, format('Did you mean {}? {}', meant, advice)) as advised
from found
left join known on known.kind = found.kind and written = lower(unknown_id)
where nth <= coalesce($most, n_id) + 1
