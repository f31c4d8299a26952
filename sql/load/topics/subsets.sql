/*
what:   The subsets of a condition over topics: what the cells that it tests have in common
*/
create or replace temp table subset_row as
with spoken as (
    select block_no, list(distinct language) as languages
    from (
        select block_no, language from tested_cell where upper(language) = upper($training_language)
        union all
        select block_no, language
        from base.training_story
        join base.story on corpus_no = $corpus and story.story_no = training_story.story_no
        where $training_language is null and condition_no = $condition and language <> '')
    group by block_no
),

-- with a training language all blocks are trained on
native as (
    select block_no, coalesce(languages, []) as languages
    from (select distinct block_no from tested_cell)
    left join spoken using (block_no)
    where $training_language is not null or languages is not null
),

multilingual as (
    select block_no, is_multilingual
    from base.block
    join base.topic on corpus_no = $corpus and topic.topic_no = block.topic_no
    where condition_no = $condition and is_multilingual is not null
)

select 'set' as kind, heading as subset, null as block_no, null as segment_no from set_file
union all
select 'set', unnest(sets), block_no, segment_no from tested_cell
union all
select 'language', 'language=' || language, block_no, segment_no from tested_cell where language <> ''
union all
select 'source', 'source=' || source, block_no, segment_no from tested_cell where source <> ''
union all
select 'period', 'period=' || period, block_no, segment_no from tested_cell where period > 0
union all
select 'crossing', 'crossing=' || if(list_contains(languages, language), 'same', 'cross'), block_no, segment_no
from tested_cell
join native using (block_no)
where language <> ''
union all
select 'topics', 'topics=' || if(is_multilingual = 1, 'multilingual', 'monolingual'), block_no, segment_no
from tested_cell
join multilingual using (block_no)
