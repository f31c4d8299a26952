/*
title:    A quotient of counts as whole units of 1e-15
formula:  numerator / denominator in units of 1e-15: the whole part exactly, the rest rounded half up
source:   Our own: quotients that are added up are whole numbers, so that their sum has no order
exact:    The remainder is smaller than the denominator, so its quotient is below 1 and is rounded once more, to 1e-15.
edges:    NULL where the denominator is 0, NULL or negative. Counts below 2^53.
see also: whole_units, count_units, ratio
*/
create macro ratio_units(numerator, denominator) as
    case
        when denominator > 0
            then count_units(cast(floor(cast(numerator as double) / denominator) as bigint))
            + whole_units(
                cast(
                    numerator
                    - cast(floor(cast(numerator as double) / denominator) as bigint) * denominator
                    as double
                ) / denominator
            )
    end
