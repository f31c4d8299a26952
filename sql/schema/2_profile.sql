-- Scoring profiles: costs, priors and policies as rows. NULL where a task does not use a column.

create table registry.profile ( -- One scoring profile
    profile_no integer primary key, -- key
    profile_id varchar not null unique, -- name
    base_profile varchar, -- the profile it was derived from; NULL for a shipped one
    source varchar not null, -- document and section that says so
    -- detection: tracking, new event, link, filtering
    p_target double, -- a priori probability of a target
    c_miss double, -- cost of a miss
    c_fa double, -- cost of a false alarm
    judged_no varchar, -- story judged no for the topic: scored (as a non-target) or excluded
    training varchar, -- training stories: excluded (by identity) or scored (where the index lists them)
    fa_topics varchar, -- topics in the mean of p_fa: all (with non-targets) or with_target (that also have targets)
    topic_cost varchar, -- topic-weighted cost: cost_of_means or mean_of_costs
    topic_cost_new_event varchar, -- the same for new event detection
    topic_cost_minimum varchar, -- the same for points of the DET curve and the minimum
    new_event_rule varchar, -- story that is first on some and later on other topics: each_topic or mixed_dropped
    det_rule varchar, -- points: complete (yes if score >= threshold) or program (TDT3eval's emission rule, yes if score > threshold)
    det_omitted varchar, -- trials without a decision: lowest (accepted last) or never (targets missed, non-targets never accepted)
    band_z double, -- half width of the confidence band in standard errors
    -- utility of TDT3eval
    utility_weight double, -- value of a hit in false alarms
    utility_min double, -- floor of the normed utility
    -- filtering
    f_beta double, -- beta of F
    t11su_beta double, -- cost of a false alarm in units of half a hit's value
    t11su_min double, -- floor of the normalised utility
    empty_topic varchar, -- topic without relevant documents: undefined or zero
    empty_retrieved varchar, -- precision of a topic without retrieved documents: undefined or zero
    missing_topic varchar, -- topic that a run says nothing of: empty (nothing retrieved) or undefined (in no mean)
    -- partitions
    b3_unassigned varchar, -- story of a reference topic that the system puts nowhere: exclude, drop, zero or singleton
    b3_unjudged varchar, -- story the system puts in a topic that has no reference topic: exclude, drop, zero or singleton
    -- hierarchy
    w_det double, -- weight of the detection cost
    optbr double, -- optimal branching factor of the normaliser
    c_branch double, -- cost of looking over one child
    c_title double, -- cost of opening one title
    -- summarization: what the files say
    file_rules varchar, -- how the files are read: as the program ts2013, ts2014 or ts2015 does; NULL: strictly
    offsets varchar, -- unit of the match offsets: bytes or chars
    word_count varchar, -- length of a text: column (as the file says), blanks (blanks plus one) or words
    word_marking varchar, -- words of a span: exact (those it touches) or program (one to the left, first span only)
    -- summarization: nuggets and events
    relevance varchar, -- graded or binary
    importance_top double, -- importance of a nugget of relevance 1; NULL: the highest of the event
    binary_rule varchar, -- binary relevance 1: positive (importance > 0) or nonzero
    nugget_importance varchar, -- nuggets that count: all, or positive (importance > 0)
    nuggets varchar, -- all, or matched (only nuggets that some update matches)
    repeated_nugget varchar, -- sums over nuggets: last (each id once) or every_row
    scored_events varchar, -- all, pool (with pooled updates) or pool_and_matches
    latency_fix varchar, -- none, all or updates_only
    latency_step double, -- seconds (alpha)
    -- summarization: updates
    unpooled varchar, -- updates outside the pool: invisible, ignore, null_update (one word long) or unknown_length (verbosity 1)
    unpooled_match varchar, -- matches of an update outside the pool: kept or dropped
    duplicates varchar, -- an update that the pool calls a duplicate: canonical (is the other one) or own
    duplicates_file varchar, -- pairs of the duplicates file: used or unused
    tie_break varchar, -- of updates sent at one time the first is: input (first in the file) or update_id (smaller id)
    confidence varchar, -- weight of an update: none, value, position or min_max
    confidence_sum varchar, -- confidence-biased sums: divided (by the sum of the weights) or not_divided
    latency_over varchar, -- expected latency over matches or updates
    confidence_latency_over varchar, -- confidence-biased latency over matches or updates
    eg_tau_over varchar, -- EG at tau over updates (eq. 10) or verbosity (eq. 12)
    undefined varchar, -- 0/0 of an event: null or zero
    -- value tracking
    scalar_baseline double, -- what a number counts as until one is submitted
    location_baseline double -- kilometres of error until a location is submitted
);
