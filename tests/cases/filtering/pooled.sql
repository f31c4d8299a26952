-- Two topics with 10 relevant documents each: 6 + 4 of them retrieved, and 2 + 6 others.
--
-- T11U 2 * 10 - 8; T11SU (10 - 8/2) / 20 = 0.3, scaled (0.3 + 0.5) / 1.5; TDT5SU (10 - 8/10) / 20 = 0.46.
insert into trial values
    ('one', 6, 'target', 'yes', null), ('one', 4, 'target', 'no', null), ('one', 2, 'nontarget', 'yes', null),
    ('two', 4, 'target', 'yes', null), ('two', 6, 'target', 'no', null), ('two', 6, 'nontarget', 'yes', null);

set variable profile = 'trec11';

select precision, recall, f1, f_beta, t11u, t11su, tdt5su from filtering_pooled
--> 10/18 10/20 20/38 12.5/23 12 0.8/1.5 0.96/1.5
