/*
title:  Why a version of a user-defined metric is not added to a store (E988): another text of it is stored (the first
        line that differs), or it does not follow on those there
*/
with

there as (
    select version, sha256, string_split_regex(definition, '\r?\n') as lines
    from registry.own_metric
    where name = $name
),

following as (
    select coalesce(max(version), 0) + 1 as number
    from there
)

select
    format(
        '{} is in the store with another text (store {}, file {})', $relation, left(sha256, 8), left($sha256, 8)
    ) as message,
    format('Save the change as {}__v{}.sql, or drop own:{} first.', $name, number, $name) as advice,
    coalesce(list_position(list_transform(
        list_zip(lines, string_split_regex($text, '\r?\n'), true), lambda pair: pair[1] <> pair[2]
    ), true), 1) as line,
    null as value
from there cross join following
where version = $version and sha256 <> $sha256
union all
select
    format('version {} does not follow on {}', $version, number - 1), format('Call it {}__v{}.sql.', $name, number), 1,
    $relation
from following
where $version <> number and $version not in (select version from there)
