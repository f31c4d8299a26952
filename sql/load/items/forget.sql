/*
what:   What a condition of items has from runs that it no longer has, or that no longer give it
*/
-- After each load, drop and replacement of a run: the store equals a fresh one from the same files.

-- measures
delete from base.item_measure
where
    condition_no = $condition
    and measure_no not in (
        select measure_no
        from base.item_score
        join registry.run using (run_no)
        where condition_no = $condition
    );

-- the measure that runs are ranked by
update base.item_measure set is_primary = 1
where
    condition_no = $condition
    and measure = (
        select coalesce(nullif(any_value(ranked_by), ''), min(measure))
        from base.item_measure
        join registry.condition using (condition_no)
        where condition_no = $condition
    )
    and is_primary = 0;

update base.item_measure set is_primary = 0
where
    condition_no = $condition
    and measure <> (
        select coalesce(nullif(any_value(ranked_by), ''), min(measure))
        from base.item_measure
        join registry.condition using (condition_no)
        where condition_no = $condition
    )
    and is_primary = 1;

-- values of attributes that neither the file of items nor a run gives
delete from base.item_attribute
where
    condition_no = $condition
    and is_listed = 0
    and (attribute, block_no) not in (
        select (attribute, own.block_no)
        from base.run_attribute as own
        join registry.run using (run_no)
        where condition_no = $condition and own.block_no > 0
        union all
        select distinct (attribute, item_score.block_no)
        from base.run_attribute as own
        join registry.run using (run_no)
        join base.item_score using (run_no)
        where condition_no = $condition and own.block_no = 0
    );

-- hashes of texts of items
update base.item set content = null
where
    condition_no = $condition
    and content is not null
    and block_no not in (
        select item_score.block_no
        from base.run_attribute
        join registry.run using (run_no)
        join base.item_score using (run_no)
        where
            run.condition_no = $condition
            and attribute = ''
            and run_attribute.block_no in (0, item_score.block_no)
    );

-- items
delete from base.block
where
    condition_no = $condition
    and block_no in (
        select block_no from base.item where condition_no = $condition and is_listed = 0
    )
    and block_no not in (
        select block_no
        from base.item_score
        join registry.run using (run_no)
        where condition_no = $condition
    );

delete from base.item
where
    condition_no = $condition
    and block_no not in (select block_no from base.block where condition_no = $condition)
