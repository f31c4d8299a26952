/*
title:  The first entry of the ledger that does not follow on the one before
*/
select
    case
        when entry_no <> place then format('ledger.entry {} is missing: after {} comes {}.', place, place - 1, entry_no)
        when previous_sha256 <> before_sha256
            then format(
                'ledger.entry {} ({} {}) does not follow {} (chain {}, entry before {}).', entry_no, kind, subject,
                entry_no - 1, left(previous_sha256, 8), left(before_sha256, 8)
            )
        else format(
            'ledger.entry {} ({} {}) was edited (hash {}, content {}).', entry_no, kind, subject, left(sha256, 8),
            left(content_sha256, 8)
        )
    end as message
from ledger.broken_link
order by entry_no
limit 1
