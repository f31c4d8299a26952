/*
what:   What the headers of outputs say, of each file; values that are not what they should be are NULL.
*/
-- of a task: its fields, how many of them there must be, the codes of an invalid and of an unusual deferral period, and
-- the number of the code of a missing header
with own (task, expected, fields, least, of_deferral, first_code) as (
    values ('tracking', '<system> <yes|no> <Nt> <topic> <recid|time|docno>',
        ['system', 'boundaries', 'nt', 'topic', 'pointer type'], 5, [], 200),
    ('new_event', '<system> <yes|no> <deferral> <recid|time|docno>',
        ['system', 'boundaries', 'deferral', 'pointer type'], 4, ['E223', 'W224'], 220),
    ('link', '<system> <deferral>', ['system', 'deferral'], 1, ['E242', 'W241'], 240)
)

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
                select *, coalesce(line - cast(is_record as integer), 0) as skip, said[1] as system,
                    said[list_position(fields, 'boundaries')] as boundaries_said,
                    said[list_position(fields, 'nt')] as nt_said, said[list_position(fields, 'topic')] as topic_said,
                    said[list_position(fields, 'deferral')] as deferral_said,
                    said[list_position(fields, 'pointer type')] as pointer_said
                from (
                    select *, if(is_header, f, null) as said
                    from (
                        select *, not is_record and len(f) between least and len(fields) as is_header
                        from (
                            select *, len(w) = 4 and lower(w[3]) in ('yes', 'no') and as_score(score_said) is not null
                                as is_record
                            from (
                                select known.file, own.* exclude (task), head.* exclude (file), w[4] as score_said
                                from (select unnest($files) as file) as known
                                join own on task = $task
                                left join head using (file)
                            )
                        )
                    )
                )
            )
        )
    )
)
