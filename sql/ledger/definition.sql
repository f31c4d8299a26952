/*
title:    Definitions that the ledger tells of, each until the next one of its subject or its removal
source:   ledger.entry, of kinds define and drop
inputs:   ledger.entry
grain:    entry_no
columns:
    entry_no  key    its entry
    subject   text   store (the definitions of tdtsql), package:NAME, or own:NAME__vN
    until_no  count  entry of the next definition, or of the removal; NULL: it is the last
    detail    text   JSON: hashes and versions
class:    exact
see also: ledger.load
*/
with

said as (
    select *, lead(entry_no) over (partition by subject order by entry_no) as until_no
    from ledger.entry
    where kind in ('define', 'drop')
)

select entry_no, subject, until_no, case when json_valid(detail) then detail else '{}' end as detail
from said
where kind = 'define'
