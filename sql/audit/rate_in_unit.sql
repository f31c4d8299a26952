/*
title:    A rate is in [0, 1]
severity: error
inputs:   report.score
*/
select *
from report.score
where (value < 0 or value > 1) and metric in (
    'p_miss', 'p_fa', 'min_p_miss', 'min_p_fa', 'act_p_miss', 'act_p_fa', 'eer', 'auc', 'partial_auc',
    'p_hit_at_p_fa', 'precision', 'recall', 'f1', 'f_beta', 't11su', 'tdt5su', 'comprehensiveness',
    'b3_precision', 'b3_recall', 'b3_f1', 'b3_ext_precision', 'b3_ext_recall', 'b3_ext_f1'
)
