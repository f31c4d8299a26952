/*
what:   story {story_id} is judged {value} for topic {topic_id}, and {first_label} on {first_line}
advice: Keep one of the two judgments.
field:  label
*/
select file, line, label as value, story_id, topic_id, first_label, first_line
from (
    select *, min(line) over listed as first_line, arg_min(label, line) over listed as first_label
    from read_judgments where invalid = 0
    window listed as (partition by file, topic_id, story_id))
where line > first_line and label <> first_label
