-- To omit a trial is to say no: 2 of 3 missed, no false alarm.
insert into trial values
    ('T1', 2, 'target', null, null), ('T1', 1, 'target', 'yes', null), ('T1', 5, 'nontarget', null, null);

select p_miss, p_fa, c_det from detection_rate
--> 2/3 0 0.02*2/3

select p_miss, p_fa, c_det from detection_pooled
--> 2/3 0 0.02*2/3

select p_miss, p_fa, c_det from detection_topic_weighted
--> 2/3 0 0.02*2/3

select n_hit, n_miss, n_false_alarm, n_correct_rejection from detection_count
--> 1 2 0 5
