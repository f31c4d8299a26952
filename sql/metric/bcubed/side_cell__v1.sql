/*
title:    The overlap cells seen from the response (precision) and from the reference (recall)
source:   A. Bagga, Enhancing the TDT Tracking Evaluation, figure 4 (precision and recall are one formula, the sides exchanged)
inputs:   metric.bcubed_cell__v1
grain:    run_no, profile_no, is_response, own_no, other_no
columns:
    run_no       key    run
    profile_no   key    scoring profile
    is_response  key    1: own is the response (precision); 0: own is the reference (recall)
    own_no       key    topic on the own side
    other_no     key    topic on the other side; 0 is none
    n_story      count  stories with one topic on the own side and at most one on the other
class:    exact
volume:   cells
see also: cell__v1
*/
select
    cell.run_no as run_no,
    cell.profile_no as profile_no,
    1 as is_response,
    cell.response_no as own_no,
    cell.reference_no as other_no,
    cell.n_story as n_story
from metric.bcubed_cell__v1 as cell
where cell.response_no > 0
union all
select
    cell.run_no as run_no,
    cell.profile_no as profile_no,
    0 as is_response,
    cell.reference_no as own_no,
    cell.response_no as other_no,
    cell.n_story as n_story
from metric.bcubed_cell__v1 as cell
where cell.reference_no > 0
