/*
what: The decisions of output files on stories, those that follow from records among them (output_decision).
*/
create or replace temp view output_decision as
select file, line, cast(null as varchar) as run_id, block_id as topic_id, story_id, is_yes, score
from (
    select file, line, story_id, is_yes,
        case when abs(score) >= 1.7976931348623157e308 then sign(score) * 9e99 else score end as score
    from read_output
    where story_id is not null
    union all
    select file, line, story_id, is_yes, score from mapped_decision
)
join (select file, block_id from answer where is_answer) using (file)
