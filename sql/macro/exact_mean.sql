/*
title:    The mean of numbers, bitwise identical in any order
formula:  sum of floor(x * scale + 1/2), divided by scale, then by how many there are; of one number, that number
source:   Our own: sums of whole numbers are bitwise identical for any number of threads and any order of rows, sums of
          doubles do not
exact:    Every term is a whole number, so the sum is exact. Rounding each term to 1 / scale moves the mean by at most
          0.5 / scale; the cast and the two divisions by as many half units of the last digit.
edges:    NULL where no row has a number: the mean of nothing is undefined, not 0. One number is its own mean, to the
          last bit: a condition of one topic prints the topic's number.
see also: exact_sum, whole_units
*/
create macro exact_mean(x, scale := 1e15) as
    case when count(x) = 1 then max(x) when count(x) > 1 then exact_sum(x, scale) / count(x) end
