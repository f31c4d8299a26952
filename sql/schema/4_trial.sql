-- How trials are made, and what the systems said of them.

create table base.block ( -- The unit of topic weighting: a topic, an event, a block of links
    condition_no integer not null, -- condition
    block_no integer not null, -- number in the condition, from 1
    block_id varchar not null, -- topic id, event id or block as the key writes it
    topic_no integer, -- topic of the corpus, where there is one
    first_test_story_no integer, -- first story after the end of training
    is_scored integer not null -- 1: matches the topic pattern and has an index
);
-- public base.block: condition_no, block_no, block_id, topic_no, first_test_story_no, is_scored

create table base.training_story ( -- A story the system was trained on
    condition_no integer not null, -- condition
    block_no integer not null, -- topic
    story_no integer not null -- story
);
-- public base.training_story: condition_no, block_no, story_no

create table base.segment ( -- Stories that belong to the same test sets and subsets, counted once
    condition_no integer not null, -- condition
    segment_no integer not null, -- number in the condition, from 1
    n_trial bigint not null -- scoreable (news) stories in it
);
-- public base.segment: condition_no, segment_no, n_trial

create table base.segment_story ( -- The segment of each scoreable story
    condition_no integer not null, -- condition
    story_no integer not null, -- story
    segment_no integer not null -- segment
);
-- public base.segment_story: condition_no, story_no, segment_no

create table base.test_segment ( -- The segments that a block's test set consists of
    condition_no integer not null, -- condition
    block_no integer not null, -- block
    segment_no integer not null -- segment
);
-- public base.test_segment: condition_no, block_no, segment_no

create table base.subset_cell ( -- The cells (block, segment) that a subset consists of; subset 0 (all) is not listed
    condition_no integer not null, -- condition
    subset_no integer not null, -- subset, from 1
    block_no integer not null, -- block; 0: all of them
    segment_no integer not null -- segment
);
-- public base.subset_cell: condition_no, subset_no, block_no, segment_no

create table base.curve_request ( -- The subsets whose DET curves are made
    condition_no integer not null, -- condition
    subset_no integer not null, -- subset; 0 (all) is always here
    all_points integer not null -- 1: a point for every distinct score; 0: corner and end points
);
-- public base.curve_request: condition_no, subset_no, all_points

create table base.listed_pair ( -- Trials that a file lists one by one (tidy trials, link pairs)
    condition_no integer not null, -- condition
    block_no integer not null, -- block
    trial_no integer not null, -- story, or number of the pair
    segment_no integer not null -- the segment it counts in
);
-- public base.listed_pair: condition_no, block_no, trial_no, segment_no

create table base.labelled_story ( -- What is known of a story for a topic of tracking or filtering: base.judgment and base.training_story joined with where it counts
    condition_no integer not null, -- condition
    block_no integer not null, -- topic
    story_no integer not null, -- story
    segment_no integer not null, -- segment the trial counts in; 0: no trial of the topic
    is_implied integer not null, -- 1: one of the stories of a test segment; 0: listed in a file, or no trial
    label varchar, -- yes, brief or no; NULL: trained on without a judgment
    is_training integer not null -- 1: training story of the topic
);
-- public base.labelled_story: condition_no, block_no, story_no, segment_no, is_implied, label, is_training

create table base.decision ( -- What a system said of a trial, once; omitted trials are not here
    run_no integer not null, -- run
    block_no integer not null, -- block; 0 where the decision is not about one block (new event, link)
    trial_no integer not null, -- story, or number of the pair; below 0 a document that the corpus does not have
    segment_no integer not null, -- segment of the story under the run's condition; of the trial for keys of trials; 0 for pairs, for stories that nothing scores and for documents that the corpus does not have
    is_yes boolean, -- the hard decision; NULL: the system gave a score alone
    score double not null -- score, higher is more confident; finite but for keys of trials
);
-- public base.decision: run_no, block_no, trial_no, segment_no, is_yes, score

create table base.carried_threshold ( -- Thresholds of runs of scores alone that were fitted on another condition (decide_at = condition)
    run_no integer not null, -- run that is decided
    profile_no integer not null, -- profile that decides
    from_condition_id varchar not null, -- condition that the threshold is fitted on
    is_fitted integer not null, -- 1: a minimum exists; 0: no minimum, and the run has no hard decisions
    threshold double, -- lowest accepted score; NULL: nothing is accepted, or no minimum
    reason varchar, -- why it is NULL: no_condition, no_run, no_minimum or reject_all
    made_from varchar not null -- hash of the run there, its condition and corpus, and of the profile, when it was fitted
);
-- public base.carried_threshold: run_no, profile_no, from_condition_id, is_fitted, threshold, reason, made_from

create table base.unlisted_document ( -- A document that a run retrieved and the corpus does not have: not judged; it counts as not relevant in that run
    run_no integer not null, -- run
    trial_no integer not null, -- number in the run, by document id, from -1 downwards
    document_id varchar not null -- docno as the run writes it
);
-- public base.unlisted_document: run_no, trial_no, document_id
