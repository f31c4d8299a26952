-- Nothing but a topic without relevant documents: NULL, counts of 0.
insert into trial values
    ('empty', 5, 'nontarget', 'no', null);

set variable profile = 'trec11';

select precision, recall, f1, f_beta, t11su, tdt5su, c_trk, n_block_utility, n_block_cost, c_det_prel from filtering_mean
--> - - - - - - - 0 0 0
