-- Two stories, one topic, given as two: each pair of stories shares two system topics and one reference topic.
insert into cluster values ('truth', 'a', 'S1 S2'), ('answer', 'a', 'S1 S2'), ('answer', 'b', 'S1 S2');
insert into profile by name
    select 'exclude_exclude' as profile_id, 'exclude' as b3_unassigned, 'exclude' as b3_unjudged;

set variable profile = 'exclude_exclude';

select b3_ext_precision, b3_ext_recall from bcubed_extended_score where weighting = 'story'
--> 1/2 1
