/*
what:   The stories that vertices list, and their numbers: 0 for one that is not in the collection of the condition.
*/
with known as (
    select story_id, story_no, is_news, member.story_no is not null as is_inside
    from base.story
    left join (from base.segment_story where condition_no = $condition_no) as member using (story_no)
    where corpus_no = (select corpus_no from registry.condition where condition_no = $condition_no)
)

select story, story_id, listed.line, listed.at_column, if(coalesce(is_inside, false), story_no, 0) as story_no,
    coalesce(story_no, 0) as corpus_story_no, is_news = 1 as is_news
from (select story, story_id, min_by(line, place) as line, min_by(at_column, place) as at_column
    from xml_listed group by story, story_id) as listed
left join known using (story_id)
