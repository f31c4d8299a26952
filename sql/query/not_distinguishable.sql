/*
title:       Runs that do not differ from the best
question:    Which runs may be as good as the best run of a condition: what is their difference from it, and its p?
about:       runs
inputs:      report.comparison, report.leaderboard
needs:       comparison
parameters:
    condition  condition  none  one condition; none: all
    profile    profile    none  one scoring profile; none: all
    alpha      number     0.05  corrected p values below it are significant
grain:       condition_id, profile_id, subset, run_id
columns:
    condition_id  key     evaluation condition
    profile_id    key     scoring profile
    metric        text    primary metric
    subset        key     all; attribute=NAME where the blocks are attributes
    position      count   rank of the run
    run_id        key     run
    value         double  the number
    best_run_id   text    the best run
    behind        double  difference of the two, in size
    p             double  two-sided p of the difference; NULL of the best run itself
    p_adjusted    double  p corrected for all pairs of the board (Holm)
order:       Conditions, profiles and subsets by name, the best run first.
edges:       No significant difference does not mean equal: few topics show little.
see also:    significant_differences, leaderboard, report.comparison
*/
with

pair as (
    select condition_id, profile_id, metric, subset, weighting, run_id, baseline_id, p, p_adjusted
    from report.comparison
    where family_size is not null
        and preference = 1
),

ranked as (
    select
        condition_id, profile_id, metric, subset, weighting, position, run_id, value,
        first_value(run_id) over best_first as best_run_id,
        abs(value - first_value(value) over best_first) as behind
    from report.leaderboard
    where condition_id = coalesce($condition, condition_id)
        and profile_id = coalesce($profile, profile_id)
        and position is not null
        and value is not null
    window best_first as (partition by condition_id, profile_id, subset order by position, run_id)
)

select
    ranked.condition_id, ranked.profile_id, ranked.metric, ranked.subset, position, ranked.run_id, value, best_run_id,
    behind, p, p_adjusted
from ranked
left join pair
    on pair.condition_id = ranked.condition_id
    and pair.profile_id = ranked.profile_id
    and pair.metric = ranked.metric
    and pair.subset = ranked.subset
    and pair.weighting = ranked.weighting
    and least(ranked.run_id, best_run_id) = pair.baseline_id
    and greatest(ranked.run_id, best_run_id) = pair.run_id
where ranked.run_id = best_run_id
    or coalesce(p_adjusted, 1) >= $alpha
order by ranked.condition_id, ranked.profile_id, ranked.subset, position, ranked.run_id
