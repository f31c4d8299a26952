/*
title:       Differences between runs
question:    Which runs differ by the primary metric, and which of the differences are more than chance?
about:       runs
inputs:      report.comparison, report.leaderboard
needs:       comparison
parameters:
    condition  condition  none  one condition; none: all
    profile    profile    none  one scoring profile; none: all
    alpha      number     0.05  corrected p values below it are significant
grain:       condition_id, profile_id, subset, run_id, baseline_id
columns:
    condition_id    key     evaluation condition
    profile_id      key     scoring profile
    metric          text    primary metric
    subset          key     all; attribute=NAME where the blocks are attributes
    run_id          key     run
    baseline_id     key     run of a better rank (or the same), that it is compared with
    difference      double  number of run_id minus that of baseline_id
    low             double  lower end of the 95 % interval of the difference
    high            double  upper end
    p               double  two-sided p
    p_adjusted      double  p corrected for all pairs of the board (Holm)
    is_significant  flag    1: p_adjusted is below alpha
    test            text    the test
    n_unit          text    topics, items, clusters or trials that were drawn
order:       Conditions, profiles and subsets by name; runs as the leaderboard has them, best first.
show:        table layout=inline hide=metric,subset by=subset
pages:       report 150 condition 60 compare 5
see also:    not_distinguishable, wins, report.comparison
*/
with board as (
    select condition_id, profile_id, metric, subset, weighting, run_id, position
    from report.leaderboard
    where position is not null
),

pair as (
    select *
    from report.comparison
    join board using (condition_id, profile_id, metric, subset, weighting, run_id)
    join (
        select condition_id, profile_id, metric, subset, run_id as baseline_id, position as baseline_position
        from board
    ) as baseline using (condition_id, profile_id, metric, subset, baseline_id)
    where condition_id = coalesce($condition, condition_id)
        and profile_id = coalesce($profile, profile_id)
        and family_size is not null
        and preference = 1
),

-- the baseline is the run of the better rank; 0 - x: no negative zero
turned as (
    select
        condition_id, profile_id, metric, subset, baseline_id as run_id, run_id as baseline_id,
        0 - difference as difference, 0 - high as low, 0 - low as high, p, p_adjusted, test, n_unit,
        baseline_position as position, position as baseline_position
    from pair
    where position < baseline_position
    union all
    select
        condition_id, profile_id, metric, subset, run_id, baseline_id, difference, low, high, p, p_adjusted, test,
        n_unit, position, baseline_position
    from pair
    where position >= baseline_position
)

select
    condition_id, profile_id, metric, subset, run_id, baseline_id, difference, low, high, p, p_adjusted,
    case when p_adjusted < $alpha then 1 else 0 end as is_significant, test, n_unit
from turned
order by condition_id, profile_id, subset, baseline_position, position, baseline_id, run_id
