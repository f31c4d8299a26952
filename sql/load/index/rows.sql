/*
what:   The lines of index files below their headers, and the topics, training stories, source files and stories that
        they name.
*/
create or replace temp table index_topic as
select file, topic_id || coalesce(nt_variant, '') as block_id, topic_id from header where topic_id is not null;

create or replace temp table index_line as
select file, line, topic_id, is_time, is_story_list, is_comment, stripped(text) as whole, words(said) as f
from (
    select *, if(is_comment, regexp_replace(text, '#', ' '), split_part(text, '#', 1)) as said
    from (
        select file, line, text, topic_id, starts_with(stripped(text), '#') as is_comment,
            coalesce(pointer_type = 'time', false) as is_time, coalesce(is_story_list, false) as is_story_list
        from (from index_text where not $of_pairs or contains(text, '#'))  -- other lines are pairs, which a form has
        left join (select file, topic_id, pointer_type, is_story_list from header) using (file))
)
where not is_blank(said);

-- -1: the program's index builder writes it for a story without positions
create or replace temp table index_training as
select file, line, topic_id, f[2] as docno, f[4] as begin_said, f[5] as end_said,
    regexp_replace(regexp_extract(f[3], '[^/]*$'), '\.[^.]*$', '') as source_file,
    as_time_pointer(begin_said) as begin, as_time_pointer(end_said) as end_
from index_line
where $of_topics and is_comment and lower(f[1]) = 'topic_training_story' and len(f) = 5
qualify row_number() over (partition by file, f[2] order by line) = 1;

-- number is that of the name in the line, n_over the number of fields too many
create or replace temp table index_named as
select *, regexp_replace(base, '\.[^.]*$', '') as name,
    if(contains(base, '.'), regexp_extract(base, '[^.]*$'), '') as extension,
    coalesce(as_time_pointer(begin_said), if(is_time, 0, 1)) as begin,
    is_wide or begin_said is not null and as_time_pointer(begin_said) is null as is_wrong
from (
    select *, regexp_extract(path, '[^/]*$') as base
    from (
        select *, f[1] as path, 0 as number, if(is_story_list, null, f[2]) as begin_said,
            len(f) > 2 and not is_story_list as is_wide
        from index_line
        where not $of_pairs and not is_comment
        union all
        select *, if(len(f) = 3, f[3], f[2]), len(f) - 1, null,
            not (len(f) = 2 or len(f) = 3 and regexp_full_match(f[2], '[0-9]{1,18}'))
        from index_line
        where $of_pairs and is_comment and lower(f[1]) = 'source_file'
    )
);

create or replace temp table index_file as
select file, line, topic_id, path, name as source_file, extension, begin, f[2:] as stories, is_story_list
from index_named
where not is_wrong and name <> '' and extension <> ''
qualify row_number() over (partition by file, name order by line) = 1;

create or replace temp table index_listed as
select file, line, number, docno, row_number() over listed as nth, first_value(line) over listed as earlier_line
from (
    select file, line, unnest(stories) as docno, unnest(range(1, len(stories) + 1)) as number
    from index_file
    where is_story_list
)
window listed as (partition by file, docno order by line, number);

create or replace temp table index_story as
select file, line, number, docno as story_id
from index_listed
where nth = 1
