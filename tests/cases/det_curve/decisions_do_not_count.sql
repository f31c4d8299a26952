-- Decisions and scores are two things: the curve of worked.sql, of a run that says no to all.
insert into trial values
    ('T1', 1, 'target', 'no', 0.9), ('T1', 1, 'target', 'no', 0.4), ('T1', 1, 'nontarget', 'no', 0.7),
    ('T1', 1, 'nontarget', 'no', 0.4), ('T1', 1, 'nontarget', 'no', 0.2), ('T1', 1, 'nontarget', 'no', 0.1),
    ('T2', 1, 'target', 'no', 0.7), ('T2', 1, 'nontarget', 'no', 0.9), ('T2', 1, 'nontarget', 'no', 0.3);

select threshold, p_miss, p_fa from detection_det_curve where weighting = 'topic' order by point_no
--> -    1    0
--> 0.9  3/4  1/4
--> 0.7  1/4  3/8
--> 0.4  0    1/2
--> 0.1  0    1
