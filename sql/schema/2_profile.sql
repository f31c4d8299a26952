-- Scoring profiles: costs, priors and policies as rows. NULL where a task does not use a column.

create table registry.profile ( -- One scoring profile
    profile_no integer primary key, -- key
    profile_id varchar not null unique, -- name
    base_profile varchar, -- the profile it was derived from; NULL for a profile without base
    source varchar not null, -- document and section that says so
    -- detection: tracking, new event, link, filtering
    p_target double, -- a priori probability of a target
    c_miss double, -- cost of a miss
    c_fa double, -- cost of a false alarm
    judged_no varchar check (judged_no in ('scored', 'excluded')), -- story judged no for the topic, scored as a non-target
    training varchar check (training in ('excluded', 'scored')), -- training stories: excluded by identity, or scored where the index lists them
    fa_topics varchar check (fa_topics in ('all', 'with_target')), -- topics in the mean of p_fa: all with non-targets, or only those that also have targets
    topic_cost varchar check (topic_cost in ('cost_of_means', 'mean_of_costs')), -- topic-weighted cost
    topic_cost_new_event varchar check (topic_cost_new_event in ('cost_of_means', 'mean_of_costs')), -- the same for new event detection
    topic_cost_minimum varchar check (topic_cost_minimum in ('cost_of_means', 'mean_of_costs')), -- the same for points of the DET curve and the minimum
    new_event_rule varchar check (new_event_rule in ('each_topic', 'mixed_dropped')), -- story that is first on some and later on other topics
    det_rule varchar check (det_rule in ('complete', 'program')), -- points: complete is yes if score >= threshold; program is TDT3eval's emission rule, yes if score > threshold
    det_omitted varchar check (det_omitted in ('lowest', 'never')), -- trials without a decision: accepted last, or targets missed and non-targets never accepted
    band_z double, -- half width of the confidence band in standard errors
    -- scored trials: error rates of a run without its decisions
    "primary" varchar check ("primary" in ('eer', 'auc', 'min_c_det', 'min_c_det_norm', 'act_c_det', 'act_c_det_norm', 'c_det', 'c_det_norm', 'cllr', 'min_cllr')), -- metric that leaderboards of scored trials are ranked by; NULL: as the task says (report.condition)
    eer varchar check (eer in ('nearest_point', 'nearest_corner', 'nearest_trial', 'nearest_max', 'target_step', 'interpolated', 'convex_hull')), -- which point of the curve has equal error rates (metric.verification_eer__v1)
    min_cllr varchar check (min_cllr in ('none', 'laplace')), -- before scores are calibrated against the key: nothing is added, or two targets and two non-targets at the ends
    p_fa_stop double, -- false-alarm probability at which the area under a part of the curve ends, and the hit rate is read
    decide_at varchar check (decide_at in ('bayes', 'threshold', 'condition')), -- acceptance threshold of runs without decisions: the Bayes threshold of the costs, a number, or that of least cost of the run of the same name in decide_condition; NULL: they have no hard decisions
    decide_threshold double, -- lowest score that is a yes of a run of scores alone
    decide_condition varchar, -- name of the condition whose scores the threshold is fitted on (decide_at = condition)
    -- utility of TDT3eval
    utility_weight double, -- value of a hit in false alarms
    utility_min double, -- floor of the normed utility
    -- filtering
    f_beta double, -- beta of F
    t11su_beta double, -- cost of a false alarm in units of a hit's value: .5 is 2:1, T11U = 2A - B
    t11su_min double, -- floor of the normalised utility
    empty_topic varchar check (empty_topic in ('undefined', 'zero')), -- topic without relevant documents
    empty_retrieved varchar check (empty_retrieved in ('undefined', 'zero')), -- precision of a topic without retrieved documents
    missing_topic varchar check (missing_topic in ('empty', 'undefined')), -- topic that a run says nothing of: nothing retrieved, or in no mean
    -- partitions
    b3_unassigned varchar check (b3_unassigned in ('exclude', 'drop', 'zero', 'singleton')), -- story of a reference topic that the system puts nowhere
    b3_unjudged varchar check (b3_unjudged in ('exclude', 'drop', 'zero', 'singleton')), -- story the system puts in a topic that has no reference topic
    missing_item varchar check (missing_item in ('exclude', 'drop', 'singleton', 'one_cluster', 'error')), -- partition: item of the gold that a run puts in no cluster
    spurious_item varchar check (spurious_item in ('exclude', 'drop', 'singleton', 'one_cluster', 'error')), -- partition: item of a run without a gold cluster
    singleton_cluster varchar check (singleton_cluster in ('keep', 'drop', 'drop_system_item')), -- partition: clusters of one item stay, are removed from their side, or (of a run) their item out of both
    noise_cluster varchar check (noise_cluster in ('keep', 'singleton', 'missing')), -- partition: the cluster of a run with the label of noise is a cluster, clusters of one item, or none
    repeated_item varchar check (repeated_item in ('keep', 'first')), -- partition: item in several clusters of a run stays in all, or in the first of the file
    overlap varchar check (overlap in ('membership', 'error')), -- partition: items in several clusters count in each, or are refused
    degenerate varchar check (degenerate in ('null', 'reference_program')), -- partition: 0/0 is NULL, or what other programs print
    -- hierarchy
    w_det double, -- weight of the detection cost
    optbr double, -- optimal branching factor of the normaliser
    c_branch double, -- cost of looking over one child
    c_title double, -- cost of opening one title
    -- summarization: what the files say
    file_rules varchar check (file_rules in ('ts2013', 'ts2014', 'ts2015')), -- how the files are read: as this program does; NULL: strictly
    offsets varchar check (offsets in ('bytes', 'chars')), -- unit of the match offsets
    word_count varchar check (word_count in ('column', 'blanks', 'words')), -- length of a text: as the file says, blanks plus one, or words
    word_marking varchar check (word_marking in ('exact', 'program')), -- words of a span: those it touches, or one to the left and of the first span only
    -- summarization: nuggets and events
    relevance varchar check (relevance in ('graded', 'binary')), -- relevance of a nugget
    importance_top double, -- importance of a nugget of relevance 1; NULL: the highest of the event
    binary_rule varchar check (binary_rule in ('positive', 'nonzero')), -- binary relevance 1: importance > 0, or not 0
    nugget_importance varchar check (nugget_importance in ('all', 'positive')), -- nuggets that count: all, or those of importance > 0
    nuggets varchar check (nuggets in ('all', 'matched')), -- nuggets that count: all, or only those that some update matches
    repeated_nugget varchar check (repeated_nugget in ('last', 'every_row')), -- sums over nuggets: each id once, or every row
    scored_events varchar check (scored_events in ('all', 'pool', 'pool_and_matches')), -- events that are scored: all, with pooled updates, or with pooled updates and matches
    latency_fix varchar check (latency_fix in ('none', 'all', 'updates_only')), -- updates whose time is that of the earliest run that sent them
    latency_step double, -- seconds (alpha)
    -- summarization: updates
    unpooled varchar check (unpooled in ('invisible', 'null_update', 'ignore', 'unknown_length')), -- updates outside the pool; null_update: one word long; unknown_length: verbosity 1
    unpooled_match varchar check (unpooled_match in ('kept', 'dropped')), -- matches of an update outside the pool
    duplicates varchar check (duplicates in ('canonical', 'own')), -- an update that the pool calls a duplicate: is the other one, or its own
    duplicates_file varchar check (duplicates_file in ('used', 'unused')), -- pairs of the duplicates file
    tie_break varchar check (tie_break in ('input', 'update_id')), -- of updates sent at one time the first is: first in the file, or of the smaller id
    confidence varchar check (confidence in ('none', 'value', 'position', 'min_max')), -- weight of an update
    confidence_sum varchar check (confidence_sum in ('divided', 'not_divided')), -- confidence-biased sums: divided by the sum of the weights, or not
    latency_over varchar check (latency_over in ('matches', 'updates')), -- expected latency is over these
    confidence_latency_over varchar check (confidence_latency_over in ('matches', 'updates')), -- confidence-biased latency is over these
    eg_tau_over varchar check (eg_tau_over in ('updates', 'verbosity')), -- EG at tau is over these: updates (eq. 10) or verbosity (eq. 12)
    undefined varchar check (undefined in ('null', 'zero')), -- 0/0 of an event
    -- value tracking
    scalar_baseline double, -- what a number counts as until one is submitted
    location_baseline double, -- kilometres of error until a location is submitted
    -- scores of items
    pass_threshold double, -- score from which on a sample passes; where lower is better, up to which
    cluster_correction varchar check (cluster_correction in ('finite', 'none')), -- clustered error of G clusters: with the factor G / (G - 1), or without
    missing_value double -- what an item without a score counts as in the mean over all items
);
-- public registry.profile: profile_no, profile_id, base_profile, source, p_target, c_miss, c_fa, judged_no, training
-- public registry.profile: fa_topics, topic_cost, topic_cost_new_event, topic_cost_minimum, new_event_rule, det_rule
-- public registry.profile: det_omitted, band_z, primary, eer, min_cllr, p_fa_stop, decide_at, decide_threshold
-- public registry.profile: decide_condition, utility_weight, utility_min, f_beta, t11su_beta, t11su_min, empty_topic
-- public registry.profile: empty_retrieved, missing_topic, b3_unassigned, b3_unjudged, missing_item, spurious_item
-- public registry.profile: singleton_cluster, noise_cluster, repeated_item, overlap, degenerate, w_det, optbr
-- public registry.profile: c_branch, c_title, file_rules, offsets, word_count, word_marking, relevance
-- public registry.profile: importance_top, binary_rule, nugget_importance, nuggets, repeated_nugget, scored_events
-- public registry.profile: latency_fix, latency_step, unpooled, unpooled_match, duplicates, duplicates_file
-- public registry.profile: tie_break, confidence, confidence_sum, latency_over, confidence_latency_over, eg_tau_over
-- public registry.profile: undefined, scalar_baseline, location_baseline, pass_threshold, cluster_correction
-- public registry.profile: missing_value

create table registry.profile_value ( -- Values of profiles that task packages define
    profile_no integer not null, -- profile
    name varchar not null, -- name of the value
    value varchar not null, -- the value: a number in full precision, or a text
    primary key (profile_no, name)
);
-- public registry.profile_value: profile_no, name, value
