/*
what:   training story is already on {earlier_line}, expected every story once
advice: Remove one of the lines.
field:  1
*/
select said.file, said.line, own.docno as value, own.line as earlier_line
from index_line as said
join index_training as own on own.file = said.file and own.docno = said.f[2]
where $of_topics and is_comment and lower(f[1]) = 'topic_training_story' and len(f) = 5
    and said.line > own.line
