-- One topic has no standard error.
insert into trial values
    ('T1', 1, 'target', 'yes', 2), ('T1', 1, 'nontarget', 'no', 1);

select distinct p_miss_se, p_fa_se from detection_det_curve
--> - -
