-- 3 targets and 7 non-targets: thirds and sevenths, which no multiple of 1e-15 is. Both weightings have the same bits.
insert into trial values
    ('T1', 1, 'target', 'yes', 0.9), ('T1', 1, 'target', 'yes', 0.8), ('T1', 1, 'target', 'no', 0.1),
    ('T1', 1, 'nontarget', 'yes', 0.85), ('T1', 6, 'nontarget', 'no', 0.2);
insert into profile by name select 'equal' as profile_id, 1 as c_miss, 1 as c_fa, 0.5 as p_target;

set variable profile = 'equal';

select count(*), count(distinct (point_no, p_miss, p_fa, c_det)) from detection_det_curve
--> 12 6

select distinct min_c_det, min_c_det_norm, min_p_miss, min_p_fa from detection_det_minimum
--> (1/3+1/7)/2 1/3+1/7 1/3 1/7
