/*
title:    The vertex of a hierarchy whose cost is that of a topic
*/
select value
from ledger.result_label
join ledger.current_computation using (computation_no)
where run_no = $run_no and profile_no = $profile_no and block_no = $block_no and metric = 'best_vertex'
