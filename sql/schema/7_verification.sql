-- Detection trials of a key: who is a target, by label and attributes; names once, numbers everywhere else.

create table base.verification_segment ( -- Trials with the same label and the same attributes: they count in the same block and the same subsets
    condition_no integer not null, -- condition
    segment_no integer not null, -- number in the condition, from 1
    block_no integer not null, -- block
    is_target integer not null, -- 1: its trials are targets
    n_trial bigint not null, -- trials in it
    attributes varchar -- name=value of each attribute, between commas; NULL: none
);
-- public base.verification_segment: condition_no, segment_no, block_no, is_target, n_trial, attributes

create table base.verification_attribute ( -- The attributes of each segment
    condition_no integer not null, -- condition
    segment_no integer not null, -- segment
    attribute varchar not null, -- name: the column of the key
    value varchar -- NULL where the key has nothing, or -
);
-- public base.verification_attribute: condition_no, segment_no, attribute, value

create table base.verification_trial ( -- The trials of a key
    condition_no integer not null, -- condition
    trial_no integer not null, -- number in the condition, from 1, in the order of the key
    segment_no integer not null, -- segment
    trial_id varchar not null, -- the trial, or what was enrolled, as the key writes it
    test_id varchar, -- what it is compared with; NULL where the trial has one id
    side varchar -- channel of that; NULL where the key names none
);
-- public base.verification_trial: condition_no, trial_no, segment_no, trial_id, test_id, side
