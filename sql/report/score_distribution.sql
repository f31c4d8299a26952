/*
title:    Fitted score distributions and thresholds of every run and topic, as far as they are up to date
formula:  on-topic scores Gaussian, off-topic scores exponential, both by maximum likelihood; the threshold is
          where p(x | on) = k p(x | off), k = c_fa (1 - p) / (c_miss p), at the lower crossing
source:   Manmatha, Feng, Allan, A Critical Examination of TDT's Cost Function, sections 1.1 and 2
inputs:   ledger.result_distribution, ledger.current_computation, registry.run, registry.condition, registry.task,
          registry.condition_profile, registry.profile, base.block
grain:    run_id, condition_id, profile_id, block_id, prior
columns:
    run_id                 key           run
    task                   text          task of its condition
    condition_id           key           evaluation condition
    profile_id             key           scoring profile
    block_id               key           topic; NULL for all topics together
    prior                  key           fixed: the profile's prior; own: the topic's own
    p_target               ratio [0, 1]  the prior of the cost
    p_rel                  ratio [0, 1]  share of the trials that are targets
    n_on                   count         targets with a score
    n_off                  count         non-targets with a score
    on_mean                score         mean of the Gaussian; NULL without a fit
    on_sd                  score         its standard deviation
    on_ks                  ratio [0, 1]  Kolmogorov-Smirnov statistic
    off_rate               double        rate of the exponential, per unit of score; NULL without a fit
    off_origin             score         lowest score it allows
    off_ks                 ratio [0, 1]  Kolmogorov-Smirnov statistic
    fitted_kind            text          crossing, accept_all or reject_all
    fitted_threshold       score         score from which the model accepts; NULL for accept_all and reject_all
    upper_crossing         score         score above which the model is not to be used
    n_above_upper          count         scores above it
    fitted_posterior       ratio [0, 1]  probability of relevance at the threshold, by the model
    optimal_posterior      ratio [0, 1]  the same by equation 5 (fixed) or 8 (own)
    fitted_cost_norm       cost          normalised cost at the threshold, by the model
    fitted_data_cost_norm  cost          normalised cost at the threshold, on the data
    best_threshold         score         the threshold that is best on the data; NULL for reject-all
    best_cost_norm         cost          normalised cost there
    k                      ratio         effective cost ratio c_fa (1 - p) / (c_miss p); NULL without p_target
    null_reason            text          external: no result is stored; the other numbers are NULL
edges:    A run and profile without stored results, or whose numbers are not up to date, have one row, with NULL for
          topic, prior and bin.
          off_origin is 0, or the lowest off-topic score where that is negative: a fit depends on where the scores of a
          system begin, so a constant added to all of them changes fitted_threshold by another amount.
          Only scored trials with a decision have a score. A topic without targets has no own prior.
class:    external: maximum likelihood fits are iterative, and their threshold a root
module:   tdtsql.scoring.distribution
see also: common_threshold, score_histogram
*/
with current as (select run_no, profile_no, computation_no from ledger.current_computation)

select
    run_id, task, condition_id, profile_id, block_id, prior, result_distribution.p_target, p_rel, n_on, n_off, on_mean,
    on_sd, on_ks, off_rate, off_origin, off_ks, fitted_kind, fitted_threshold, upper_crossing, n_above_upper,
    fitted_posterior, optimal_posterior, fitted_cost_norm, fitted_data_cost_norm, best_threshold, best_cost_norm,
    ratio(c_fa * (1 - result_distribution.p_target), c_miss * result_distribution.p_target) as k,
    case when coalesce(n_on, -1) < 0 then 'external' end as null_reason
from registry.run join registry.condition using (condition_no) join registry.task using (task)
join registry.condition_profile using (condition_no) join registry.profile using (profile_no)
left join current using (run_no, profile_no)
left join ledger.result_distribution using (computation_no)
left join base.block using (condition_no, block_no)
where is_detection = 1
