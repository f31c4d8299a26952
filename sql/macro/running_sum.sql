/*
title:    The sum down a curve
formula:  Sum of x over the rows of the same curve that are at or before this one in ascending order of place
          after NULL
source:   Our own: a curve is its steps added up, and many sums go down one curve
exact:    x is a whole number, so the sum is exact.
edges:    A run, a profile and a subset have one curve. place has no ties in it; where the
          curve begins it may be NULL, before all scores, infinities too.
*/
create macro running_sum(x, run, profile, subset, place) as
    sum(x) over (
        partition by run, profile, subset order by place asc nulls first
        rows between unbounded preceding and current row
    )
