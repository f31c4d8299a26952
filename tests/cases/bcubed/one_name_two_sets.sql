-- A topic is two sets of stories under one name.
insert into cluster values
    ('truth', 'a', 'S1 S2'), ('truth', 'b', 'S3'), ('answer', 'a', 'S1 S3');
insert into profile by name
    select 'exclude_exclude' as profile_id, 'exclude' as b3_unassigned, 'exclude' as b3_unjudged;

set variable profile = 'exclude_exclude';

select topic, b3_recall, b3_precision, n_response from bcubed_topic order by topic
--> a 1/4 2/4 2
--> b 1 - 0
