/*
what:   story judged {value_said} for topic {topic_id}, but {first_label} in {first}
advice: Keep one of the two.
*/
select own.file, own.line, story_id as value, own.label as value_said, topic_id, known.label as first_label,
    list_extract($paths, known.file + 1) || ':' || known.line as first
from corpus_judgment as own
join (select * from corpus_judgment
    qualify row_number() over (partition by judgment_set, topic_id, story_id order by place) = 1) as known
    using (judgment_set, topic_id, story_id)
where own.story_no is not null and own.label <> known.label and own.file <> known.file
order by own.place
