/*
what:   the value (column 8) is {how}
advice: Write {wanted}.
*/
-- 1e18 is more than all money or people there are; it keeps value times seconds within what is summed exactly
select file, line, value,
    if(is_number, 'negative or beyond all measure', 'not ' || form) as how,
    if(is_number, 'a number, 0 or more', form) as wanted
from (
    select file, line, value, number is not null as is_number,
        if(attribute = 'locations', 'latitude,longitude', 'a finite number') as form
    from read_values
    where event_id is not null
        and (attribute = 'locations' and (latitude is null or longitude is null)
            or attribute in ('deaths', 'injuries', 'displaced', 'financialimpact')
            and coalesce(number not between 0 and 1e18, true)))
