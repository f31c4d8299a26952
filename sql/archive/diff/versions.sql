/*
title:    Tags of the releases, versions of tdtsql and its surroundings that differ
*/
select
    case when name = 'tag' then 'release' else 'version' end as what,
    case when name = 'tag' then coalesce(now, '') else name end as name,
    case
        when name = 'tag' then coalesce(before, 'no tag') || ' -> ' || coalesce(now, 'no tag')
        else coalesce(before, 'none') || ' -> ' || coalesce(now, 'none')
    end as change,
    '' as because
from other_version
order by position
