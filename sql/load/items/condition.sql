/*
what: The numbers of samples of pass@k, and the subset of all items.
*/
insert into base.item_k (condition_no, k)
select $condition, unnest($k);

insert into base.subset (condition_no, subset_no, subset, kind)
values ($condition, 0, 'all', 'all')
