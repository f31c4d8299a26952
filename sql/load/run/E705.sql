/*
title:  a duplicate id
what:   run '{value}' of condition '{condition}' is also in {first}
advice: Give each run its own {named_by}; name the files of a run that is split together, with an id.
*/
select list_position($paths, files[2]) - 1 as file, null as line, name as value, files[1] as first,
    $condition_id as condition, $named_by as named_by
from new_run
where $name is null and run_id is not null and n_file > 1
