/*
title:    The sum of numbers whose size only the rows know, bitwise identical in any order
formula:  sum of floor(x / unit * 1e18 + 1/2), over 1e18, times unit
source:   Our own: sums of whole numbers are bitwise identical for any number of threads and any order of rows, sums of
          doubles do not
exact:    unit is a power of two above all |x|, so the quotient is exact and at most 1; every term is a whole number, so
          the sum is exact. The result is within n * 0.5e-18 * unit of the sum of n numbers, and two roundings.
edges:    NULL where no row has a number.
see also: power_of_two, exact_sum
*/
create macro scaled_sum(x, unit) as
    cast(sum(whole_units(ratio(x, unit), 1e18)) as double) / 1e18 * max(unit)
