/*
what:   the last column cannot be read, expected - or parts such as (3), (3 and 3) joined by |
advice: Correct the line.
*/
select file, line, at_column + len(said) as at_column, whole as value
from conll_row
where len(said) < len(whole) and whole not in ('-', '_', '*')
