/*
title:       Entries of the ledger
question:    What has happened to the store, newest first?
about:       trust
inputs:      ledger.entry
parameters:
    kind   text   none  one kind of entry, as load; none: all
    limit  count  1000  entries at most
grain:       entry_no
columns:
    entry_no  key    number of the entry
    made_at   text   when it was made
    kind      text   what was done
    subject   text   to what
    detail    text   what it was, as JSON
    sha256    text   hash of the entry and of the one before it
order:       Newest first.
show:        table
pages:       ledger 10
see also:    accepted_warnings
*/
select entry_no, cast(made_at as varchar) as made_at, kind, subject, detail, sha256
from ledger.entry
where kind = coalesce($kind, kind)
order by entry_no desc
limit $limit
