/*
title:  Tables of owners, and profiles, that do not hold what the ledger recorded last; present: owner, table or profile
        (empty: the hash of the owner), rows, hash, hash of the owner in the registry
*/
with

present as (
    select
        said[1] as owner, said[2] as name, cast(said[3] as bigint) as n_row, said[4] as sha256, said[5] as registered
    from (select unnest(from_json($present, '[["varchar"]]')) as said)
),

before as (
    select owner, name, max_by(n_row, entry_no) as n_row, max_by(sha256, entry_no) as sha256
    from ledger.content
    where until_no is null
        and (owner in (select owner from present) or owner = 'profiles')
        and (coalesce(entry_no = load_no, true) or list_contains($later, name))
        and not list_contains($but, name)
    group by owner, name
),

compared as (
    select
        owner, name, before.sha256 as before_sha256, now.sha256 as now_sha256,
        if(coalesce(before.n_row, 0) > 0, format('{} rows, {}', before.n_row, left(before.sha256, 8)), 'no rows')
            as then_,
        if(coalesce(now.n_row, 0) > 0, format('{} rows, {}', now.n_row, left(now.sha256, 8)), 'no rows') as now_
    from (from present where name <> '') as now
    full join before using (owner, name)
    where coalesce(before.n_row, 0) <> coalesce(now.n_row, 0)
        or coalesce(before.sha256, '') <> coalesce(now.sha256, '')
),

unloaded as (
    select owner
    from present
    where name = '' and owner not in (select owner from ledger.load where until_no is null)
),

other as (
    select
        owner, name,
        format('{}: {} does not hold what was loaded ({}; now {}).', owner, name, then_, now_) as message
    from compared
    where owner <> 'profiles' and owner not in (from unloaded)
    union all
    select
        owner, name,
        format('registry.profile: {} ', name) || case
            when now_sha256 is null then 'is missing.'
            when before_sha256 is null then 'was added.'
            else format(
                'has other values than were loaded (ledger {}, now {}).', left(before_sha256, 8), left(now_sha256, 8)
            )
        end
    from compared
    where owner = 'profiles' and ($every or list_contains($profiles, name))
    union all
    select owner, '', format('{} is in the store, and no entry of the ledger says that it was loaded.', owner)
    from unloaded
    union all
    select
        owner, '~', format(
            '{}: its hash in the registry ({}) is not that of its rows ({}).', owner, left(registered, 8),
            left(sha256, 8)
        )
    from present
    where name = '' and sha256 <> registered and owner not in (select owner from compared)
        and owner not in (from unloaded)
)

select message
from other
order by owner <> 'profiles', owner, name
