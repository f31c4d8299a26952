-- 0.1 * 0.98 / 0.02 = 4.9.
insert into trial values
    ('T1', 3, 'target', 'yes', null), ('T1', 7, 'nontarget', 'yes', null);

select p_miss, p_fa, c_det_norm from detection_pooled
--> 0 1 4.9
