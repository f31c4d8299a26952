-- TDT3eval's utility, weight 10, floor -0.5.
--
--       targets  hits  false alarms   U = 10 hits - FA   U / (10 targets)   (max(., -0.5) + 0.5) / 1.5
-- T1          2     1             4                  6             6/20           0.8 / 1.5
-- T2          1     0            30                -30            -30/10           0
-- T3          0     -             1                 -1             (none)         (none)
-- T4          0                   0
-- ---------------------------------------------------------------------------------------------
-- mean                               -25/3 (over 3)     -2.7/2 (over 2)    0.8/3 (over 2)
--
-- With a weight of 2 and a floor of -4: 2 - 4 = -2; -2/4; (-1/2 + 4)/5.
insert into trial values
    ('T1', 1, 'target', 'yes', null), ('T1', 1, 'target', 'no', null), ('T1', 4, 'nontarget', 'yes', null),
    ('T2', 1, 'target', 'no', null), ('T2', 30, 'nontarget', 'yes', null), ('T3', 1, 'nontarget', 'yes', null),
    ('T3', 5, 'nontarget', 'no', null), ('T4', 0, 'target', null, null);
insert into profile by name select 'mine' as profile_id, 2 as utility_weight, -4 as utility_min;

select topic, utility, utility_norm, utility_scaled from detection_utility order by topic
--> T1 6 6/20 0.8/1.5
--> T2 -30 -3 0
--> T3 -1 - -
--> T4 - - -

select utility, utility_norm, utility_scaled, n_block, n_block_norm from detection_utility_mean
--> -25/3 -2.7/2 0.8/3 3 2

set variable profile = 'mine';

select utility, utility_norm, utility_scaled from detection_utility where topic = 'T1'
--> -2 -1/2 3.5/5
