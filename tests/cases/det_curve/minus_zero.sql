-- Minus zero and zero are one threshold.
insert into trial values
    ('T1', 1, 'target', 'yes', -0.0), ('T1', 1, 'nontarget', 'yes', 0.0), ('T1', 1, 'nontarget', 'no', -1);

select threshold, p_miss, p_fa from detection_det_curve where weighting = 'story' order by point_no
--> - 1 0
--> 0 0 1/2
--> -1 0 1
