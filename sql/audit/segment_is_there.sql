/*
title:    Test sets consist of segments of the condition
severity: error
inputs:   base.segment, base.test_segment
checked:  after every load
*/
select *
from base.test_segment
anti join base.segment using (condition_no, segment_no)
limit 1000
