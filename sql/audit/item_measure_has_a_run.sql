/*
title:    A measure of items is one of a run of the condition
severity: error
inputs:   registry.run, base.item_measure, base.item_score
*/
-- A load that replaces or drops a run deletes what is selected here (tdtsql/store/registry.py).
with

measured as (
    select distinct condition_no, measure_no
    from base.item_score
    join registry.run using (run_no)
)

select condition_no, measure_no, measure
from base.item_measure
anti join measured using (condition_no, measure_no)
