/*
what:   {none}: there are no targets, and no miss rate or recall
advice: Correct the {advised}.
*/
select $where + 1 as file, null as line, null as value,
    if(count(*) = 0, 'judgments, or the topics', 'labels, on_topic, or relevant_grade') as advised,
    case
        when count(*) = 0 then 'there is no judgment of a topic of the condition'
        else if(count(*) = 1, 'the only one of the judgments is not ',
                format('none of the {:,} judgments is ', count(*)))
            || (select string_agg('''' || label || '''', ', ')
                from (select unnest(cast($on_topic as varchar[])) as label))
    end as none
from base.judgment
where corpus_no = $corpus and judgment_set = 1
    and topic_no in (select topic_no from base.block where condition_no = $condition)
having not coalesce(bool_or(list_contains(cast($on_topic as varchar[]), label)), false)
