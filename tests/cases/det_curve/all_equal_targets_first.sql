-- A threshold cannot split a tie, whatever the order of the file.
insert into trial values
    ('T1', 2, 'target', 'yes', 0.5), ('T1', 3, 'nontarget', 'yes', 0.5);

select threshold, p_miss, p_fa from detection_det_curve where weighting = 'story' order by point_no
--> - 1 0
--> 0.5 0 1

select threshold, p_miss, p_fa from detection_det_curve where weighting = 'topic' order by point_no
--> - 1 0
--> 0.5 0 1

select min_c_det_norm from detection_det_minimum where weighting = 'story'
--> 1
