/*
what: The values of an attribute that the file of items gives, or a stored run other than some.
*/
select block_id as item_id, value
from base.item_attribute
join base.block using (condition_no, block_no)
where
    condition_no = $condition
    and attribute = $attribute
    and (
        is_listed = 1
        or block_no in (
            select item_score.block_no
            from base.item_score
            join known_run as run using (run_no)
            join base.run_attribute as given using (run_no)
            where
                run.condition_no = $condition
                and not list_contains($runs, run_id)
                and given.attribute = $attribute
                and given.block_no in (0, item_score.block_no)
        )
    )
