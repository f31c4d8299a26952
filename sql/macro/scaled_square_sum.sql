/*
title:    The sum of the squares of numbers whose size only the rows know, bitwise identical in any order
formula:  sum of floor((x / unit)^2 * 1e18 + 1/2), over 1e18, times unit twice
source:   Our own: sums of whole numbers are bitwise identical for any number of threads and any order of rows, sums of
          doubles do not
exact:    unit is a power of two above all |x|, so the quotients are exact and at most 1; every square is rounded once
          to a whole number, and the sum is exact.
edges:    NULL where no row has a number.
see also: scaled_sum, power_of_two
*/
create macro scaled_square_sum(x, unit) as
    scaled_sum(ratio(x, unit) * x, unit) * max(unit)
