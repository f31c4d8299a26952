/*
title:    The mean of n numbers whose sum is stored in whole units of 1 / scale
formula:  total, divided by scale, then by n
source:   Our own: sums that move from point to point of a curve are stored as integers, so that they are exact
exact:    As exact_mean: total becomes a double once and is divided twice.
edges:    NULL where n is 0: the mean of nothing is undefined.
see also: exact_mean, whole_units
*/
create macro mean_of_units(total, n, scale := 1e15) as
    case when n > 0 then cast(total as double) / scale / n end
