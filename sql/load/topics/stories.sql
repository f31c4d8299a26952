/*
what:   The stories of a corpus, for a condition: their day (empty where unknown), the sets that list their source file
        (NULL without), their period (0 without), and whether it may test them
*/
-- A cut is the last document of its period: an id where all ids are numbers that rise with the order and the cuts lie
-- among them, as in RCV1, elsewhere a position in the order.
create or replace temp table period_cut as
with number as (
    select story_no, try_cast(story_id as bigint) as number, regexp_full_match(story_id, '[0-9]{1,18}') as is_number
    from base.story where corpus_no = $corpus and len($cuts) > 0
),

rising as (
    select coalesce(bool_and(is_number and coalesce(number > before, true)), false) as is_rising, min(number) as first,
        max(number) as last, count(*) as n_story
    from (select *, lag(number) over (order by story_no) as before from number)
)

select is_rising and list_min($cuts) >= first and list_max($cuts) < last as is_by_id, n_story from rising;

create or replace temp table condition_story as
with listed as (
    select source_file, list(distinct heading order by heading) as sets from set_file group by source_file
)

select story.story_no, story.story_id, story.language, story.source, story.begin_recid, listed.sets, 0 as mask_no,
    coalesce(substr(cast(story.published_at as varchar), 1, 10), '') as day,
    coalesce(file.source_file, '') as source_file, coalesce(file.is_excluded, 0) as is_excluded,
    case when len($cuts) = 0 then 0 else
        1 + len(list_filter($cuts, lambda cut: cut < if(is_by_id, try_cast(story_id as bigint), story_no))) end
        as period,
    story.is_news = 1 and coalesce(file.is_excluded, 0) = 0 and (len($languages) = 0
        or upper(coalesce(story.language, '')) in (select upper(unnest(cast($languages as varchar[]))))) as is_tested
from (select * from base.story where corpus_no = $corpus) as story
left join base.source_file as file
    on file.corpus_no = story.corpus_no and file.source_file_no = story.source_file_no
left join listed on listed.source_file = file.source_file
cross join period_cut
