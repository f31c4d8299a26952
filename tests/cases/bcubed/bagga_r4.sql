-- Bagga, Enhancing the TDT Tracking Evaluation, sections 3 to 5: 40 stories of t3 in t2.
insert into cluster values
    ('truth', 't1', 'S1..S200'), ('truth', 't2', 'S201..S400'), ('truth', 't3', 'S401..S450'), ('truth', 't4', 'S451..S500'),
    ('answer', 't1', 'S1..S200'), ('answer', 't2', 'S201..S440'), ('answer', 't3', 'S441..S450'), ('answer', 't4', 'S451..S500');
insert into profile by name
    select 'exclude_exclude' as profile_id, 'exclude' as b3_unassigned, 'exclude' as b3_unjudged;

set variable profile = 'exclude_exclude';

select b3_precision, b3_recall from bcubed_score order by weighting
--> 13/15 121/125
--> 67/72 23/25

select n_precision, n_recall, n_f1 from bcubed_score order by weighting
--> 500 500 500
--> 4 4 4

select p_miss, p_fa from detection_pooled
--> 2/25 2/75

select p_miss, p_fa from detection_topic_weighted
--> 1/5 1/30
