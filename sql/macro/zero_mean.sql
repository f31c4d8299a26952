/*
title:    The mean over n of numbers, of which an undefined one counts 0
formula:  sum of x, 0 for NULL, over n
source:   TREC Temporal Summarization programs of 2013 to 2015: an event without a number counts as 0
exact:    As exact_sum, and one more division.
edges:    NULL where n is 0.
see also: exact_sum, exact_mean
*/
create macro zero_mean(x, n, scale := 1e18) as
    ratio(exact_sum(coalesce(x, 0e0), scale), n)
