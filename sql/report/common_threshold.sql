/*
title:    One threshold for all topics of a run, and what that costs, as far as it is up to date
formula:  price = cost_norm - own_cost_norm
source:   Manmatha, Feng, Allan, A Critical Examination of TDT's Cost Function, section 2 (a constant threshold for all
          topics)
inputs:   ledger.result_common_threshold, ledger.current_computation, registry.run, registry.condition, registry.task,
          registry.condition_profile, registry.profile
grain:    run_id, condition_id, profile_id, prior
columns:
    run_id         key    run
    task           text   task of its condition
    condition_id   key    evaluation condition
    profile_id     key    scoring profile
    prior          key    fixed: the profile's prior; own: each topic's own
    n_block        count  topics with targets and non-targets
    threshold      score  the best common threshold on the data; NULL for reject-all
    cost_norm      cost   mean normalised cost with it
    own_cost_norm  cost   mean normalised cost with each topic's best threshold
    price          cost   cost of one threshold for all topics
    null_reason    text   external: no result is stored; the other numbers are NULL
edges:    A run and profile without stored results, or whose numbers are not up to date, have one row, with NULL for
          the prior.
          NULL numbers where no topic has targets and non-targets.
class:    external: it belongs to the fitted score_distribution, stored with it
module:   tdtsql.scoring.distribution
see also: score_distribution
*/
select
    run.run_id, task, condition.condition_id, profile.profile_id, prior, n_block, threshold, cost_norm, own_cost_norm,
    cost_norm - own_cost_norm as price, case when n_block is null or n_block < 0 then 'external' end as null_reason
from registry.run join registry.condition using (condition_no) join registry.task using (task)
join registry.condition_profile using (condition_no) join registry.profile using (profile_no)
left join ledger.current_computation as current using (run_no, profile_no)
left join ledger.result_common_threshold using (computation_no)
where is_detection = 1
