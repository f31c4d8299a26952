/*
title:    How many trials a condition has in a subset
*/
select cast(coalesce(sum(n_trial), 0) as bigint) as n_trial
from base.verification_segment as segment
join registry.condition using (condition_no)
where condition_id = $condition
    and ($subset = 'all' or exists (
        select 1
        from base.subset_cell as cell
        join base.subset using (condition_no, subset_no)
        where cell.condition_no = segment.condition_no
            and cell.segment_no = segment.segment_no
            and subset.subset = $subset
    ))
