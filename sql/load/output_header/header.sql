/*
what:   What the headers of outputs say; values that are not what they should be are NULL.
*/
select * exclude (number_of), if(is_variant, topic_said[:5], if(is_topic, topic_said, null)) as topic_id,
    if(is_variant, topic_said[6:], null) as nt_variant
from (
    -- a topic of seven digits ends with those of its training stories
    select *, is_topic and len(topic_said) = 7 and ends_with(topic_said, coalesce(format('{:02d}', nt_number), ''))
        as is_variant
    from (
        select *, if(len(number_of[1]) > 0, cast(number_of[1] as bigint), null) as nt_number,
            if(len(number_of[2]) > 0, cast(number_of[2] as bigint), null) as deferral, len(number_of[3]) > 0 as is_topic
        from (
            select *, upper(nt_said) as nt,
                if(lower(pointer_said) in ('recid', 'time', 'docno'), lower(pointer_said), null) as pointer_type,
                list_transform(
                    [nt_said, deferral_said, topic_said],
                    lambda one: coalesce(regexp_extract(one, '^[0-9]{1,18}$'), '')
                ) as number_of
            from (
                select *, line - cast(is_record as integer) as skip, said[1] as system,
                    said[list_position($fields, 'boundaries')] as boundaries_said,
                    said[list_position($fields, 'nt')] as nt_said, said[list_position($fields, 'topic')] as topic_said,
                    said[list_position($fields, 'deferral')] as deferral_said,
                    said[list_position($fields, 'pointer type')] as pointer_said
                from (
                    select *, if(is_header, f, null) as said
                    from (
                        select *, not is_record and len(f) between $least and len($fields) as is_header
                        from (
                            select *, len(w) = 4 and lower(w[3]) in ('yes', 'no') and as_score(score_said) is not null
                                as is_record
                            from (select *, w[4] as score_said from head)
                        )
                    )
                )
            )
        )
    )
)
