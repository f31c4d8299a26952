/*
what: How many stories, topics and judgments a corpus has, in words; and a hash of its stories with their numbers.
*/
with named as (
    select 1 as place, format('{:,} stor', count(*)) || if(count(*) = 1, 'y', 'ies') as said
    from base.story
    where corpus_no = $corpus
    union all
    select 2, format('{:,} topic', count(*)) || if(count(*) = 1, '', 's') from base.topic where corpus_no = $corpus
    union all
    select 2 + row_number() over (order by judgment_set, label desc),
        format('{:,} judged {}', count(*), label) || if(judgment_set > 1, ' in judgments_2', '')
    from base.judgment
    where corpus_no = $corpus
    group by judgment_set, label
)

select
    string_agg(said, ', ' order by place) as said,
    (
        select sha256(string_agg(story_no || ' ' || story_id, chr(10) order by story_no))
        from base.story
        where corpus_no = $corpus
    ) as stories
from named
