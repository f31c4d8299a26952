/*
what:   docno is already on {earlier_line}, expected every story once
advice: Remove one of the lines.
field:  docno
*/
select tag.file, tag.line, tag.at_column, docno as value, story.line as earlier_line
from tag
join read_boundary as story on story.file = tag.file and story.docno = tag.f[1]
where tag.element = 'boundary' and not tag.is_closing and tag.f[2] <> '' and tag.place > story.place
