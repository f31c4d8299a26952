/*
title:  Objects or comments of a store that have other hashes than they should, as JSON: name -> hash; schemas: in which
        nothing may be added
*/
with

here as (
    select entry.key as name, entry.value as sha256
    from (select unnest(map_entries(cast(cast($here as json) as map(varchar, varchar)))) as entry)
),

wanted as (
    select entry.key as name, entry.value as sha256
    from (select unnest(map_entries(cast(cast($wanted as json) as map(varchar, varchar)))) as entry)
),

other as (
    select
        name, left(wanted.sha256, 8) as ours, left(here.sha256, 8) as theirs, split_part(name, ' ', 1) as kind,
        split_part(name[strlen(kind) + 2:], '.', 1) as place
    from here full join wanted using (name)
    where here.sha256 is distinct from wanted.sha256
)

select
    format('{}: {} ', $path, name) || case
        when theirs is null then 'is missing. ' || $restore
        when ours is not null then format('is not what its file says (file {}, store {}). {}', ours, theirs, $restore)
        else format('was added (store {}). Drop it: the schemas of a store are its own.', theirs)
    end as message
from other
where theirs is null or ours is not null or kind in ('macro', 'type') or list_contains($schemas, place)
order by name
