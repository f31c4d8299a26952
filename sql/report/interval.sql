/*
title:    Confidence intervals of numbers, as far as they were computed and are up to date
source:   B. Efron, R. Tibshirani, An Introduction to the Bootstrap (1993)
inputs:   ledger.result_comparison, ledger.current_computation
grain:    condition_id, profile_id, subset, metric, weighting, run_id, unit, interval, level, n_draw, seed
columns:
    condition_id      key     evaluation condition
    profile_id        key     scoring profile
    subset            key     subset
    metric            key     metric
    weighting         key     topic, story, group or weight
    run_id            key     run
    unit              key     what is drawn: topic, item, cluster, trial or an attribute
    interval          key     percentile
    level             key     of the interval
    missing           text    common: topics that the run has; none of scored trials
    value             double  the number, as in report.score
    low               double  lower end; NULL where undefined
    high              double  upper end
    n_unit            text    units drawn
    n_draw            key     resamples drawn
    n_undefined_draw  count   draws that lack a class
    seed              key     of the draws
    reason            text    why an interval is missing
    signature         text    what was drawn and how, with the hash of the row
    preference        count   1: of the settings of a number, that which is shown: nearest to the default, with the most
                              draws
edges:    `leaderboard`, `score --interval` and `report` compute the rows that they need. A row goes with the
          computation that it rests on; rows of draws of another version are left out.
class:    external: computed by resampling, stored until a computation is replaced
module:   tdtsql.compare.rows
portable: no, settings that are equally near to the default are ordered by their names
see also: comparison, score
*/
select
    condition_id, profile_id, subset, metric, weighting, run_id, unit, interval, level,
    missing, value, low, high, n_unit, n_draw, n_undefined_draw, seed, reason,
    'interval:' || metric || '|w:' || weighting || '|condition:' || condition_id || '|profile:' || profile_id
    || '|subset:' || subset || '|run:' || run_id || '|unit:' || unit || '|interval:' || interval
    || '|draws:' || cast(n_draw as varchar) || 'v' || cast(draws_version as varchar)
    || '|seed:' || cast(seed as varchar) || '|result:' || sha256 as signature,
    row_number() over (
        partition by condition_id, profile_id, subset, metric, weighting, run_id
        order by
            case when low is null then 1 else 0 end, abs(level - 9.5e-1), abs(seed - 20040),
            case when unit in ('topic', 'cluster', 'item', 'trial') then 0 else 1 end, n_draw desc, unit
    ) as preference
from ledger.result_comparison join ledger.current_computation using (computation_no)
where baseline_computation_no is null and draws_version = 8
