/*
title:    Months since March of the year 0
formula:  12 * year + month - 3
source:   Our own: a year that begins in March has its leap day at its end, so that days before a month are one formula
exact:    Whole numbers below 2^17.
edges:    NULL for NULL. The text is YYYY-MM-DD, and whatever follows.
see also: epoch_seconds
*/
create macro months_since_march(moment) as
    (12 * cast(substr(moment, 1, 4) as double) + cast(substr(moment, 6, 2) as double) - 3)
