/*
title:    Corpora and judgments that differ; of changed labels the first ten
*/
select what, name, change, '' as because, 1 as place, '' as corpus_id, 0 as judgment_set
from other_hash
where what = 'corpus'
union all
select
    'judgments', corpus_id || case when judgment_set = 1 then '' else ', set ' || judgment_set end,
    format(
        '{:,} added, {:,} removed, {:,} changed',
        count(*) filter (where before is null),
        count(*) filter (where now is null),
        count(*) filter (where before <> now)
    ),
    array_to_string(
        list(
            format('{} {}: {} -> {}', topic_id, story_id, coalesce(before, 'none'), coalesce(now, 'none'))
            order by topic_id, story_id
        )[:10], '; '
    ) || case when count(*) > 10 then format('; {:,} more: --judgments', count(*) - 10) else '' end,
    2, corpus_id, judgment_set
from label
group by corpus_id, judgment_set
order by place, corpus_id, judgment_set, name
