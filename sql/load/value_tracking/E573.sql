/*
what:   the attribute (column 7) is unknown, expected one of deaths, injuries, displaced, financialimpact, locations
advice: Fix the name.
*/
select file, line, attribute as value
from read_values
where event_id is not null
    and attribute not in ('deaths', 'injuries', 'displaced', 'financialimpact', 'locations')
