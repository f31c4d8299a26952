/*
what:   The output files of a run, and what of its condition they are about: a topic each of tracking, the stories that
        all topics test (block 0) of new event. Then their records, and the source files that these name.
*/
-- is_answer: the rows of the file count; of the files of a topic those of the first; has_records: they are records,
-- which hold from their pointers on
create or replace temp table answer as
with own as (
    select file, list_extract($paths, file + 1) as path, header.line, pointer_type, nt, nt_variant, deferral,
        topic_id || coalesce(nt_variant, '') as block_id, list_contains($sound, file) as is_sound
    from (select unnest(range(len($paths))) as file)
    left join header using (file)
)

select own.*, if($is_by_topic, block.block_no, 0) as block_no, coalesce(path = first_path, false) as is_first,
    is_sound and (not $is_by_topic or block.block_no is not null and is_first) as is_answer,
    is_answer and coalesce(pointer_type in ('recid', 'time'), false) as has_records
from (
    select *, if(block_id is null, null, first_value(path) over (partition by block_id order by file)) as first_path
    from own
) as own
left join (select block_id, block_no from base.block where condition_no = $condition_no) as block using (block_id);

create or replace temp table output_record as
select file, source, line, coalesce(recid, seconds) as start, is_yes, score
from read_output
where file in (select file from answer where has_records);

-- is_repeated: another file has answered it
create or replace temp table output_source as
select *, row_number() over (partition by file order by line) as nth,
    not $is_by_topic and row_number() over (partition by source order by file) > 1 as is_repeated
from (select file, source, min(line) as line, arg_min(start, line) as first from output_record group by file, source);

-- with their source files, an empty name where they have none
create or replace temp table tested_story as
select block_no, coalesce(source_file, '') as source, story.*
from (
    select block_no, story_no
    from base.test_segment
    join base.segment_story using (condition_no, segment_no)
    where condition_no = $condition_no and $is_by_topic
        and block_no in (select block_no from answer where has_records)
    union all
    select 0, story_no
    from base.segment_story
    where condition_no = $condition_no and not $is_by_topic and exists (select 1 from answer where has_records)
) as tested
join (select * exclude (source) from base.story where corpus_no = $corpus_no) as story using (story_no)
left join base.source_file using (corpus_no, source_file_no);

create or replace temp table tested_source as
select block_no, source, min(story_no) as first_story_no, count(begin_sec) = 0 as is_timeless
from tested_story
group by block_no, source;

create or replace temp table output_story as
select file, source, story_no, story_id, pointer_type = 'time' as is_time,
    cast(if(is_time, begin_sec, begin_recid) as double) as start,
    cast(if(is_time, end_sec, end_recid) as double) as stop
from answer
join tested_story using (block_no)
join tested_source using (block_no, source)
semi join (from output_source where not is_repeated) as own using (file, source)
where source <> '' and not (is_time and is_timeless)
