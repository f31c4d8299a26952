/*
title:    Entries of the ledger that do not follow on the entry before
source:   ledger.entry: each entry holds the hash of the one before, and a hash over itself
formula:  sha256 over the first six columns as text, each after its length in bytes and a colon
inputs:   ledger.entry
grain:    entry_no
columns:
    entry_no         key    entry
    kind             text   its kind
    subject          text   its subject
    place            count  the number that it ought to have: entries are numbered from 1 without gaps
    previous_sha256  text   hash of the entry before, as it says
    before_sha256    text   hash of the entry before; zeros for the first
    sha256           text   hash over itself, as it says
    content_sha256   text   hash over itself
edges:    Each entry after one that was removed is here; the first tells what was done.
class:    exact
see also: ledger.entry
*/
with

hashed as (
    select
        entry_no, kind, subject, previous_sha256, sha256,
        row_number() over (order by entry_no) as place,
        coalesce(lag(sha256) over (order by entry_no), repeat('0', 64)) as before_sha256,
        sha256(concat(
            strlen(cast(entry_no as varchar)), ':', entry_no, strlen(made_at), ':', made_at,
            strlen(kind), ':', kind, strlen(subject), ':', subject, strlen(detail), ':', detail,
            strlen(previous_sha256), ':', previous_sha256
        )) as content_sha256
    from ledger.entry
)

select entry_no, kind, subject, place, previous_sha256, before_sha256, sha256, content_sha256
from hashed
where place <> entry_no or previous_sha256 <> before_sha256 or sha256 <> content_sha256
