/*
what:   the document order names a story that the corpus does not have
advice: It has no effect.
*/
select file, null as line, document as value
from document_row
where document not in (select story_id from said_story where kind < 3)
    and exists (select 1 from said_story where kind < 3)
order by file, line limit 1000
