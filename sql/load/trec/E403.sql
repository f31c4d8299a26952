/*
what:   the document has another grade for this topic in {first_line} ({first_grade})
advice: {advised}
field:  grade
*/
-- W403 where the bundle says which grade counts
select file, line, concat_ws(' ', topic_id, story_id, grade) as value, first_line, first_grade,
    if($conflict = 'error', 'E403', 'W403') as code,
    if($conflict = 'error', 'Correct the file, or choose with qrels_conflict = "highest", "lowest" or "last".',
        'The ' || $conflict || ' grade counts.') as advised
from (
    select *, min(line) over judged as first_line, arg_min(grade, line) over judged as first_grade
    from read_qrels window judged as (partition by file, topic_id, story_id))
where line > first_line and grade <> first_grade
