/*
title:  Entries of the ledger that no command writes
*/
with

said as (
    select entry_no, kind, subject, case when json_valid(detail) then detail end as detail
    from ledger.entry
),

-- what a command records after the load, and is not rewritten by any
odd as (
    select entry_no, string_agg(name, ', ' order by name) as names
    from ledger.content
    where entry_no <> load_no and not list_contains($later, name)
    group by entry_no
),

judged as (
    select
        entry_no, kind, subject, names,
        not list_contains($kinds, kind) or detail is null or json_type(detail) <> 'OBJECT' as is_unknown,
        kind = 'content' and subject <> 'profiles' as is_content,
        not exists (
            from ledger.load
            where owner = subject and load.entry_no < said.entry_no and coalesce(until_no > said.entry_no, true)
        ) as is_unloaded,
        json_type(detail, '$.tables') is null
            or len(list_filter(json_keys(detail), lambda key: not list_contains(['by', 'tables'], key))) > 0 as has_more
    from said left join odd using (entry_no)
)

select
    format('ledger.entry {} ({} {}) was added: ', entry_no, kind, subject) || case
        when is_unknown then 'no command writes such an entry.'
        when is_unloaded then 'it records contents of what is not loaded.'
        else format('no command rewrites {} after the load.', coalesce(names, 'what it tells of'))
    end as message
from judged
where is_unknown or (is_content and (is_unloaded or has_more or names is not null))
order by entry_no
