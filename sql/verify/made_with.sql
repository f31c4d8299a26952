/*
title:  Versions and hashes of the store that are not those of the last entry on its definitions
*/
select 'registry.made_with is not what the last ''define'' entry of the ledger says.' as message
where (
    select list({key: item, value: value} order by item)
    from registry.made_with
    where item <> 'catalog'
) is distinct from (
    select
        list_sort(list_filter(
            map_entries(try_cast(cast(detail as json) as map(varchar, varchar))), lambda entry: entry.key <> 'by'
        ))
    from ledger.definition
    where subject = 'store' and until_no is null
)
