/*
title:    Values in which two profiles differ, in words
*/
with

said as (
    select one.id, one.key as name, one.type, one.value, profile_no
    from registry.profile, json_each(to_json(profile)) as one
    where profile_no in ($old, $new)
        and one.key not in ('profile_no', 'profile_id', 'base_profile', 'source')
),

worded as (
    select
        *,
        case type
            when 'NULL' then 'NULL'
            when 'DOUBLE' then printf('%.6g', cast(value as double))
            else value ->> '$'
        end as word
    from said
)

select name, before.word || ' -> ' || after.word as change
from (from worded where profile_no = $old) as before
join (from worded where profile_no = $new) as after using (name)
where before.value is distinct from after.value
order by before.id
