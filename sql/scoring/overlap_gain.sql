/*
title:  The rows of metric.bcubed_overlap_gain__v1, of gains that were counted as high * 2^26 + low
*/
select
    unit.run_no, unit.profile_no, unit.is_response, unit.unit_no, n_near,
    cast(high as decimal(38, 0)) * cast(67108864 as decimal(38, 0)) + cast(low as decimal(38, 0)) as gain
from (select distinct run_no, profile_no, is_response, unit_no from metric.bcubed_overlap_unit__v1) as unit
join scope.overlap_gain using (run_no, profile_no, is_response, unit_no)
