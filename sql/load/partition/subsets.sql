/*
what:   The segments of the stories, and the subsets that the gold has items of: source files that a set lists,
        languages, sources, days
*/
-- block 0 is all of them: a story is in a subset wherever it is clustered
create or replace temp table subset_row as
with named as (
    select segment_no, unnest(['language', 'source', 'day']) as kind, unnest([language, source, day]) as name
    from (select distinct segment_no, language, source, day from tested_story)
),

clustered as (
    select segment_no
    from base.partition_item
    join base.segment_story using (condition_no, story_no)
    where condition_no = $condition
)

select 'set' as kind, heading as subset, null as block_no, null as segment_no from set_file
union all
select distinct 'set', unnest(sets), 0, segment_no from tested_story
union all
select kind, kind || '=' || name, 0, segment_no
from named
where name <> ''
qualify bool_or(segment_no in (select segment_no from clustered)) over (partition by kind, name)
