/*
title:    A count as whole units of 1e-15
formula:  n * 10^15
source:   Our own: what is added to sums of whole_units is in the same units
exact:    A product of whole numbers below 10^38.
edges:    NULL stays NULL.
see also: whole_units, ratio_units
*/
create macro count_units(n) as
    cast(n as decimal(38, 0)) * cast(1000000000000000 as decimal(38, 0))
