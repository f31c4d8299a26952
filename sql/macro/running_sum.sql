/*
title:    The sum down a curve
formula:  Sum of x over the rows of the same run_no, profile_no and subset_no that are at or before this one in
          the order of position, lowest first
source:   Our own: a curve is its steps added up, and many sums go down one curve
exact:    x is a whole number, so the sum is exact.
edges:    position has no ties in a run, profile and subset. Down from the highest: running_sum(x, -position).
*/
create macro running_sum(x, position) as
    sum(x) over (
        partition by run_no, profile_no, subset_no order by position asc
        rows between unbounded preceding and current row
    )
