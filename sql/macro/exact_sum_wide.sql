/*
title:    The sum of numbers of very different sizes, bitwise identical in any order
formula:  sum of floor(x * scale) over scale, plus the sum of what is left of each, in units of 1e-12 / scale
source:   Our own: sums of whole numbers are bitwise identical for any number of threads and any order of rows, sums of
          doubles do not
exact:    Both sums are of whole numbers, so they are exact; each becomes a double once and is divided once, and one
          addition follows. The result is within n * 0.5e-12 / scale of the sum of n numbers, and within five roundings.
edges:    NULL where no row has a number. For what no single scale holds: dollars times seconds next to metres times
          seconds, weights that fall with the length of a run.
see also: exact_sum, whole_units
*/
create macro exact_sum_wide(x, scale := 1e0) as
    case when count(x) > 0 then
        cast(sum(cast(floor(x * scale) as decimal(38, 0))) as double) / scale
        + cast(sum(whole_units(x * scale - floor(x * scale), 1e12)) as double) / (scale * 1e12)
    end
