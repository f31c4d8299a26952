-- The story pairs of link detection, and what a key file says of them.

create table base.link_pair ( -- One pair of stories to decide on
    condition_no integer not null, -- condition
    trial_no integer not null, -- number of the pair in the condition, from 1
    id_1 varchar not null, -- first (older) story as the file writes it
    id_2 varchar not null, -- second (newer) story as the file writes it
    story_no_1 integer, -- first story; NULL where the corpus has no stories
    story_no_2 integer, -- second story; NULL where the corpus has no stories
    segment_no integer not null -- the segment it counts in: its pair of source languages
);
-- public base.link_pair: condition_no, trial_no, id_1, id_2, story_no_1, story_no_2, segment_no

create table base.link_answer ( -- What the key file says of a pair
    condition_no integer not null, -- condition
    block_no integer not null, -- block of the key
    trial_no integer not null, -- pair
    answer varchar not null -- target, nontarget or other (not scored)
);
-- public base.link_answer: condition_no, block_no, trial_no, answer
