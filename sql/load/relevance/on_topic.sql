/*
what:   Judgments of topic relevance tables, each story once for a topic.
*/
select file, line, place, at_column, topic_id, as_level(said) as level, docno, file_id
from (
    select *, f[1] as topic_id, f[2] as said, f[3] as docno, nullif(f[4], '') as file_id
    from tag
    where element = 'ontopic' and not is_closing
)
where topic_id <> '' and docno <> '' and as_level(said) is not null
qualify row_number() over (partition by file, topic_id, docno order by place) = 1
