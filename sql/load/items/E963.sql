/*
what:   attribute {attribute} of item '{item_id}' has another value{where_said}: it is the item's, whatever the
        run{more}
advice: Correct one of the two; or, if the column is not the item's, attributes = [] of the condition, or the names of
        those that are.
*/
with

odd as (
    select item_id, attribute, known.value as known
    from items_value as own
    left join items_known as known using (item_id, attribute)
    where own.value <> other_value or own.value <> known.value
),

said as (
    select file, line, item_id, attribute, value, known
    from (
        unpivot (select * from items_row semi join odd using (item_id))
        on columns('^(a[0-9]+|content)$') into name field value value
    )
    join items_field using (field)
    join odd using (item_id, attribute)
)

select
    file, line, attribute || '=' || value as value, attribute, item_id,
    if(known is null, ', first ' || first_value, '') as where_said,
    if(n > 1, printf(' (%d such rows)', n), '') as more
from (
    select *, count(*) over (partition by attribute) as n
    from (
        select *, first_value(value) over item as first_value
        from said
        window item as (partition by attribute, item_id order by file, line)
    )
    where value <> coalesce(known, first_value)
)
qualify row_number() over (partition by attribute order by file, line) = 1
