/*
what:   What the headers of outputs say; values that are not what they should be are NULL.
*/
select *, line - cast(is_record as integer) as skip, as_whole(deferral_said) as deferral,
    case when lower(pointer_said) in ('recid', 'time', 'docno') then lower(pointer_said) end as pointer_type,
    upper(nt_said) as nt, as_whole(nt_said) as nt_number, as_whole(topic_said) is not null as is_topic,
    -- a topic of seven digits ends with those of its training stories
    is_topic and len(topic_said) = 7 and ends_with(topic_said, coalesce(format('{:02d}', nt_number), '')) as is_variant,
    case when is_variant then topic_said[:5] when is_topic then topic_said end as topic_id,
    case when is_variant then topic_said[6:] end as nt_variant
from (
    select *, said[1] as system, said[list_position($fields, 'boundaries')] as boundaries_said,
        said[list_position($fields, 'nt')] as nt_said, said[list_position($fields, 'topic')] as topic_said,
        said[list_position($fields, 'deferral')] as deferral_said,
        said[list_position($fields, 'pointer type')] as pointer_said
    from (
        select *, case when is_header then f end as said
        from (
            select *, not is_record and len(f) between $least and len($fields) as is_header
            from (
                select *, len(w) = 4 and lower(w[3]) in ('yes', 'no') and as_score(score_said) is not null as is_record
                from (select *, w[4] as score_said from head)
            )
        )
    )
)
