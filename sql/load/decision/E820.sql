/*
title:  a topic of a run that the condition does not have
what:   {said}
advice: {advised}
*/
-- once for each id of a run, and where it differs from a known one in capitals alone, that
with known as (
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
    join (select unnest($unknown, recursive := true)) on kind = unknown
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
