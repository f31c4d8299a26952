/*
what:   story {docno} is judged {level} for topic {topic_id}, and {first_level} on {first_line}
advice: Keep one of the two judgments.
field:  level
*/
select said.file, said.line, said.at_column, said.f[2] as value, first.docno, lower(said.f[2]) as level,
    first.topic_id, first.level as first_level, first.line as first_line
from (select *, f[2] as level_said from tag where element = 'ontopic' and not is_closing) as said
join read_on_topic as first on first.file = said.file and first.topic_id = said.f[1] and first.docno = said.f[3]
where as_level(level_said) <> first.level
order by said.place
