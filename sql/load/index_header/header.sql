/*
what:   What the first lines of index files say, of each file; own is NULL for one that TDT does not have.
*/
-- how headers write tasks (NIST's program misspells one), and what the header of a task looks like
with known (word, own) as (
    values ('tracking', 'tracking'), ('first_story', 'new_event'), ('link_detection', 'link'),
        ('hierarchical_detection', 'hierarchy'), ('hiearchical_detection', 'hierarchy'),
        ('story_list_index', if($task = 'hierarchy', 'hierarchy', null))
),

wanted (task, expected) as (
    values ('tracking', '# tracking recid Topic=NUMBER'), ('new_event', '# first_story recid'),
        ('link', '# link_detection'), ('hierarchy', '# hierarchical_detection docno')
)

select *, starts_with(whole, '#') as is_comment, is_comment and len(f) > 0 as is_header,
    lower(f[1]) = 'story_list_index' and own is not null as is_story_list,
    coalesce(if(is_comment or own is not null and not is_story_list, line, line - 1), 0) as skip,
    is_header and coalesce(own = $task, false) as is_own,
    -- words without =, and the last of those that say the topic
    list_filter(range(2, len(f) + 1), lambda n: not contains(f[n], '='))[1] as type_no,
    list_filter(range(2, len(f) + 1), lambda n: starts_with(lower(f[n]), 'topic='))[-1] as topic_no,
    case when is_own and lower(f[type_no]) in ('recid', 'time', 'docno') then lower(f[type_no]) end as pointer_type,
    case when is_own and $of_topics then f[topic_no][7:] end as topic_said,
    as_whole(topic_said) is not null as is_topic,
    case when is_topic and len(topic_said) = 7 then topic_said[:5] when is_topic then topic_said end as topic_id,
    case when is_topic and len(topic_said) = 7 then topic_said[6:] end as nt_variant
from (select unnest($files) as file)
join wanted on task = $task
left join head using (file)
left join known on word = lower(f[1])
