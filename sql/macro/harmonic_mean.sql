/*
title:    The harmonic mean of two ratios
formula:  2 * a * b / (a + b)
source:   The TREC Temporal Summarization programs of 2014 and 2015 (HM); C. J. van Rijsbergen, Information Retrieval,
          1979, chapter 7 (F)
exact:    Two products, a sum and a division of doubles, in this order; doubling is without rounding.
edges:    0 where both are 0. NULL where one is NULL, or their sum is negative.
*/
create macro harmonic_mean(a, b) as
    case when a + b > 0 then 2e0 * a * b / (a + b) when a + b = 0 then 0e0 end
