/*
what:   The decisions of runs, by block and story: that order packs tightest. A score of -0 loses its sign: it ties
        with 0, and which of the two a threshold shows must not depend on chance.
*/
-- documents that the corpus does not have are numbered by name, so that the same rows have the same numbers
insert into base.unlisted_document (run_no, trial_no, document_id)
select run_no, -row_number() over (partition by run_no order by document), document
from (select distinct run_no, document from run_decision where document is not null and unknown is null)
order by run_no, document;

insert into base.decision (run_no, block_no, trial_no, segment_no, is_yes, score)
select own.run_no, block_no, coalesce(own.trial_no, unlisted.trial_no) as number, coalesce(member.segment_no, 0),
    is_yes, case when score = 0 then 0 else score end
from run_decision as own
left join (from base.unlisted_document semi join new_run using (run_no)) as unlisted
    on unlisted.run_no = own.run_no and unlisted.document_id = own.document
left join (select story_no, segment_no from base.segment_story where condition_no = $condition) as member
    on member.story_no = own.trial_no
where unknown is null
order by own.run_no, block_no, number
