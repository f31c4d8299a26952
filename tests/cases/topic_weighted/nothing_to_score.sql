-- A row of NULLs with n of zero.
insert into trial values
    ('T1', 0, 'target', null, null), ('T2', 0, 'target', null, null);

select p_miss, p_fa, c_det, c_det_norm, n_target, n_nontarget, n_trial, n_cost from detection_pooled
--> - - - - 0 0 0 0

select p_miss, p_fa, c_det, c_det_norm, n_block_miss, n_block_fa, n_block_cost from detection_topic_weighted
--> - - - - 0 0 0

select topic, p_miss from detection_rate order by topic
--> T1 -
--> T2 -

select utility, utility_norm, n_block, n_block_norm from detection_utility_mean
--> - - 0 0
