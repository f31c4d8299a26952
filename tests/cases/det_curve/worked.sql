-- T1   targets 0.9 0.4          non-targets 0.7 0.4 0.2 0.1
-- T2   target  0.7              non-targets 0.9 0.3
--
-- Yes if score >= threshold, going down; equal scores are one threshold:
--
-- threshold   T1 miss  fa     T2 miss  fa      topic-weighted        pooled
-- (none)          1    0          1    0        1      0             1     0
-- 0.9           1/2    0          1    1/2      3/4    1/4           2/3   1/6
-- 0.7           1/2    1/4        0    1/2      1/4    3/8           1/3   2/6
-- 0.4             0    2/4        0    1/2      0      1/2           0     3/6
-- 0.3             0    2/4        0    1        0      3/4           0     4/6   (not a corner)
-- 0.2             0    3/4        0    1        0      7/8           0     5/6   (not a corner)
-- 0.1             0    1          0    1        0      1             0     1
--
-- Sample variance over the two topics, e.g. at 0.9: p_miss 1/2, 1 -> 1/8, standard error sqrt(1/8 / 2) = 1/4.
insert into trial values
    ('T1', 1, 'target', 'yes', 0.9), ('T1', 1, 'target', 'no', 0.4), ('T1', 1, 'nontarget', 'yes', 0.7),
    ('T1', 1, 'nontarget', 'no', 0.4), ('T1', 1, 'nontarget', 'no', 0.2), ('T1', 1, 'nontarget', 'no', 0.1),
    ('T2', 1, 'target', 'yes', 0.7), ('T2', 1, 'nontarget', 'yes', 0.9), ('T2', 1, 'nontarget', 'no', 0.3);

-- points on a straight line are left out
select threshold, p_miss, p_fa, p_miss_se, p_fa_se, n_block from detection_det_curve where weighting = 'topic'
order by point_no;
--> -    1    0    0    0    2
--> 0.9  3/4  1/4  1/4  1/4  2
--> 0.7  1/4  3/8  1/4  1/8  2
--> 0.4  0    1/2  0    0    2
--> 0.1  0    1    0    0    2

select threshold, p_miss, p_fa, p_miss_se from detection_det_curve where weighting = 'story' order by point_no;
--> -    1    0    -
--> 0.9  2/3  1/6  -
--> 0.7  1/3  2/6  -
--> 0.4  0    3/6  -
--> 0.1  0    1    -
