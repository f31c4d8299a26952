/*
title:  The conditions with stored curves and at most $largest decisions: their runs, and their subsets with a stored
        curve and without (no products)
*/
with kept as (
    select
        condition_no, list(subset) filter (request.subset_no is not null) as with_curve,
        list(subset order by subset_no) filter (request.subset_no is null and kind <> 'product') as without
    from base.subset
    left join base.curve_request as request using (condition_no, subset_no)
    group by all
)

select condition_no, list(run_no order by run_no), with_curve, without
from registry.condition
join registry.run using (condition_no)
join kept using (condition_no)
where with_curve is not null and condition_id = coalesce($condition, condition_id)
    and ($runs = [] or list_contains($runs, run_id))
group by all
having sum(n_row) <= $largest
order by 1
