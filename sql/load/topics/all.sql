/*
what:   The stories that all blocks test: those of the source files of the index, or those that a story list names
*/
create or replace temp table tested as
select * replace ('' as day) from condition_story
where is_tested
    and (not $has_index or source_file in (select source_file from index_file))
    and ((select count(*) from index_story) = 0 or story_id in (select story_id from index_story))
