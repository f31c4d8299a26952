/*
title:    The mean of numbers whose size only the rows know, bitwise identical in any order
formula:  scaled_sum(x, unit) / n
source:   Our own: see scaled_sum
exact:    As scaled_sum, and one more division.
edges:    NULL where no row has a number. One number is its own mean, bitwise.
see also: scaled_sum, exact_mean
*/
create macro scaled_mean(x, unit) as
    case when count(x) = 1 then max(x) when count(x) > 1 then scaled_sum(x, unit) / count(x) end
