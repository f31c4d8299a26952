-- Bagga, Enhancing the TDT Tracking Evaluation, sections 3 to 5: R1 with a truth 50 times smaller: the numbers are free of scale.
insert into cluster values
    ('truth', 't1', 'S1..S4'), ('truth', 't2', 'S5..S8'), ('truth', 't3', 'S9'), ('truth', 't4', 'S10'),
    ('answer', 't1', 'S1..S4'), ('answer', 't2', 'S5..S9'), ('answer', 't4', 'S10');
insert into profile by name
    select 'exclude_exclude' as profile_id, 'exclude' as b3_unassigned, 'exclude' as b3_unjudged;

set variable profile = 'exclude_exclude';

select b3_precision, b3_recall from bcubed_score order by weighting
--> 21/25 1
--> 67/75 1

select p_miss, p_fa from detection_pooled
--> 1/10 1/30

select p_miss, p_fa from detection_topic_weighted
--> 1/4 1/24
