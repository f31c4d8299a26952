/*
what:   The decisions of a run, by block and story: that order packs tightest. A score of -0 loses its sign: it ties
        with 0, and which of the two a threshold shows must not depend on chance.
*/
insert into base.decision (run_no, block_no, trial_no, segment_no, is_yes, score)
select $run, block_no, coalesce(decided.trial_no, unlisted.trial_no) as number, coalesce(member.segment_no, 0),
    is_yes, case when score = 0 then 0 else score end
from decided
left join (select trial_no, document_id from base.unlisted_document where run_no = $run) as unlisted
    on unlisted.document_id = decided.document
left join (select story_no, segment_no from base.segment_story where condition_no = $condition) as member
    on member.story_no = decided.trial_no
where unknown is null and run_id is not distinct from $run_id
order by block_no, number
