-- Comparisons of runs, and intervals of their numbers: resampled in Python, stored until a computation is replaced.

create table ledger.result_comparison ( -- A pair of runs under one setting, or a run and the interval of its number
    computation_no bigint not null, -- the computation of the run
    baseline_computation_no bigint, -- the computation of the baseline; NULL of an interval
    subset varchar not null, -- subset
    metric varchar not null, -- metric id
    weighting varchar not null, -- topic, story, group or weight
    unit varchar not null, -- what is drawn: topic, item, cluster, trial, an attribute; a,b of two sides, a=b of one population on both
    test varchar not null, -- randomisation, bootstrap, delong, mcnemar, normal, t or wilcoxon; none of an interval
    interval varchar not null, -- percentile, bca, normal or t
    level double not null, -- of the intervals
    missing varchar not null, -- what a topic means that a run lacks: error, common, zero or worst; none of trials
    n_permutation bigint not null, -- sign patterns drawn; 0 of trials
    n_draw bigint not null, -- resamples drawn; 0 of closed forms
    seed bigint not null, -- of the draws
    draws_version bigint not null, -- of the stream of draws; rows of another version are not current
    value double, -- number of the run over what is compared
    baseline_value double, -- number of the baseline
    difference double, -- run minus baseline
    low double, -- interval of the difference
    high double, -- interval of the difference
    value_low double, -- interval of the value, from the same draws
    value_high double, -- interval of the value
    baseline_low double, -- interval of the number of the baseline
    baseline_high double, -- interval of the number of the baseline
    se double, -- standard error of the difference
    statistic double, -- t or z
    p double, -- two-sided p, not corrected
    mc_error double, -- standard error of p by simulation
    is_exact integer, -- 1: p is not simulated
    smallest_p double, -- smallest p that the test can have on these units
    effect_size double, -- mean difference in standard deviations of the differences
    deviation double, -- standard deviation of the difference over draws of trials
    n_unit varchar, -- units drawn; 5 x 6 of two sides
    n_topic bigint, -- topics or items compared
    n_cluster bigint, -- clusters of them
    n_undefined bigint, -- topics without a number for both
    n_missing bigint, -- numbers that the policy for missing topics dropped or filled
    n_differing bigint, -- units on which the runs differ
    n_target bigint, -- targets compared
    n_nontarget bigint, -- non-targets compared
    n_only_run bigint, -- trials that only the run gets wrong
    n_only_baseline bigint, -- trials that only the baseline gets wrong
    n_undefined_draw bigint, -- draws that lack a class
    win bigint, -- topics on which the run is better
    tie bigint, -- topics on which they are equal
    loss bigint, -- topics on which the baseline is better
    reason varchar, -- why a number is NULL
    note varchar, -- what a reader should know of the units
    sha256 varchar not null -- hash of this row
);
-- grain ledger.result_comparison: computation_no, baseline_computation_no, subset, metric, weighting, unit, test
--   interval, level, missing, n_permutation, n_draw, seed, draws_version
-- public ledger.result_comparison: computation_no, baseline_computation_no, subset, metric, weighting, unit, test
-- public ledger.result_comparison: interval, level, missing, n_permutation, n_draw, seed, draws_version, value
-- public ledger.result_comparison: baseline_value, difference, low, high, value_low, value_high, baseline_low
-- public ledger.result_comparison: baseline_high, se, statistic, p, mc_error, is_exact, smallest_p, effect_size
-- public ledger.result_comparison: deviation, n_unit, n_topic, n_cluster, n_undefined, n_missing, n_differing
-- public ledger.result_comparison: n_target, n_nontarget, n_only_run, n_only_baseline, n_undefined_draw, win, tie
-- public ledger.result_comparison: loss, reason, note, sha256
