-- 20 (1/6) / (5/6) = 4, where doubles give 3.9999999999999996
insert into trial values
    ('one', 1, 'target', 'no', null), ('one', 5, 'nontarget', 'no', null),
    ('five', 5, 'target', 'no', null), ('five', 1, 'nontarget', 'no', null);

set variable profile = 'trec11';

select bin_no, n_topic from cost_p_rel_histogram where n_topic > 0 order by bin_no
--> 4 1
--> 19 1
