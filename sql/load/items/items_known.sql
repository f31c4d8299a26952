/*
what: The values of the attributes of files that the file of items gives, or a stored run other than some.
*/
with

given as (
    select distinct attribute, block_no
    from (
        select distinct run_no, block_no
        from base.item_score
        join known_run using (run_no)
        where condition_no = $condition and not list_contains($runs, run_id)
    ) as had
    join (
        select run_no, attribute, block_no as only_block from base.run_attribute semi join items_field using (attribute)
    ) using (run_no)
    where only_block in (0, block_no)
)

select block_id as item_id, attribute, value
from base.item_attribute
join base.block using (condition_no, block_no)
where
    condition_no = $condition
    and attribute in (select attribute from items_field)
    and (is_listed = 1 or (attribute, block_no) in (select (attribute, block_no) from given))
