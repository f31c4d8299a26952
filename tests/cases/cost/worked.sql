-- What the detection cost really weighs: costs 1 and 0.1, prior 0.02, topics of 1000 stories.
--
-- topic  n+   P(rel)  rho              exact ratio                        posterior
-- rare    1   0.001   0.02/0.001 = 20  10 (0.02/0.98) 999 = 203.877551    1/204.877551
-- often  49   0.049   0.02/0.049       10 (0.02/0.98) 951/49 = 3.960850   1/4.960850
-- none    0   0       (none)           (none)                             (none)
--
-- together 50 of 2000: P = 0.025, rho 0.8, exact 10 (0.02/0.98) 39 = 7.959184
-- Histogram: bins of 0.00245, the first holds two topics, the last one.
insert into trial values
    ('rare', 1, 'target', 'no', null), ('rare', 999, 'nontarget', 'no', null),
    ('often', 40, 'target', 'yes', null), ('often', 5, 'nontarget', 'yes', null), ('often', 9, 'target', 'no', null), ('often', 946, 'nontarget', 'no', null),
    ('none', 1, 'nontarget', 'yes', null), ('none', 999, 'nontarget', 'no', null);

set variable profile = 'trec11';

select topic, p_rel, rho, approximate_ratio, exact_ratio, posterior_fixed, posterior_own from cost_topic_ratio
order by topic
--> none  0     - - - - 1/11
--> often 0.049 0.02/0.049 0.2/0.049 10*0.02/0.98*951/49 1/(1+10*0.02/0.98*951/49) 1/11
--> rare  0.001 20 200 10*0.02/0.98*999 1/(1+10*0.02/0.98*999) 1/11

select n_topic, n_target, n_trial, p_rel, rho, exact_ratio, exact_ratio_at_max, exact_ratio_at_min from cost_corpus_ratio
--> 2 50 2000 0.025 0.8 10*0.02/0.98*39 10*0.02/0.98*951/49 10*0.02/0.98*999

select bin_no, lower, upper, n_topic from cost_p_rel_histogram where bin_no in (0, 1, 19) or n_topic > 0 order by bin_no
--> 0 0 0.00245 2
--> 1 0.00245 0.0049 0
--> 19 0.04655 0.049 1

select count(*) from cost_p_rel_histogram
--> 20
