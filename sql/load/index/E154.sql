/*
what:   {n_field} fields, expected a source file and where to begin
advice: Correct the line.
field:  2
*/
select file, line, f[3] as value, len(f) as n_field
from index_named
where is_wide and not $of_pairs
