/*
what:   duplicate sample, first on {earlier_line}: same run, measure, item and epoch
advice: Keep one of the two; attempts at an item have a column epoch, or the condition repeated_item = "epoch".
most:   20
*/
select file, line, item_id as value, first_row.line as earlier_line
from (
    select *, row_number() over sample as number,
        first_value({'file': file, 'line': line}) over sample as first_row
    from items_row
    window sample as (partition by run_id, measure, item_id, epoch order by file, line)
)
where number > 1 and $repeated_item is distinct from 'epoch'
