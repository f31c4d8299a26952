/*
what: Rows on what the condition does not have, and the id that differs from theirs in capitals alone.
*/
with known as (
    select lower(id) as written, min(id) as meant, kind
    from (
        select block_id as id, 'topics' as kind from base.block where condition_no = $condition
        union all
        select story_id, 'stories' from base.story where corpus_no = $corpus)
    where written in (select lower(unknown_id) from decided where unknown is not null)
    group by written, kind
)

select file, line, unknown, unknown_id, meant
from decided
left join known on kind = unknown and written = lower(unknown_id)
where unknown is not null
order by file, line
