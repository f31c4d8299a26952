-- TDT3eval passes 1 N, 2 T, 3 N, 4 T and never comes to the corner after its last non-target.
--
-- After 1: (0, 1/2), since a target is next; after 2: (1/2, 1/2); then no non-target is left below a point: stop.
insert into trial values
    ('T1', 1, 'nontarget', 'no', 1), ('T1', 1, 'target', 'no', 2), ('T1', 1, 'nontarget', 'yes', 3),
    ('T1', 1, 'target', 'yes', 4);

set variable profile = 'tdt3eval';

select threshold, p_miss, p_fa from detection_det_curve where weighting = 'story' order by point_no
--> 1 0 1/2
--> 2 1/2 1/2

select min_threshold, min_p_fa from detection_det_minimum where weighting = 'story'
--> 1 1/2
