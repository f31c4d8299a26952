/*
what:   the header says {value} pointers, the index {wanted}
advice: Give the pointers of the index, or docno.
*/
select file, line, pointer_type as value, $pointer_type as wanted
from answer
where is_answer and pointer_type <> $pointer_type and $pointer_type <> 'docno' and pointer_type <> 'docno'
