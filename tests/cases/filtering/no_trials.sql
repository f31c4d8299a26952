-- No trial at all.
insert into trial values
    ('none', 0, 'target', null, null);

set variable profile = 'trec11';

select precision, recall, f1, t11u, t11su, c_det_prel from filtering_pooled
--> - - - - - -
