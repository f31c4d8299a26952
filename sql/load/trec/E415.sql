/*
what:   {n:,} of {n_row:,} {lines} of the run {have} no score, the others have one
advice: Give a score in every line, or in none.
*/
-- NaN: no score
select file, min(line) filter (isnan(score)) as line, run_id as value, count(*) filter (isnan(score)) as n,
    count(*) as n_row, if(n_row = 1, 'line', 'lines') as lines, if(n = 1, 'has', 'have') as have
from read_run where invalid = 0
group by file, run_id
having n > 0 and n < n_row
