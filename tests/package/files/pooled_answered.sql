/*
title:    Pairs that some run of a condition answers
source:   Our own: the pool of all runs
inputs:   pooled.answer, registry.run
fills:    pooled.answered
owner:    condition_no
after:    a run of the condition is loaded or dropped
class:    exact
*/
select distinct condition_no, block_no
from pooled.answer
join registry.run using (run_no)
