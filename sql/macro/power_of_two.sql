/*
title:    The power of two that is above a number, and at most twice as large
formula:  2 * (q - q * (1 - 2^-53)), where q = x * (2^52 + 1)
source:   S. M. Rump, T. Ogita, S. Oishi, Accurate floating-point summation part I (2008), algorithm 3.6 (unit in
          the first digit)
exact:    Two products and one difference, each correctly rounded (IEEE 754): the power for every x whose product with
          2^53 is finite.
edges:    1 for 0, so that it can be divided by; NULL stays NULL. x is not negative.
see also: scaled_sum
*/
create macro power_of_two(x) as
    case
        when x = 0 then 1e0
        else 2e0 * (x * 4503599627370497e0 - x * 4503599627370497e0 * 0.99999999999999988898e0)
    end
