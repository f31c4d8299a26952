/*
what:   The stories of the corpus, all of them; their days make no subsets where there are windows, or too many days
*/
create or replace temp table tested as
select * replace (if($has_days, day, '') as day) from condition_story
