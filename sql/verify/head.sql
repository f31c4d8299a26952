/*
title:  That no entry of the ledger has a hash that was saved elsewhere, or its first digits
*/
select
    format(
        'no ledger.entry has the hash {}: the {} entries differ from the given hash, or entries were removed.',
        left($head, 16), count(*)
    ) as message
from ledger.entry
having not coalesce(bool_or(starts_with(sha256, $head)), $head = '')
