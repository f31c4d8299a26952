/*
title:    Seconds since 1970 of a date and time
formula:  86,400 * days + 3,600 * hours + 60 * minutes + seconds. Of years that begin in March, before the first day of
          month m there are 365 * y + y/4 - y/100 + y/400 + (153 * m + 2) / 5 days, all divisions rounded down.
source:   Our own: engines differ in parsing and subtracting dates. The Gregorian calendar: a leap year every
          fourth year, but not every hundredth, but every four hundredth.
exact:    Whole numbers far below 2^53; where a quotient is a whole number the division gives it.
edges:    NULL for NULL. The text is YYYY-MM-DD HH:MM:SS, as which engines write a timestamp; what is between and
          behind these numbers does not count.
see also: months_since_march
*/
create macro epoch_seconds(moment) as
    86400 * (
        365 * floor(months_since_march(moment) / 12)
        + floor(months_since_march(moment) / 48)
        - floor(months_since_march(moment) / 1200)
        + floor(months_since_march(moment) / 4800)
        + floor((153 * (months_since_march(moment) - 12 * floor(months_since_march(moment) / 12)) + 2) / 5)
        + cast(substr(moment, 9, 2) as double) - 719469
    )
    + 3600 * cast(substr(moment, 12, 2) as double)
    + 60 * cast(substr(moment, 15, 2) as double)
    + cast(substr(moment, 18, 2) as double)
