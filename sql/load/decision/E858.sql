/*
what:   the pair has a decision already, in {first}
advice: Keep one of the two.
*/
-- by its docnos: a pair that is written twice in the same way was reported with its file
select file, line, story_id_1 || ' ' || story_id_2 as value,
    list_extract($paths, first_place[1] + 1) || ':' || first_place[2] as first
from (
    select *, min([file, line]) over (partition by run_no, trial_no) as first_place
    from (from run_decision where unknown is null)
    semi join (select run_no, trial_no from run_decision where unknown is null group by all having count(*) > 1)
        using (run_no, trial_no))
where [file, line] > first_place
