/*
title:  Owners in the store that no entry of the ledger loaded, and loaded ones that are not in the store
*/
with

stored as (
    select unnest($owners) as owner
    union
    select owner from registry.input_file
    union
    select owner from registry.problem
),

loaded as (
    select owner, entry_no
    from ledger.load
    where until_no is null
)

select
    case
        when entry_no is null
            then format('{} is in the store, and no entry of the ledger says that it was loaded.', owner)
        else format(
            'ledger.entry {} says that {} was loaded; it is not in the store, and no entry says that it was dropped.',
            entry_no, owner
        )
    end as message
from (select owner, owner as there from stored) as stored
full join loaded using (owner)
where entry_no is null or there is null
order by entry_no is not null, owner
