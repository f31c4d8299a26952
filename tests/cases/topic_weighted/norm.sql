-- With dear misses saying yes to everything is the cheaper default: min(10 * 0.5, 1 * 0.5) = 0.5.
insert into trial values
    ('T1', 2, 'target', 'no', null), ('T1', 2, 'nontarget', 'no', null);
insert into profile by name select 'dear' as profile_id, 10 as c_miss, 1 as c_fa, 0.5 as p_target;

set variable profile = 'dear';

select c_det, c_det_norm from detection_pooled
--> 5 10
