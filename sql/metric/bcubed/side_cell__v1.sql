/*
title:    The overlap cells seen from the response (precision) and from the reference (recall)
source:   A. Bagga, Enhancing the TDT Tracking Evaluation, figure 4 (precision and recall are one formula, the sides
          exchanged)
inputs:   metric.bcubed_cell__v1
grain:    run_no, profile_no, is_response, own_no, other_no
columns:
    run_no       key    run
    profile_no   key    scoring profile
    is_response  key    1: own is the response (precision); 0: own is the reference (recall)
    own_no       key    topic on the own side
    other_no     key    topic on the other side; 0: no topic
    n_story      count  stories with one topic on the own side and at most one on the other
class:    exact
volume:   cells
see also: cell__v1
*/
select run_no, profile_no, 1 as is_response, response_no as own_no, reference_no as other_no, n_story
from metric.bcubed_cell__v1 where response_no > 0
union all
select run_no, profile_no, 0 as is_response, reference_no as own_no, response_no as other_no, n_story
from metric.bcubed_cell__v1 where reference_no > 0
