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
    link_case varchar, -- decisions of link output in lower case: accepted or ignored
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
    -- summarization
    relevance varchar, -- graded or binary
    unpooled varchar, -- updates outside the pool: invisible, null_update or ignore
    nuggets varchar, -- all, or matched (only nuggets that some pooled update matches)
    latency_fix varchar, -- none, all or updates_only
    latency_step double, -- seconds (alpha)
    offsets varchar -- unit of the match offsets: bytes or chars
);
