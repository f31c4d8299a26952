-- It costs c_miss * p_target, which is what costs are normalised by.
insert into trial values
    ('T1', 3, 'target', 'no', null), ('T1', 7, 'nontarget', 'no', null), ('T2', 1, 'target', 'no', null),
    ('T2', 9, 'nontarget', 'no', null);

select p_miss, p_fa, c_det, c_det_norm from detection_pooled
--> 1 0 0.02 1

select p_miss, p_fa, c_det, c_det_norm from detection_topic_weighted
--> 1 0 0.02 1
