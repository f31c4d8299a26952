/*
what:   Source files, stories, topics and judgments of a corpus, as its files give them
*/
create or replace temp table tidy_story as
select *, row_number() over (order by file, position, line) as place from story_row;

-- those of boundary tables, in the order of the indexes, then those that stories name
create or replace temp table corpus_file as
with described as (
    select source_file, arg_max_null(source, (file, line)) as source, arg_max_null(language, (file, line)) as language,
        arg_max_null(date, (file, line)) as date
    from side_row group by source_file
),

named as (
    select 1 as kind, own.file as place, own.file, source_file, coalesce(head.source, side.source) as source,
        coalesce(head.language, side.language) as language, coalesce(head.collected_at, side.date) as collected_at,
        is_extra, head.file_id
    from boundary_file as own
    left join boundary_head as head using (file)
    left join described as side using (source_file)
    union all
    select 2, min(place), file, source_file, arg_min_null(source, place), arg_min_null(language, place),
        arg_min_null(published_at, place), true, null
    from tidy_story where source_file <> '' group by file, source_file
)

select row_number() over (order by kind, place) as source_file_no, named.*,
    cast(source_file in (select source_file from excluded_file) as integer) as is_excluded
from named;

-- each story once; documents of an order or of judgments where nothing else names stories
create or replace temp table said_story as
with listed as (
    select 1 as kind, story.file, line, place, docno as story_id, source_file_no, source, language,
        doctype as kind_said,
        begin_recid, end_recid, begin_sec, end_sec, collected_at as published_at
    from boundary_story as story
    join (select file, source_file_no, source, language, collected_at from corpus_file where kind = 1) using (file)
    union all
    select 2, story.file, line, place, story_id, coalesce(source_file_no, 0), story.source, story.language,
        coalesce(story.kind, 'NEWS'), begin_recid, end_recid, begin_sec, end_sec, published_at
    from tidy_story as story
    left join (select source_file_no, file, source_file from corpus_file where kind = 2) using (file, source_file)
),

document as (
    select 3 as kind, file, line, line as place, document as story_id from document_row
    union all
    select 4, file, line, line_order, story_id
    from judgment_row where is_qrel and not exists (select 1 from document_row)
)

select * from listed
union all by name
select *, 0 as source_file_no, 'NEWS' as kind_said from document where not exists (select 1 from listed);

create or replace temp table corpus_story as
with place as (
    select document as story_id, row_number() over (order by file, line) as nth from document_row
)

select row_number() over (order by nth, kind, file, place) as story_no, said.*, nth is not null as is_ordered
from (select * from said_story
    qualify row_number() over (partition by story_id order by kind, file, place) = 1) as said
left join place using (story_id);

create or replace temp table corpus_judgment as
select judgment.*, story_no, row_number() over (order by judgment_set, source, file, line_order) as place
from judgment_row as judgment
left join (select story_id, story_no from corpus_story) using (story_id);

create or replace temp table corpus_topic as
with topic as (
    select topic_id, arg_max_null(title, (file, line)) as title, arg_max_null(languages, (file, line)) as languages,
        arg_max_null(is_complete, (file, line)) as is_complete
    from topic_row group by topic_id
)

select row_number() over (order by topic_id) as topic_no, topic_id, title, languages, is_complete
from (select topic_id from topic union select topic_id from corpus_judgment
    union select unnest(cast($topics as varchar[])))
left join topic using (topic_id)
