-- Two topics with the largest share, of other sizes: 20 (1/3) / (2/3) = 10.
insert into trial values
    ('a', 2, 'target', 'no', null), ('a', 1, 'nontarget', 'no', null),
    ('b', 4, 'target', 'no', null), ('b', 2, 'nontarget', 'no', null),
    ('c', 1, 'target', 'no', null), ('c', 2, 'nontarget', 'no', null);

set variable profile = 'trec11';

select bin_no, n_topic from cost_p_rel_histogram where n_topic > 0 order by bin_no
--> 10 1
--> 19 2
