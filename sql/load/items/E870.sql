/*
what:   no row has the measure by which the condition ranks runs, '{ranked_by}'; the files have {named}
advice: Correct measure of the condition, or the name of the measure in the file.
*/
select
    0 as file, null as line, min(measure) as value, nullif($ranked_by, '') as ranked_by,
    array_to_string(list(measure order by measure)[:10], ', ') as named
from items_measure
where is_said and coalesce($ranked_by, '') <> ''
having not list_contains(list(measure), $ranked_by)
