-- 10 * 0 - 5 = -5; / 10 = -0.5, exactly the floor.
insert into trial values
    ('T1', 1, 'target', 'no', null), ('T1', 5, 'nontarget', 'yes', null);

select utility_norm, utility_scaled from detection_utility
--> -1/2 0
