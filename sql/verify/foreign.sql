/*
title:  The definitions of tdtsql and of packages that a store was written with, where they are not those installed;
        here: owner -> version and hash of what is installed
*/
with

written as (
    select
        'tdtsql' as owner, coalesce(max(value) filter (item = 'tdtsql'), '?') as version,
        coalesce(max(value) filter (item = 'definitions'), '') as sha256
    from registry.made_with
    union all
    select package, version, sha256
    from registry.package
),

installed as (
    select entry.key as owner, entry.value[1] as version_here, entry.value[2] as sha256_here
    from (select unnest(map_entries(cast(cast($here as json) as map(varchar, varchar[])))) as entry)
)

select
    format(
        '{}: written with other definitions ({} {}, {}) than those installed ({} {}, {}): its views and numbers are '
        || 'not verified. `tdtsql score --db {}` recomputes them.', $path, owner, version, left(sha256, 8), owner,
        version_here, left(sha256_here, 8), $path
    ) as message
from written
join installed using (owner)
where sha256 <> sha256_here
order by owner <> 'tdtsql', owner
