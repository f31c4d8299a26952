-- The best of an inverted system is to reject all.
insert into trial values
    ('T1', 2, 'target', 'no', 1), ('T1', 3, 'nontarget', 'yes', 5), ('T1', 1, 'nontarget', 'yes', 4);

select min_c_det, min_c_det_norm, min_threshold, min_p_miss, min_p_fa from detection_det_minimum where weighting = 'story'
--> 0.02 1 - 1 0

select threshold, p_miss, p_fa from detection_det_curve where weighting = 'story' order by point_no
--> - 1 0
--> 4 1 1
--> 1 0 1
