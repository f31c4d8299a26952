/*
title:    Cochran's Q of the differences of each pair over the values of an attribute, and its degrees of freedom
edges:    A value whose difference does not vary has no weight and is left out; n_omitted counts these.
source:   W. G. Cochran, The Combination of Estimates from Different Experiments, Biometrics 10 (1954)
*/
with

weighted as (
    select
        run_id, baseline_id, row_no, difference,
        pow(nullif(coalesce(nullif(deviation, 0), se), 0), -2) as weight,
        min(row_no) over (partition by run_id, baseline_id) as first_no
    from compared_pair
    where difference is not null
)

select
    run_id, baseline_id, sum(weight * pow(difference - mean, 2) order by row_no) as q, count(weight) - 1 as n_free,
    count(*) - count(weight) as n_omitted
from (
    select
        *, sum(difference * weight) over whole / sum(weight) over whole as mean
    from weighted
    window whole as (partition by run_id, baseline_id order by row_no rows between unbounded preceding
        and unbounded following)
)
group by run_id, baseline_id, first_no
having count(weight) > 1
order by first_no
