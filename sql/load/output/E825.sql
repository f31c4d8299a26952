/*
title:  records of a source file that the topic's index does not list
what:   {said} that the topic's index does not list
advice: {advised}
*/
-- an index may list source files that have no trial
with untested as (
    select file.source_file as source
    from base.source_file as file
    join registry.condition using (corpus_no)
    where condition_no = $condition_no and (
        is_excluded = 1
        or not list_contains(
            string_split(upper(coalesce(condition.languages, file.language)), ' '), upper(file.language))
        or (file.corpus_no, file.source_file_no) not in (
            select (corpus_no, source_file_no) from base.story where is_news = 1 and source_file_no is not null))
)

select file, own.line, source as value, nth = 1 and first > if(pointer_type = 'time', 0, 1) as is_partial,
    if(is_partial, 'W825', 'E825') as code, if(is_partial, 'a partial first file', 'records of a source file') as said,
    if(is_partial, 'Its records have no effect.', 'Leave its records out.') as advised
from output_source as own
join answer using (file)
anti join (from tested_source where source <> '') as tested using (block_no, source)
anti join untested using (source)
