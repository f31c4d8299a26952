-- A story of several topics leaves the plain number undefined, with the reason; the extended one has a value.
insert into cluster values
    ('truth', 'a', 'S1'), ('truth', 'b', 'S1 S2'), ('answer', 'a', 'S1'), ('answer', 'b', 'S2');
insert into profile by name
    select 'exclude_exclude' as profile_id, 'exclude' as b3_unassigned, 'exclude' as b3_unjudged;

set variable profile = 'exclude_exclude';

select weighting, b3_precision, b3_recall, b3_f1, n_precision, n_recall, n_f1, null_reason, n_overlapping
from bcubed_score order by weighting
--> story - - - 0 0 0 several_topics 1
--> topic - - - 0 0 0 several_topics 1

select count(*) from bcubed_extended_score where b3_ext_f1 is not null
--> 2

select distinct null_reason from bcubed_topic
--> several_topics

select distinct b3_precision, b3_recall, null_reason from bcubed_story
--> - - several_topics
