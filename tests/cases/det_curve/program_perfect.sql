-- The sweep of the program has no point for a perfect system.
insert into trial values
    ('T1', 2, 'target', 'yes', 5), ('T1', 2, 'nontarget', 'no', 1);

set variable profile = 'tdt3eval';

select threshold from detection_det_curve
--> (none)

select distinct min_c_det, n_point from detection_det_minimum
--> - 0
