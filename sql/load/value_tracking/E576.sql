/*
what:   the confidence (column 9) is not a number above 0
advice: Write a number above 0.
*/
select file, line, cells[9] as value
from read_values
where len(cells) = 9 and invalid // $bit_confidence % 2 = 1
