/*
what: The lines of a key whose trial was there before, and whether it has the other label.
*/
select file, line, is_target <> first_row.is_target as is_other, first_row.file as first_file,
    first_row.line as first_at, concat_ws(' ', trial_id, test_id, side) as trial
from (
    select *, row_number() over listed as number,
        first_value({'file': file, 'line': line, 'is_target': is_target}) over listed as first_row
    from trial_row
    window listed as (partition by trial_id, test_id, side order by file, line))
where number > 1
