/*
title:    Numbers of single topics with their signatures, whose last part is common to all numbers of the run
*/
select
    block.*,
    block.metric || ':' || block.version || '|w:block|profile:' || block.profile_id || '|subset:' || block.subset
        || '|block:' || block.block_id || coalesce('|sql:' || substr(own.closure_sha256, 1, 8), tail.definition)
        || tail.ending as signature
from report.block_score as block
join (
    select
        run_id, condition_id, profile_id,
        min(substr(signature, strpos(signature, '|sql:'), 13)) filter (not starts_with(metric, 'own:')) as definition,
        min(substr(signature, strpos(signature, '|judgments:'))) as ending
    from report.score
    group by all
) as tail using (run_id, condition_id, profile_id)
left join (
    select metric, published.version, closure_sha256
    from registry.published
    join registry.definition using (relation)
    where owner = 'own' and grain = 'block'
) as own using (metric, version)
