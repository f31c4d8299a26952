/*
what:   {n:,} of {stories} {are} not in the document order
advice: They come last, in their own order.
*/
select (select min(file) from document_row) as file, null as line, arg_min(story_id, story_no) as value, count(*) as n,
    (select if(count(*) = 1, '1 story', format('{:,} stories', count(*))) from corpus_story) as stories,
    if(count(*) = 1, 'is', 'are') as are
from corpus_story
where not is_ordered and exists (select 1 from document_row)
having count(*) > 0
