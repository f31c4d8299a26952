-- Bagga, Enhancing the TDT Tracking Evaluation, sections 3 to 5: two large topics merged; only pooled precision tells it from R2.
insert into cluster values
    ('truth', 't1', 'S1..S200'), ('truth', 't2', 'S201..S400'), ('truth', 't3', 'S401..S450'), ('truth', 't4', 'S451..S500'),
    ('answer', 't1', 'S1..S400'), ('answer', 't3', 'S401..S450'), ('answer', 't4', 'S451..S500');
insert into profile by name
    select 'exclude_exclude' as profile_id, 'exclude' as b3_unassigned, 'exclude' as b3_unjudged;

set variable profile = 'exclude_exclude';

select b3_precision, b3_recall from bcubed_score order by weighting
--> 3/5 1
--> 5/6 1

select p_miss, p_fa from detection_pooled
--> 2/5 2/15

select p_miss, p_fa from detection_topic_weighted
--> 1/4 1/6
