/*
what:   {n_missing} of the {n_story} of the collection {are} in no list, the first one is given
advice: {count} as in the root only.
*/
-- where there are errors there may be more to the lists than was read
select 0 as file, null as line, min_by(story_id, story_no) filter (is_missing) as value,
    format('{:,}', count(*) filter (is_missing)) as n_missing,
    format('{:,} {}', count(*), if(count(*) = 1, 'story', 'stories')) as n_story,
    if(count(*) filter (is_missing) = 1, 'is', 'are') as are,
    if(count(*) filter (is_missing) = 1, 'It counts', 'They count') as count
from (
    select story_no, story_id, story_no not in (select story_no from xml_story) as is_missing
    from base.story
    join base.segment_story using (story_no)
    where condition_no = $condition_no
        and corpus_no = (select corpus_no from registry.condition where condition_no = $condition_no)
)
having len($sound) > 0 and count(*) filter (is_missing) > 0
