/*
title:    Comparisons and intervals have the hashes that they were stored with
severity: error
inputs:   ledger.result_comparison
checked:  with the stored numbers
*/
select computation_no, baseline_computation_no, metric, subset, sha256
from ledger.result_comparison as kept
where sha256 <> left(sha256(left(cast(to_json(kept) as varchar), -2 - length(sha256))), 16)
