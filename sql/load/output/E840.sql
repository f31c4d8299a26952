/*
what:   the header says a deferral of {value} source files, the condition {wanted}
advice: Give each deferral period its own condition.
*/
select file, line, deferral as value, $deferral as wanted, $deferral_code as code
from answer
where is_answer and deferral <> $deferral
