-- T2 has non-targets only: it moves the mean p_fa, and under with_target (f4de) the pooled one alone.
insert into trial values
    ('T1', 1, 'target', 'yes', 2), ('T1', 2, 'nontarget', 'no', 1), ('T2', 1, 'nontarget', 'yes', 3),
    ('T2', 1, 'nontarget', 'no', 0);

set variable all_points = true;

select threshold, p_miss, p_fa from detection_det_curve where weighting = 'topic' order by point_no
--> - 1 0
--> 3 1 1/4
--> 2 0 1/4
--> 1 0 3/4
--> 0 0 1

set variable profile = 'f4de';

select threshold, p_miss, p_fa from detection_det_curve where weighting = 'topic' order by point_no
--> - 1 0
--> 3 1 0
--> 2 0 0
--> 1 0 1
--> 0 0 1

select threshold, p_miss, p_fa from detection_det_curve where weighting = 'story' order by point_no
--> - 1 0
--> 3 1 1/4
--> 2 0 1/4
--> 1 0 3/4
--> 0 0 1
