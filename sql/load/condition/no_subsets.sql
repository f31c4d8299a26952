/*
what: A condition without subsets, but all.
*/
create or replace temp table subset_row as
select '' as kind, '' as subset, 0 as block_no, 0 as segment_no limit 0
