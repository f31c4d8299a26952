/*
what:   {none}, of which one is '{example}'
advice: Write the ids in the same way in both.
*/
with judged as (
    select topic_id, min(place) as place, arg_min(file, place) as file
    from corpus_judgment where judgment_set = 1 group by topic_id
)

select file, line, value, example, if(n > 1, format('none of the {:,} ', n) || things || ' is ' || among,
    'the only one of the ' || things || ' is not ' || among) as none
from (
    select file, arg_min(line, place) as line, arg_min(story_id, place) as value, count(*) as n, 'judgments' as things,
        'on a story of the corpus' as among, (select arg_min(story_id, story_no) from corpus_story) as example
    from corpus_judgment
    where judgment_set not in (select judgment_set from corpus_judgment where story_no is not null)
    group by judgment_set, file
    union all
    select arg_min(file, place), null, arg_min(topic_id, place), count(*), 'judged topics', 'in the topics file',
        (select min(topic_id) from topic_row)
    from judged having count(*) > 0 and bool_and(topic_id not in (select topic_id from topic_row)))
where example is not null
