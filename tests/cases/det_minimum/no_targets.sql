-- Without targets there is no minimum.
insert into trial values
    ('T1', 2, 'nontarget', 'no', 1), ('T1', 1, 'nontarget', 'yes', 2);

select distinct min_c_det, min_threshold, n_point from detection_det_minimum
--> - - 0

select distinct p_miss from detection_det_curve
--> -
