/*
title:    How many rows meet a condition
formula:  |{rows where the condition is true}|
source:   Our own: not every engine has filter or count_if
exact:    A count.
edges:    A row of which it is unknown (NULL) does not count. 0 without rows.
see also: whole_sum
*/
create macro count_where(condition) as
    count(case when condition then 1 end)
