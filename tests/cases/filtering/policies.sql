-- The run finds perfect, says no to nothing, retrieves two documents of a topic that has no relevant one, and
-- is silent on nothing: precision there is undefined or 0, the topic in no mean or as one of nothing retrieved.
insert into trial values
    ('perfect', 10, 'target', 'yes', null), ('perfect', 90, 'nontarget', 'no', null),
    ('nothing', 10, 'target', null, null), ('nothing', 90, 'nontarget', null, null),
    ('empty', 2, 'nontarget', 'yes', null), ('empty', 98, 'nontarget', 'no', null);
insert into profile by name select 'retrieved' as profile_id, 'trec11' as base, 'zero' as empty_retrieved;
insert into profile by name select 'topic' as profile_id, 'trec11' as base, 'zero' as empty_topic;
insert into profile by name select 'both' as profile_id, 'trec11' as base, 'zero' as empty_topic, 'zero' as empty_retrieved;
insert into profile by name select 'missing' as profile_id, 'trec11' as base, 'undefined' as missing_topic;

set variable profile = 'trec11';

select precision, recall, t11su, n_block_precision, n_empty_topic, n_empty_retrieved, n_missing_topic,
    n_false_alarm_empty, n_block
from filtering_mean
--> 1 1/2 2/3 1 1 1 1 2 3

set variable profile = 'retrieved';

select precision, recall, t11su, n_block_precision, n_empty_topic, n_empty_retrieved, n_missing_topic,
    n_false_alarm_empty, n_block
from filtering_mean
--> 1/2 1/2 2/3 2 1 1 1 2 3

set variable profile = 'topic';

select precision, recall, t11su, n_block_precision, n_empty_topic, n_empty_retrieved, n_missing_topic,
    n_false_alarm_empty, n_block
from filtering_mean
--> 1/2 1/3 4/9 2 1 1 1 2 3

set variable profile = 'both';

select precision, recall, t11su, n_block_precision, n_empty_topic, n_empty_retrieved, n_missing_topic,
    n_false_alarm_empty, n_block
from filtering_mean
--> 1/3 1/3 4/9 3 1 1 1 2 3

set variable profile = 'missing';

select precision, recall, t11su, n_block_precision, n_empty_topic, n_empty_retrieved, n_missing_topic,
    n_false_alarm_empty, n_block
from filtering_mean
--> 1 1 1 1 1 1 1 2 3

select topic, recall from filtering_effectiveness where topic = 'empty'
--> empty -

select topic, t11su from filtering_utility where topic = 'empty'
--> empty -
