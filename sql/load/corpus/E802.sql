/*
what:   a second story of that docno in the corpus, the first is in {first}
advice: Give each story its own docno.
*/
select own.file, own.line, story_id as value, source_file as first
from said_story as own
join corpus_story as known using (story_id, kind)
join corpus_file on known.source_file_no = corpus_file.source_file_no
where kind = 1 and own.file <> known.file
