/*
what:   the decision time (column 6) is not an integer number of seconds{skipped}
advice: Fix or drop the row.
*/
select file, line, cells[6] as value, $skipped as skipped, if($skipped = '', 'E552', 'W500') as code
from read_summarization
where invalid // $bit_time % 2 = 1 and len(cells) >= 7 and (invalid // $bit_length % 2 = 0 or $skipped <> '')
