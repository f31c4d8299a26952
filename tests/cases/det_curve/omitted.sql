-- Trials that the run says nothing of are accepted last; under f4de they are missed at every threshold.
insert into trial values
    ('T1', 1, 'target', 'yes', 0.9), ('T1', 1, 'target', null, null), ('T1', 1, 'nontarget', 'no', 0.1),
    ('T1', 1, 'nontarget', null, null);

select threshold, p_miss, p_fa from detection_det_curve where weighting = 'story' order by point_no
--> - 1 0
--> 0.9 1/2 0
--> 0.1 1/2 1/2
--> -9e99 0 1

set variable profile = 'f4de';

select threshold, p_miss, p_fa from detection_det_curve where weighting = 'story' order by point_no
--> - 1 0
--> 0.9 1/2 0
--> 0.1 1/2 1/2
