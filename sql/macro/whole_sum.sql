/*
title:    The sum of counts, as a count
formula:  sum of n
source:   Our own: engines give the sum of whole numbers another type than theirs, and not the same one
exact:    A sum of whole numbers below 2^63.
edges:    NULL where no row has a number.
see also: exact_sum (of numbers that are not whole)
*/
create macro whole_sum(n) as
    cast(sum(n) as bigint)
