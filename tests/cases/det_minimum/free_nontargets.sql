-- T2 has no target: under with_target (f4de) its non-targets cost nothing.
--
-- Down to 3 nothing is lost; the corners are 5 and 0, and at 2 topic T1 has its first false alarm.
insert into trial values
    ('T1', 1, 'target', 'yes', 5), ('T2', 1, 'nontarget', 'yes', 4), ('T2', 1, 'nontarget', 'no', 3),
    ('T1', 1, 'nontarget', 'no', 2), ('T2', 1, 'nontarget', 'no', 1), ('T1', 2, 'nontarget', 'no', 0);

select min_c_det, min_c_det_norm, min_threshold, min_p_miss, min_p_fa from detection_det_minimum where weighting = 'topic'
--> 0 0 5 0 0

select threshold from detection_det_curve where weighting = 'topic' order by point_no
--> -
--> 5
--> 0

set variable profile = 'f4de';

select min_c_det, min_c_det_norm, min_threshold, min_p_miss, min_p_fa from detection_det_minimum where weighting = 'topic'
--> 0 0 3 0 0

select threshold from detection_det_curve where weighting = 'topic' order by point_no
--> -
--> 5
--> 3
--> 0
