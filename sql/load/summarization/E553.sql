/*
what:   the confidence (column 7) is not a number{skipped}
advice: Fix or drop the row.
*/
select file, line, cells[7] as value, $skipped as skipped, if($skipped = '', 'E553', 'W500') as code
from read_summarization
where invalid // $bit_confidence % 2 = 1 and len(cells) >= 7 and invalid // $bit_time % 2 = 0
    and (invalid // $bit_length % 2 = 0 or $skipped <> '')
    and (try_cast(cells[7] as double) is null or contains(cells[7], '_'))
