insert into trial values
    ('T1', 2, 'target', 'yes', 5), ('T1', 1, 'nontarget', 'no', 4), ('T1', 3, 'nontarget', 'no', 1);

select min_c_det, min_c_det_norm, min_threshold, min_p_miss, min_p_fa from detection_det_minimum where weighting = 'story'
--> 0 0 5 0 0

select threshold, p_miss, p_fa from detection_det_curve where weighting = 'story' order by point_no
--> - 1 0
--> 5 0 0
--> 1 0 1
