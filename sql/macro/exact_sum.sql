/*
title:    The sum of numbers, bitwise identical in any order
formula:  sum of floor(x * scale + 1/2), divided by scale once
source:   Our own: sums of whole numbers are bitwise identical for any number of threads and any order of rows, sums of
          doubles do not
exact:    Every term is a whole number, so the sum is exact; it becomes a double once and is divided once. The result is
          within n * 0.5 / scale of the sum of n numbers, and within two roundings of a double.
edges:    NULL where no row has a number. Over a window: sum(whole_units(x)) over (...).
see also: exact_mean, whole_units
*/
create macro exact_sum(x, scale := 1e15) as
    cast(sum(whole_units(x, scale)) as double) / scale
