/*
what:   this judgment was given before, with the same grade
advice: Drop the line.
*/
select file, line, concat_ws(' ', topic_id, story_id, grade) as value
from (
    select *, min(line) over judged as first, arg_min(grade, line) over judged as first_grade
    from read_qrels window judged as (partition by file, topic_id, story_id))
where line > first and grade = first_grade
