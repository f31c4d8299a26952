/*
what:   {none} {labels}: there are no targets, and no miss rate or recall
advice: Correct the labels, on_topic, or relevant_grade.
*/
select $where + 1 as file, null as line, null as value,
    if(count(*) = 1, 'the only one of the judgments is not', format('none of the {:,} judgments is', count(*))) as none,
    (select string_agg('''' || label || '''', ', ') from (select unnest(cast($on_topic as varchar[])) as label))
        as labels
from base.judgment
where corpus_no = $corpus and judgment_set = 1
    and topic_no in (select topic_no from base.block where condition_no = $condition)
having count(*) > 0 and not bool_or(list_contains(cast($on_topic as varchar[]), label))
