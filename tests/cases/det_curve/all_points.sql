-- the curves of worked.sql with all their points: 0.3 and 0.2 lie on straight lines
insert into trial values
    ('T1', 1, 'target', 'yes', 0.9), ('T1', 1, 'target', 'no', 0.4), ('T1', 1, 'nontarget', 'yes', 0.7),
    ('T1', 1, 'nontarget', 'no', 0.4), ('T1', 1, 'nontarget', 'no', 0.2), ('T1', 1, 'nontarget', 'no', 0.1),
    ('T2', 1, 'target', 'yes', 0.7), ('T2', 1, 'nontarget', 'yes', 0.9), ('T2', 1, 'nontarget', 'no', 0.3);

set variable all_points = true;

select threshold, p_miss, p_fa from detection_det_curve where weighting = 'topic' order by point_no
--> -    1    0
--> 0.9  3/4  1/4
--> 0.7  1/4  3/8
--> 0.4  0    1/2
--> 0.3  0    3/4
--> 0.2  0    7/8
--> 0.1  0    1

select threshold, p_miss, p_fa from detection_det_curve where weighting = 'story' order by point_no
--> -    1    0
--> 0.9  2/3  1/6
--> 0.7  1/3  2/6
--> 0.4  0    3/6
--> 0.3  0    4/6
--> 0.2  0    5/6
--> 0.1  0    1
