-- Score distributions: fitted in Python, stored like other results.

create table ledger.result_distribution ( -- Gaussian and exponential fitted to the scores of one topic, and what follows for the threshold
    computation_no bigint not null, -- the computation of the run whose scores these are
    block_no integer not null, -- block (topic); 0 for all topics together
    prior varchar not null, -- fixed: p_target of the profile; own: the topic's own P(rel)
    p_target double, -- the prior of the cost; NULL where the topic has none
    p_rel double, -- share of the trials that are targets
    n_on bigint not null, -- targets with a score
    n_off bigint not null, -- non-targets with a score
    on_mean double, -- mean of the Gaussian; NULL where there are fewer than two different scores
    on_sd double, -- its standard deviation (maximum likelihood)
    on_ks double, -- Kolmogorov-Smirnov statistic of the fit
    off_rate double, -- rate of the exponential; NULL where all scores are at the origin
    off_origin double, -- lowest score it allows: 0, or the lowest off-topic score where that is negative
    off_ks double, -- Kolmogorov-Smirnov statistic of the fit
    fitted_kind varchar, -- crossing, accept_all or reject_all; NULL without a fit
    fitted_threshold double, -- score from which the model accepts; NULL for accept_all, reject_all or no fit
    upper_crossing double, -- score above which the model is not to be used; NULL if none
    n_above_upper bigint, -- scores above it
    fitted_posterior double, -- probability of relevance at the threshold, by the model
    optimal_posterior double, -- the same by equation 5 (fixed) or 8 (own)
    fitted_cost_norm double, -- normalised cost at the threshold, by the model
    fitted_data_cost_norm double, -- normalised cost at the threshold, on the data
    best_threshold double, -- the threshold that is best on the data; NULL for reject-all
    best_cost_norm double -- normalised cost there
);
-- grain ledger.result_distribution: computation_no, block_no, prior
-- public ledger.result_distribution: computation_no, block_no, prior, p_target, p_rel, n_on, n_off, on_mean, on_sd
-- public ledger.result_distribution: on_ks, off_rate, off_origin, off_ks, fitted_kind, fitted_threshold
-- public ledger.result_distribution: upper_crossing, n_above_upper, fitted_posterior, optimal_posterior
-- public ledger.result_distribution: fitted_cost_norm, fitted_data_cost_norm, best_threshold, best_cost_norm

create table ledger.result_common_threshold ( -- One threshold for all topics of a run, and what that costs
    computation_no bigint not null, -- the computation of the run
    prior varchar not null, -- fixed or own
    n_block bigint not null, -- topics with targets and a cost
    threshold double, -- the best common threshold on the data; NULL for reject-all
    cost_norm double, -- mean normalised cost with it
    own_cost_norm double -- mean normalised cost with each topic's best threshold
);
-- grain ledger.result_common_threshold: computation_no, prior
-- public ledger.result_common_threshold: computation_no, prior, n_block, threshold, cost_norm, own_cost_norm

create table ledger.result_histogram ( -- Scores counted in bins of equal width
    computation_no bigint not null, -- the computation of the run
    block_no integer not null, -- block (topic); 0 for all topics together
    is_target integer not null, -- 1: targets; 0: non-targets
    bin_no integer not null, -- bin, from 0
    lower_end double not null, -- lower end, within
    upper_end double not null, -- upper end, not within, except in the last bin
    n_score bigint not null -- scores in it
);
-- grain ledger.result_histogram: computation_no, block_no, is_target, bin_no
-- public ledger.result_histogram: computation_no, block_no, is_target, bin_no, lower_end, upper_end, n_score
