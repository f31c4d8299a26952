/*
title:    Profiles that differ, with their values
*/
select
    'profile' as what, owner as name,
    case
        when owner not in (select profile_id from profile where side = 'old') then 'added'
        when owner not in (select profile_id from profile where side = 'new') then 'removed'
        else string_agg(
            format('{}: {} -> {}', name, before, now), ', ' order by name
        )
    end as change,
    '' as because
from other_value
where what = 'profile'
group by owner
order by owner
