/*
title:  Rows of the join of metric.bcubed_overlap_gain__v1, and how many topics it goes through
*/
select coalesce(sum(n_unit * n_asked), 0), count(*)
from (
    select count(*) as n_unit, sum(is_asked) as n_asked
    from metric.bcubed_overlap_unit__v1
    join metric.bcubed_overlap_work__v1 using (run_no, profile_no)
    where is_made = 1
    group by run_no, profile_no, is_response, block_no
)
