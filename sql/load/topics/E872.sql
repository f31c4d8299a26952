/*
what:   {none} {kind} of the corpus, of which one is '{example}'
advice: Write the ids in the same way in both.
*/
select file, line, value, kind, example,
    if(n > 1, format('none of the {:,} trials is', n), 'the only one of the trials is not') as none
from (
    select arg_min(file, row_no) as file, arg_min(line, row_no) as line, arg_min(story_id, row_no) as value,
        count(*) as n, count(story_no) as n_known, 'on a story' as kind,
        (select arg_min(story_id, story_no) from base.story where corpus_no = $corpus) as example
    from tested_pair
    union all
    select arg_min(file, row_no), arg_min(line, row_no) filter (story_no is not null), arg_min(topic_id, row_no),
        count(*), count(*) filter (is_topic), 'of a topic',
        (select arg_min(topic_id, topic_no) from base.topic where corpus_no = $corpus)
    from tested_pair)
where n_known = 0 and example is not null
