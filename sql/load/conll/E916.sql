/*
what:   mention {item_id} of {block_id} is in cluster {first_cluster} ({first_line}) and in another
advice: {advised}
*/
select file, line, null as at_column, cluster as value, item_id, block_id, first_cluster, first_line,
    if($may_repeat, 'W916', 'E916') as code,
    case when $may_repeat then 'The first one counts.'
        when $is_gold then 'Keep one.'
        else 'Keep one, or let a profile with repeated_item = "first" keep the first of a run.' end as advised
from conll_mention
where cluster <> first_cluster and ($is_gold or not $may_repeat)
order by file, begin_line, line, number
