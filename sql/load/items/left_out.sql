/*
what: Items that the file of items does not have, where the condition ignores them.
*/
delete from read_samples
where
    $unknown_item = 'ignore'
    and exists (select 1 from base.item where condition_no = $condition and is_listed = 1)
    and item_id not in (select block_id from base.block where condition_no = $condition)
