/*
what:   Decisions on pairs of stories, with the numbers of the pairs of their condition: those that are written in the
        same way, or else those of the docnos after the colons
*/
create or replace temp table decided as
with pair as (
    select trial_no, id_1 as story_id_1, id_2 as story_id_2 from base.link_pair where condition_no = $condition
)

select decision_row.*, 0 as block_no, trial_no, cast(null as varchar) as document, cast(null as varchar) as unknown,
    cast(null as varchar) as unknown_id
from decision_row
left join pair using (story_id_1, story_id_2);

-- a pair of docnos that two pairs have names neither
create or replace temp table named_pair as
select docno_1, docno_2, if(count(*) = 1, min(trial_no), null) as trial_no
from (
    select trial_no, docno(id_1) as docno_1, docno(id_2) as docno_2
    from base.link_pair
    where condition_no = $condition and exists (select 1 from decided where trial_no is null))
group by docno_1, docno_2;

update decided set trial_no = named_pair.trial_no
from named_pair
where decided.trial_no is null and docno_1 = docno(story_id_1) and docno_2 = docno(story_id_2);

update decided set unknown_id = story_id_1 || ' ' || story_id_2,
    unknown = if((docno(story_id_2), docno(story_id_1)) in (select (docno_1, docno_2) from named_pair),
        'turned pairs', 'pairs')
where trial_no is null
