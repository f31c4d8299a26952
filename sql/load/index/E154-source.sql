/*
what:   {n_field} fields after source_file, expected one file name, with or without its number
advice: Correct the line.
*/
select file, line, whole as value, len(f) - 1 as n_field
from index_named
where is_wide and $of_pairs
