/*
title:    A cost of a block is not negative
severity: error
inputs:   report.block_score
*/
select *
from report.block_score
where value < 0 and metric in (
    'c_det', 'c_det_norm', 'c_trk', 'c_det_prel', 'c_det_prel_norm', 'min_c_det', 'min_c_det_norm',
    'act_c_det', 'act_c_det_norm', 'cllr', 'min_cllr',
    'min_cost', 'c_travel_norm', 'best_c_det_norm', 'expected_travel_norm'
)
