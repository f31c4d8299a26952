/*
title:    A ratio of counts or sums that is NULL for 0/0
formula:  numerator / denominator
source:   Our own: of two integers some engines give an integer, and for 0/0 they give NaN, NULL or an error
exact:    Both are whole numbers below 2^53, or doubles; one division, correctly rounded (IEEE 754).
edges:    NULL where the denominator is 0, NULL or negative.
*/
create macro ratio(numerator, denominator) as
    case when denominator > 0 then cast(numerator as double) / denominator end
