-- The curves of det_curve/worked.sql. Under equal costs (1, 1, 1/2) the topic-weighted cost at 0.4 is 1/2 * 1/2 = 1/4, the
-- minimum, norm 1/2. Under the plan's costs a false alarm in six non-targets is dearer than all targets missed: reject
-- all, 0.02, norm 1. n counts topics or trials, not points.
insert into trial values
    ('T1', 1, 'target', 'yes', 0.9), ('T1', 1, 'target', 'no', 0.4), ('T1', 1, 'nontarget', 'yes', 0.7),
    ('T1', 1, 'nontarget', 'no', 0.4), ('T1', 1, 'nontarget', 'no', 0.2), ('T1', 1, 'nontarget', 'no', 0.1),
    ('T2', 1, 'target', 'yes', 0.7), ('T2', 1, 'nontarget', 'yes', 0.9), ('T2', 1, 'nontarget', 'no', 0.3);
insert into profile by name select 'equal' as profile_id, 1 as c_miss, 1 as c_fa, 0.5 as p_target;

select min_c_det, min_c_det_norm, min_threshold, min_p_miss, min_p_fa, n_point, n_counted
from detection_det_minimum order by weighting
--> 0.02 1 - 1 0 5 9
--> 0.02 1 - 1 0 5 2

select n_block_miss, n_target, n_nontarget from detection_det_population
--> 2 3 6

set variable profile = 'equal';

select min_c_det, min_c_det_norm, min_threshold, min_p_miss, min_p_fa from detection_det_minimum order by weighting
--> 1/4 1/2 0.4 0 1/2
--> 1/4 1/2 0.4 0 1/2
