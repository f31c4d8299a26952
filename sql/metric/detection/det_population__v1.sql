/*
title:    The topics and trials of a DET curve
source:   The 2004 TDT evaluation plan, section 5.1; F4DE 3.5.0 (blocks without targets skipped)
inputs:   metric.detection_trial_total__v1, registry.run, registry.profile, base.curve_request
grain:    run_no, profile_no, subset_no
columns:
    run_no             key      run
    profile_no         key      scoring profile
    subset_no          key      subset; 0 is all
    n_target           count  target trials
    n_nontarget        count  non-target trials
    n_block_miss       count  topics with targets
    n_block_nontarget  count  topics with non-targets
    n_block_fa         count  topics in the mean of p_fa
    n_block_both       count  topics with targets and non-targets
    is_one_topic       flag   1: one topic has all trials, so that its rates are those of story weighting
edges:    Under fa_topics = with_target topics without targets are not in n_block_fa;
          their trials still are in n_nontarget.
class:    exact
see also: det_curve__v1
*/
select
    run_no, profile_no, subset_no, whole_sum(trial.n_target) as n_target, whole_sum(trial.n_nontarget) as n_nontarget,
    count(*) filter (where trial.n_target > 0) as n_block_miss,
    count(*) filter (where trial.n_nontarget > 0) as n_block_nontarget,
    count(*) filter (where trial.n_nontarget > 0 and (fa_topics = 'all' or trial.n_target > 0)) as n_block_fa,
    count(*) filter (where trial.n_target > 0 and trial.n_nontarget > 0) as n_block_both,
    case
        when n_block_miss = 1 and n_block_nontarget = 1 and n_block_fa = 1 and n_block_both = 1 then 1 else 0
    end as is_one_topic
from metric.detection_trial_total__v1 as trial join registry.run using (run_no) join registry.profile using (profile_no)
join base.curve_request using (condition_no, subset_no)
group by run_no, profile_no, subset_no
