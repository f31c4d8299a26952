-- Both 0.8 and 0.5 cost 1/4 under equal costs: (1/2, 0) and (0, 1/2). The point is the lowest threshold.
insert into trial values
    ('T', 1, 'target', 'yes', 0.8), ('T', 1, 'target', 'no', 0.5), ('T', 1, 'nontarget', 'no', 0.5),
    ('T', 1, 'nontarget', 'no', 0.1);
insert into profile by name select 'equal' as profile_id, 1 as c_miss, 1 as c_fa, 0.5 as p_target;

set variable profile = 'equal';

select min_c_det, min_c_det_norm, min_threshold, min_p_miss, min_p_fa from detection_det_minimum where weighting = 'story'
--> 1/4 1/2 0.5 0 1/2
