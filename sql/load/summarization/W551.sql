/*
what:   infinite confidence, taken as 1000 as the track's programs do{many}
advice: Write a finite number.
*/
select file, min(line) as line, arg_min(cells[7], line) as value,
    if(count(*) = 1, '', '; ' || count(*) || ' such rows') as many
from read_summarization
where infinite > 0 and len(cells) >= 7 and invalid // $bit_time % 2 = 0
    and (invalid // $bit_length % 2 = 0 or $skipped <> '')
group by file
