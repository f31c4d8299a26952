/*
title:  a header line of a run
what:   the line looks like a header, and run files have none{skipped}
advice: {advised}
*/
-- E579 of values; the program skips it with other bad rows
select file, line, whole as value, if($code = 'E556' and $program is not null, 'W500', $code) as code,
    if(code = 'W500', $skipped, '') as skipped, if(code = 'W500', '', 'Drop the line.') as advised
from header
where is_named
