/*
title:    A count is a whole number, 0 or more (a mean of counts need not be whole)
severity: error
inputs:   report.score
*/
select *
from report.score
where (value < 0 or (weighting in ('story', 'none') and ((value is null and n > 0) or value <> floor(value))))
    and metric in (
    'n_target', 'n_nontarget', 'n_hit', 'n_false_alarm', 'n_miss', 'n_correct_rejection',
    'n_update', 'n_sampled_update', 'n_match', 'n_vertex', 'depth', 'n_multi_parent', 'n_multi_listed'
)
