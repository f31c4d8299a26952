/*
title:  What was loaded or defined at a head and is another thing now: contents but those that follow from others and
        those to which rows were added (held), files, profiles, definitions
*/
with

recorded as (
    select
        owner, name,
        max_by(row(n_row, sha256), entry_no) filter (entry_no <= $at and coalesce(until_no > $at, true)) as before,
        max_by(row(n_row, sha256), entry_no) filter (until_no is null) as now
    from ledger.content
    where owner <> 'profiles' and (entry_no = load_no or list_contains($later, name))
    group by owner, name
),

content as (
    select
        owner, count(before) > 0 as was_there, count(now) > 0 as is_there,
        string_agg(name, ', ' order by name) filter (
            not list_contains($follow, name) and not list_contains($held, owner || ' ' || name)
            and not (list_contains($added, name) and coalesce(before[1], 0) = 0)
            and coalesce(before, row(0, '')) is distinct from coalesce(now, row(0, ''))
        ) as names
    from recorded
    group by owner
),

-- what was read of files, wherever they are and by whatever version
read as (
    select
        owner,
        [
            list_sort(list_transform(
                from_json(json_extract(detail, '$.files'), '[{
                    "kind": "varchar", "n_byte": "bigint", "sha256": "varchar", "n_problem": "bigint"
                }]'),
                lambda file: cast(file as varchar)
            )),
            [cast(json_extract(detail, '$.problems') as varchar)]
        ] as files,
        entry_no <= $at and coalesce(until_no > $at, true) as was_there, until_no is null as is_there
    from ledger.load
),

profile as (
    select
        name, max_by(sha256, entry_no) filter (entry_no <= $at) as before, max_by(sha256, entry_no) as now
    from ledger.content
    where owner = 'profiles'
    group by name
),

-- what was defined, without who did it and from which file
definition as (
    select
        subject, map_from_entries(list_filter(
            map_entries(try_cast(cast(detail as json) as map(varchar, varchar))),
            lambda entry: not list_contains(['by', 'path'], entry.key)
        )) as said,
        entry_no <= $at and coalesce(until_no > $at, true) as was_there, until_no is null as is_there
    from ledger.definition
),

defined as (
    select before.subject, before.said as said_before, now.said as said_now
    from (from definition where was_there) as before
    left join (from definition where is_there) as now using (subject)
),

changed as (
    select 1 as part, owner as subject, 1 as place, 'drop' as kinds, owner || ' was dropped' as text, '.' as rest
    from content
    where was_there and not is_there
    union all
    select 1, owner, 2, 'load content', concat(owner, ': ', names, ' changed'), ': it is not what was loaded.'
    from content
    where was_there and is_there and names is not null
    union all
    select 1, owner, 3, 'load', owner || ': its input files or warnings changed', '.'
    from (from read where was_there) as before join (from read where is_there) as now using (owner)
    where before.files is distinct from now.files
    union all
    select 2, 'profiles', 1, 'content', concat('profile ', name, ' has other values'), '.'
    from profile
    where before <> now
    union all
    select 3, subject, 1, if(said_now is null, 'drop', 'define'),
        subject || if(said_now is null, ' was dropped', ' has another definition'), '.'
    from defined
    where subject <> 'store' and said_before is distinct from said_now
    union all
    select
        4, 'store', 1, 'define', 'the definitions are others',
        format(
            ': created by tdtsql {}, now {}.', coalesce(said_before['tdtsql'], 'None'),
            coalesce(said_now['tdtsql'], 'None')
        )
    from defined
    where subject = 'store' and len(list_filter(
        ['definitions', 'lock', 'lineage'], lambda item: said_before[item] is distinct from said_now[item]
    )) > 0
),

last as (
    select subject, kind, max(entry_no) as entry_no
    from ledger.entry
    where entry_no > $at
    group by subject, kind
)

select
    concat(
        text, ' (ledger.entry ',
        coalesce((
            select max(entry_no)
            from last
            where last.subject = changed.subject and list_contains(string_split(kinds, ' '), kind)
        ), 0),
        ', after the head ', $head, ')', rest
    ) as message
from changed
order by part, subject, place, text
