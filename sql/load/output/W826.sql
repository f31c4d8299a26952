/*
what:   the header says Nt {nt}, the condition {wanted}
advice: Give the condition its own runs.
*/
select file, line, null as value, nt, $nt as wanted
from answer
where block_id is not null and nt is distinct from $nt and $nt is not null and nt_variant is null
