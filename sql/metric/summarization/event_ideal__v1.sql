/*
title:    What the expected gains of an event are normalised by
formula:  Z(k), k = min(|S|, number of nuggets), all nuggets when S is empty
source:   the track's programs of 2014 and 2015 (the normaliser of nE[Gain])
inputs:   metric.summarization_event_sum__v1, metric.summarization_ideal_gain__v1, base.summarization_run_event__v1,
          registry.run
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no      key    run
    profile_no  key    scoring profile
    subset_no   key    0: all; or a subset tau=SECONDS of the condition
    block_no    key    event
    ideal_gain  ratio  Z(k)
edges:    An event without nuggets, or of nuggets without relevance, has no row: nothing can be normalised.
class:    libm
see also: ideal_gain__v1, event_ratio__v1
*/
select run_no, profile_no, subset_no, block_no, ideal_gain
from metric.summarization_event_sum__v1 as summed join registry.run using (run_no)
join base.summarization_run_event__v1 using (run_no, profile_no, block_no)
join metric.summarization_ideal_gain__v1 as best
    on best.condition_no = run.condition_no and best.profile_no = summed.profile_no and best.block_no = summed.block_no
    and best.n_update = case when summed.n_update between 1 and n_nugget then summed.n_update else n_nugget end
where ideal_gain > 0
