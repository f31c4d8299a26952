/*
title:  Task packages and user-defined metrics as entries of the ledger say them, and what of them is not what was added
*/
with

present as (
    select
        'package:' || package as subject, package as name, 0 as version,
        map {
            'version': version, 'sha256': sha256,
            'text_sha256': sha256(concat(strlen(definitions), ':', definitions))
        } as said
    from registry.package
    union all
    select
        'own:' || name || '__v' || version, name, version,
        map {
            'sha256': sha256(concat(strlen(definition), ':', definition, strlen(sha256), ':', sha256)),
            'path': path, 'tasks': tasks, 'closure_sha256': closure_sha256
        }
    from registry.own_metric
),

added as (
    select subject, try_cast(cast(detail as json) as map(varchar, varchar)) as said
    from ledger.definition
    where until_no is null and subject <> 'store'
),

compared as (
    select
        subject, name, version, present.said as now, added.said as then_,
        replace(if(starts_with(subject, 'package:'), subject[9:], subject), 'own:', 'own.') as title,
        list_filter(
            map_keys(present.said),
            lambda key: (key = 'sha256' or map_contains(added.said, key))
                and added.said[key] is distinct from present.said[key]
        )[1] as odd
    from present full join added using (subject)
)

select
    subject, now as said,
    case
        when starts_with(title, 'registry.definition') then title
        when now is null
            then title || ' is missing from registry.' || if(starts_with(subject, 'own:'), 'own_metric', 'package')
        when odd is not null
            then format('{} is not what was added (ledger {} {})', title, odd, left(coalesce(then_[odd], 'None'), 8))
    end as difference
from (
    from compared
    union all by name
    select
        'package:' || owner as subject, owner as name,
        format('registry.definition has rows of {}, which is not in this store', owner) as title
    from registry.definition
    anti join registry.package on package = owner
    where owner not in ('tdtsql', 'own')
    group by owner
)
order by now is null, starts_with(subject, 'own:'), name, version, subject
