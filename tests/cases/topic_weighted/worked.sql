--         targets  missed  p_miss     non-targets  false alarms  p_fa
-- T1            4       1   1/4                10             1  1/10
-- T2            1       1   1/1                20             0  0/20     nothing is said of the only target
-- T3            0       -   (none)              5             1  1/5      no target story after training
-- T4            2       0   0/2                 0             -  (none)   nothing but targets
-- T5            0       -   (none)              0             -  (none)
-- ------------------------------------------------------------------
-- topic-weighted            (1/4 + 1 + 0)/3 = 5/12      (1/10 + 0 + 1/5)/3 = 1/10
-- pooled, for contrast      2/7                         2/35
-- over topics with both     (1/4 + 1)/2 = 5/8           (1/10 + 0)/2 = 1/20
--
-- The weightings differ on purpose: a view that pools by mistake fails here.
-- Cost under the plan's costs (1, 0.1, 0.02), of means:
--     0.02 * 5/12 + 0.098 * 1/10 = 0.0181333...;  norm: / 0.02
-- Mean of costs over T1 and T2 (TDT3eval's way for new events), where the rates beside it are over other topics:
--     0.02 * 5/8  + 0.098 * 1/20 = 0.0174;        norm: 0.87
-- Under fa_topics = with_target (f4de) T3 is skipped: (1/10 + 0)/2; pooling skips nothing.
-- With misses ten times as dear: 0.2 * 2/7 + 0.098 * 2/35, and nothing else differs.
insert into trial values
    ('T1', 3, 'target', 'yes', null), ('T1', 1, 'target', 'no', null), ('T1', 9, 'nontarget', 'no', null),
    ('T1', 1, 'nontarget', 'yes', null), ('T2', 1, 'target', null, null), ('T2', 20, 'nontarget', 'no', null),
    ('T3', 4, 'nontarget', 'no', null), ('T3', 1, 'nontarget', 'yes', null), ('T4', 2, 'target', 'yes', null),
    ('T5', 0, 'target', null, null);
insert into profile by name select 'means' as profile_id, 'mean_of_costs' as topic_cost;
insert into profile by name select 'dear' as profile_id, 10 as c_miss;

select p_miss, p_fa, c_det, c_det_norm, n_block_miss, n_block_fa, n_block_both, n_block_cost
from detection_topic_weighted
--> 5/12 1/10 0.02*5/12+0.098/10 5/12+4.9/10 3 3 2 3

select p_miss, p_fa, c_det, n_target, n_hit, n_miss, n_nontarget, n_false_alarm, n_correct_rejection, n_trial, n_cost
from detection_pooled
--> 2/7 2/35 0.02*2/7+0.098*2/35 7 5 2 35 2 33 42 42

-- one-sided topics give NULL, not NaN
select topic, p_miss, p_fa, c_det, c_det_norm, n_trial from detection_rate order by topic
--> T1 1/4 1/10 0.02/4+0.098/10 1/4+0.49 14
--> T2 1 0 0.02 1 21
--> T3 - 1/5 - - 0
--> T4 0 - - - 0
--> T5 - - - - 0

select topic, n_target, n_nontarget, n_hit, n_false_alarm, n_miss, n_correct_rejection
from detection_count order by topic
--> T1 4 10 3 1 1 9
--> T2 1 20 0 0 1 20
--> T3 0 5 0 1 0 4
--> T4 2 0 2 0 0 0
--> T5 0 0 0 0 0 0

set variable profile = 'means';

select c_det, c_det_norm, n_block_cost, p_miss, n_block_miss from detection_topic_weighted
--> 0.0174 0.87 2 5/12 3

set variable profile = 'f4de';

select p_fa, n_block_fa from detection_topic_weighted
--> 1/20 2

select p_fa from detection_pooled
--> 2/35

set variable profile = 'dear';

select p_miss, n_hit, c_det from detection_pooled
--> 2/7 5 0.2*2/7+0.098*2/35
