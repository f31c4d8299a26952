/*
title:    Loads that the ledger tells of, each until the next load or the removal of its owner
source:   ledger.entry, of kinds load and drop
inputs:   ledger.entry
grain:    entry_no
columns:
    entry_no  key    its entry
    owner     text   what was loaded: corpus:ID, condition:ID, run:CONDITION/ID
    made_at   text   when, UTC
    until_no  count  entry of the next load, or of the removal; NULL: it is the last
    detail    text   JSON: files, problems and hashes of tables
class:    exact
see also: ledger.content, ledger.computation_made
*/
with

said as (
    select *, lead(entry_no) over (partition by subject order by entry_no) as until_no
    from ledger.entry
    where kind in ('load', 'drop')
)

select entry_no, subject as owner, made_at, until_no, case when json_valid(detail) then detail else '{}' end as detail
from said
where kind = 'load'
