/*
What profiles refuse, and whether the first of several clusters of an item counts: a text for each, in their order
*/
select
    concat_ws(' ', profile_id,
        if(missing_item = 'error', 'missing_item=error', null),
        if(spurious_item = 'error', 'spurious_item=error', null),
        if(overlap = 'error', 'overlap=error', null),
        if(repeated_item in ('error', 'first'), 'repeated_item=' || repeated_item, null)) as policy
from registry.profile
where list_contains($profiles, profile_id)
order by list_position($profiles, profile_id)
