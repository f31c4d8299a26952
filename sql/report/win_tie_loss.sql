/*
title:    On how many blocks a run is better than another of its condition, and by how much on the mean
formula:  mean_difference = mean of value - baseline_value over the blocks where both are defined
source:   J. Zobel, How Reliable Are the Results of Large-Scale Information Retrieval Experiments?, SIGIR 1998
          (runs are compared topic by topic)
inputs:   report.topic_difference
grain:    condition_id, profile_id, subset, metric, run_id, baseline_id
columns:
    condition_id     key     evaluation condition
    profile_id       key     scoring profile
    subset           key     all, or what the numbers are conditioned on
    metric           key     metric id
    run_id           key     run
    baseline_id      key     run it is compared with
    n_block          count   blocks where both runs have a number
    n_undefined      count   blocks where one of them has none
    n_win            count   blocks on which run_id is better; 0 where neither end of the metric is better
    n_tie            count   blocks on which they are equal to 1e-12
    n_loss           count   blocks on which run_id is worse
    mean_difference  double  NULL where n_block is 0
edges:    Intervals and p values are computed by `tdtsql compare`; its win, tie, loss and difference are these.
          Differences are summed as whole multiples of 1e-15.
class:    exact
see also: topic_difference
*/
select
    condition_id, profile_id, subset, metric, run_id, baseline_id, count(difference) as n_block,
    count(*) - count(difference) as n_undefined, count(*) filter (where outcome = 'win') as n_win,
    count(*) filter (where outcome = 'tie') as n_tie, count(*) filter (where outcome = 'loss') as n_loss,
    exact_mean(difference) as mean_difference
from report.topic_difference group by all
