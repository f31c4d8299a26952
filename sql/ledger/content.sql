/*
title:    Contents that the ledger has recorded: of the tables of owners with each load and each change after it, and
          of profiles
source:   ledger.entry, of kinds load and content
inputs:   ledger.load, ledger.entry
grain:    entry_no, name
columns:
    entry_no  key    entry
    name      key    table of the owner or part of its row, or profile
    owner     text   corpus:ID, condition:ID, run:CONDITION/ID, or profiles
    load_no   count  entry of the load of the owner; NULL: profiles
    until_no  count  entry of its next load, or of its removal; NULL: what is loaded now
    n_row     count  rows; NULL: profiles
    sha256    text   hash of the rows, or of the values of the profile
edges:    What an entry says of an owner that is not loaded is not here.
class:    exact
see also: ledger.load
*/
with

said as (
    select entry_no, owner, entry_no as load_no, until_no, detail, '$.tables' as path
    from ledger.load
    union all
    select entry.entry_no, owner, load.entry_no as load_no, until_no, entry.detail, '$.tables' as path
    from ledger.entry join ledger.load
        on owner = subject and load.entry_no < entry.entry_no and (until_no is null or entry.entry_no < until_no)
    where kind = 'content'
    union all
    select entry_no, subject as owner, null as load_no, null as until_no, detail, '$.profiles' as path
    from ledger.entry
    where kind = 'content'
        and subject = 'profiles'
),

recorded as (
    select
        entry_no, owner, load_no, until_no,
        try_cast(
            json_extract(case when json_valid(detail) then detail else '{}' end, path) as map(varchar, json)
        ) as contents
    from said
),

named as (
    select
        entry_no, owner, load_no, until_no, unnest(map_keys(contents)) as name, unnest(map_values(contents)) as content
    from recorded
)

select
    entry_no, name, owner, load_no, until_no,
    try_cast(json_extract_string(content, '$[0]') as bigint) as n_row,
    coalesce(json_extract_string(content, '$[1]'), json_extract_string(content, '$')) as sha256
from named
