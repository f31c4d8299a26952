/*
title:    Every sample of a run with the score that counts
source:   Our own: harnesses write 0 for a sample that failed, which a condition may not take for an answer
inputs:   base.item_score, registry.run, registry.condition
grain:    run_no, measure_no, block_no, epoch
columns:
    run_no      key    run
    measure_no  key    measure
    block_no    key    item
    epoch       key    attempt at the item
    score       score  NULL: not scored
    is_error    flag   1: the file says that it failed
edges:    Of a failed sample the score counts as the file gives it; under error_item = missing it has none.
class:    exact
volume:   samples
*/
select
    run_no, measure_no, block_no, epoch, case when is_error = 0 or error_item = 'score' then given_score end as score,
    is_error
from base.item_score join registry.run using (run_no) join registry.condition using (condition_no)
