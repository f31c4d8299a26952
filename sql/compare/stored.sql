/*
title:    Stored rows of pairs of runs, and of runs alone, with run and baseline as a call names them
edges:    The baseline of a stored pair is the run whose name comes first: first and second are the names of a pair in
          this order. A row that is not stored has NULL everywhere else.
*/
with

named as (
    select
        unnest($names) as name, unnest($conditions) as condition_id, unnest($runs) as run_id,
        unnest($numbers) as computation_no
),

wanted as (
    select
        pair.*, own.computation_no as own_no, theirs.computation_no as other_no,
        theirs.name is not null and (own.condition_id, own.run_id) < (theirs.condition_id, theirs.run_id) as is_turned
    from (
        select
            unnest(cast($pair_runs as varchar[])) as run_id, unnest(cast($pair_baselines as varchar[])) as baseline_id,
            unnest(range(len($pair_runs))) as row_no
    ) as pair
    join named as own on own.name = pair.run_id
    left join named as theirs on theirs.name = baseline_id
),

found as (
    select
        kept.*, sha256 <> left(sha256(left(cast(to_json(kept) as varchar), -2 - length(sha256))), 16) as is_changed
    from ledger.result_comparison as kept
    where subset = $subset
        and metric = $metric
        and weighting = $weighting
        and unit = $unit
        and test = $test
        and interval = $interval
        and level = $level
        and missing = $missing
        and n_permutation = $n_permutation
        and n_draw = $n_draw
        and seed = $seed
        and draws_version = $draws_version
)

select
    row_no, $condition as condition_id, $profile as profile_id, run_id, baseline_id,
    case when is_turned then baseline_id else run_id end as first,
    case when is_turned then run_id else baseline_id end as second,
    found.* replace (
        case when is_turned then baseline_value else value end as value,
        case when is_turned then value else baseline_value end as baseline_value,
        case when is_turned then baseline_low else value_low end as value_low,
        case when is_turned then value_low else baseline_low end as baseline_low,
        case when is_turned then baseline_high else value_high end as value_high,
        case when is_turned then value_high else baseline_high end as baseline_high,
        case when is_turned then 0 - difference else difference end as difference,
        case when is_turned then 0 - high else low end as low,
        case when is_turned then 0 - low else high end as high,
        case when is_turned then 0 - statistic else statistic end as statistic,
        case when is_turned then 0 - effect_size else effect_size end as effect_size,
        case when is_turned then n_only_baseline else n_only_run end as n_only_run,
        case when is_turned then n_only_run else n_only_baseline end as n_only_baseline,
        case when is_turned then loss else win end as win,
        case when is_turned then win else loss end as loss
    )
from wanted
left join found
    on found.computation_no = case when is_turned then other_no else own_no end
        and found.baseline_computation_no is not distinct from case when is_turned then own_no else other_no end
order by row_no
