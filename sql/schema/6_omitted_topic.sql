-- What a condition leaves out.

create table registry.excluded_topic ( -- Topics that a condition leaves out, with the reason
    condition_no integer not null, -- condition
    topic_id varchar not null, -- topic
    reason varchar not null, -- why, as the bundle says
    primary key (condition_no, topic_id)
);
-- public registry.excluded_topic: condition_no, topic_id, reason
