/*
what:   {none} of stories of the corpus, of which one is '{example}'
advice: Write the ids in the same way in both.
*/
select file, line, id_1 as value,
    (select arg_min(story_id, story_no) from base.story where corpus_no = $corpus) as example,
    if(n > 1, format('none of the {:,} pairs is', n), 'the only one of the pairs is not') as none
from (select *, count(*) over () as n from link_pair)
where trial_no = 1 and example is not null and not exists (select 1 from link_story where story_no is not null)
