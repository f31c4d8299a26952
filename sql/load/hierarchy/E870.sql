/*
what:   {none} among the stories of the condition's collection, of which one is {example!r}
advice: Write the ids as the condition does, or name the condition of this run.
*/
select 0 as file, null as line, min_by(story_id, story) as value,
    if(count(*) = 1, 'the only one of the stories of the hierarchy is not',
        format('none of the {:,} stories of the hierarchy is', count(*))) as none,
    (
        select min(story_id)
        from base.story
        join base.segment_story using (story_no)
        where condition_no = $condition_no
            and corpus_no = (select corpus_no from registry.condition where condition_no = $condition_no)
    ) as example
from xml_story
having count(*) > 0 and max(story_no) = 0
