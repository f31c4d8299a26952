/*
what:   The same, where some pair is not written as in the condition: it is found by the docnos after the colons.
*/
with pair as (
    select trial_no, regexp_extract(id_1, '[^:]*$') as docno_1, regexp_extract(id_2, '[^:]*$') as docno_2
    from base.link_pair where condition_no = $condition
),

-- a pair of docnos that two pairs have names neither
named as (
    select docno_1, docno_2, min(trial_no) as named_no from pair group by docno_1, docno_2 having count(*) = 1
),

found as (
    select decided.* exclude (trial_no), coalesce(trial_no, named_no) as trial_no,
        regexp_extract(story_id_1, '[^:]*$') as own_1, regexp_extract(story_id_2, '[^:]*$') as own_2
    from decided
    left join named on trial_no is null and docno_1 = regexp_extract(story_id_1, '[^:]*$')
        and docno_2 = regexp_extract(story_id_2, '[^:]*$')
)

select file, line, run_id, is_yes, score, block_no, trial_no, document,
    case when trial_no is not null then null
        when (own_2, own_1) in (select (docno_1, docno_2) from pair) then 'turned pairs' else 'pairs' end as unknown,
    case when trial_no is null then story_id_1 || ' ' || story_id_2 end as unknown_id, story_id_1, story_id_2
from found
