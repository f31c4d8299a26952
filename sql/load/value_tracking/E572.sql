/*
what:   the time (column 6) is not an integer number of seconds
advice: Write seconds since 1970.
*/
select file, line, cells[6] as value
from read_values
where len(cells) = 9 and invalid // $bit_time % 2 = 1
