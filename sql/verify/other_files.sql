/*
title:  Loads whose files or problems in the registry are not those of their entry; present: owner, what the
        registry has
*/
with

present as (
    select said[1] as owner, said[2] as detail
    from (select unnest(from_json($present, '[["varchar"]]')) as said)
),

compared as (
    select
        owner, entry_no,
        list_transform([load.detail, present.detail], lambda said: list_sort(list_filter(
            map_entries(try_cast(cast(said as json) as map(varchar, json))),
            lambda entry: not list_contains($unsaid, entry.key)
        ))) as details
    from ledger.load join present using (owner)
    where until_no is null
)

select
    format(
        '{}: its input files or problems in the registry are not those of ledger.entry {} (registry.input_file, '
        || 'registry.problem).', owner, entry_no
    ) as message
from compared
where details[1] is distinct from details[2]
order by owner
