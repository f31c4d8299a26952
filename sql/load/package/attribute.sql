/*
what: The attributes of blocks where a package has none.
*/
select cast(null as varchar) as block_id, '' as attribute, '' as value limit 0
