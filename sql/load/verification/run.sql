/*
what: The scores of runs, by block and trial: that order packs tightest. Probabilities become logarithms of the odds,
      which are likelihood ratios if both classes were equally likely before, base-10 logarithms natural ones. A score
      of -0 loses its sign: it ties with 0, and which of the two a threshold shows must not depend on chance. Trials of
      the key that may lack a score are rejected at every threshold.
*/
insert into base.decision (run_no, block_no, trial_no, segment_no, is_yes, score)
select run_no, block_no, trial_no, segment_no, is_yes, case when llr = 0 then 0 else llr end
from (
    select run_no, trial_no, segment_no, is_yes, if($higher_is_target, 1, -1) * case $scores
        when 'probability' then if(score = 0, cast('-infinity' as double), ln(score / (1 - score)))
        when 'log10lr' then score * ln(cast(10 as double))
        else score end as llr
    from scored where trial_no is not null
    union all
    select run_no, trial_no, segment_no, if($has_decisions, false, null), cast('-infinity' as double)
    from (select run_no from run_tally where kind = 'lacking')
    cross join (from base.verification_trial where condition_no = $condition)
    anti join scored using (run_no, trial_no))
join (select segment_no, block_no from base.verification_segment where condition_no = $condition) using (segment_no)
order by run_no, block_no, trial_no
