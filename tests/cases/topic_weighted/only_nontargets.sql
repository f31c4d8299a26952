-- They have false alarms, and no cost: (1/4 + 0)/2.
insert into trial values
    ('T1', 3, 'nontarget', 'no', null), ('T1', 1, 'nontarget', 'yes', null), ('T2', 2, 'nontarget', 'no', null);

select p_miss, p_fa, c_det, n_block_miss, n_block_fa, n_block_cost from detection_topic_weighted
--> - 1/8 - 0 2 0
