-- Bagga, Enhancing the TDT Tracking Evaluation, sections 3 to 5: section 3: one topic of 10 stories among 1000, 9 found with 91 others.
insert into cluster values
    ('truth', 't1', 'S1..S10'), ('other', '', 'S102..S1000'),
    ('answer', 't1', 'S1..S9'), ('answer', 't1', 'S11..S101');
insert into profile by name
    select 'exclude_exclude' as profile_id, 'exclude' as b3_unassigned, 'exclude' as b3_unjudged;

set variable profile = 'exclude_exclude';

select b3_precision, b3_recall from bcubed_score order by weighting
--> 81/10000 81/100
--> 81/10000 81/100

select p_miss, p_fa from detection_pooled
--> 1/10 91/990

select p_miss, p_fa from detection_topic_weighted
--> 1/10 91/990
