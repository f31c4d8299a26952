-- Each topic of det_curve/worked.sql has a curve of its own; T3 has no targets, and none.
insert into trial values
    ('T1', 1, 'target', 'yes', 0.9), ('T1', 1, 'target', 'no', 0.4), ('T1', 1, 'nontarget', 'yes', 0.7),
    ('T1', 1, 'nontarget', 'no', 0.4), ('T1', 1, 'nontarget', 'no', 0.2), ('T1', 1, 'nontarget', 'no', 0.1),
    ('T2', 1, 'target', 'yes', 0.7), ('T2', 1, 'nontarget', 'yes', 0.9), ('T2', 1, 'nontarget', 'no', 0.3);
insert into trial values ('T3', 1, 'nontarget', 'yes', 0.6);

select topic, threshold, p_miss, p_fa from detection_det_block_curve order by topic, point_no
--> T1 -    1    0
--> T1 0.9  1/2  0
--> T1 0.7  1/2  1/4
--> T1 0.4  0    1/2
--> T1 0.1  0    1
--> T2 -    1    0
--> T2 0.9  1    1/2
--> T2 0.7  0    1/2
--> T2 0.3  0    1
