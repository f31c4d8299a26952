-- Six topics of 1000 documents: relevant and retrieved A, retrieved B, relevant and missed C.
--
-- topic        A    B    C    F.5                     T11U   T11SU   TDT5SU
-- perfect     10    0    0    1                         20       1        1
-- nothing      0    0   10    0                          0     1/3      1/3
-- everything  10  990    0    12.5 / 1002.5           -970       0        0
-- balance      5   10    5    6.25 / 17.5 = 5/14         0     1/3      3/5
-- floor        0   10   10    0                        -10       0     4/15
-- bagga        9   91    1    11.25 / 102.5 = 9/82     -73       0   49/150
--
-- T11SU of balance: (5 - 5)/10 = 0 -> (0 + 0.5)/1.5 = 1/3; doing nothing is as good.
-- TDT5SU of balance: (5 - 1)/10 = 0.4 -> 0.9/1.5 = 3/5; here it is not.
--
-- Macro recall is the mean (1 + 0 + 1 + 1/2 + 0 + 9/10) / 6; pooled 34 of 60.
insert into trial values
    ('perfect', 10, 'target', 'yes', null), ('perfect', 990, 'nontarget', 'no', null),
    ('nothing', 10, 'target', 'no', null), ('nothing', 990, 'nontarget', 'no', null),
    ('everything', 10, 'target', 'yes', null), ('everything', 990, 'nontarget', 'yes', null),
    ('balance', 5, 'target', 'yes', null), ('balance', 10, 'nontarget', 'yes', null), ('balance', 5, 'target', 'no', null), ('balance', 980, 'nontarget', 'no', null),
    ('floor', 10, 'nontarget', 'yes', null), ('floor', 10, 'target', 'no', null), ('floor', 980, 'nontarget', 'no', null),
    ('bagga', 9, 'target', 'yes', null), ('bagga', 91, 'nontarget', 'yes', null), ('bagga', 1, 'target', 'no', null), ('bagga', 899, 'nontarget', 'no', null);

set variable profile = 'trec11';

select topic, precision, recall, f_beta, f1 from filtering_effectiveness order by topic
--> bagga      9/100 9/10 9/82      9/55
--> balance    1/3  1/2 5/14        2/5
--> everything 1/100 1 12.5/1002.5  2/101
--> floor      0    0   0           0
--> nothing    -    0   0           0
--> perfect    1    1   1           1

select topic, t11u, t11su, tdt5su from filtering_utility order by topic
--> bagga      -73  0   49/150
--> balance    0    1/3 3/5
--> everything -970 0   0
--> floor      -10  0   4/15
--> nothing    0    1/3 1/3
--> perfect    20   1   1

select topic, c_det_prel, c_det_prel_norm, c_trk from filtering_own_prior_cost order by topic
--> bagga      0.0101 1.01 5449/495000
--> balance    0.006  0.6  136/12375
--> everything 0.099  9.9  0.098
--> floor      0.011  1.1  1039/49500
--> nothing    0.01   1    0.02
--> perfect    0      0    0

select recall, precision, n_block_precision, t11u, c_det_prel, c_det_prel_norm from filtering_mean
--> 3.4/6 (1+1/100+1/3+0+0.09)/5 5 -1033/6 (0.006+0.0101+0.099+0.011+0.01)/6 (0.6+1.01+9.9+1.1+1)/6

select recall, precision, t11u, c_det_prel from filtering_pooled
--> 34/60 34/1135 2*34-1101 (0.006+0.0101+0.099+0.011+0.01)/6
