/*
title:    Pairs of runs compared with each other, as far as they were computed and are up to date
formula:  difference = value - baseline_value. Corrected p values by Holm:
              p_adjusted of rank k of m = largest of (m + 1 - j) * p of the ranks j = 1 ... k, at most 1
source:   S. Holm, A Simple Sequentially Rejective Multiple Test Procedure (1979)
inputs:   ledger.result_comparison, ledger.current_computation, registry.withdrawal
grain:    condition_id, profile_id, subset, metric, weighting, run_id, baseline_id, unit, test, interval, level,
          missing, n_permutation, n_draw, seed
columns:
    condition_id      key     evaluation condition
    profile_id        key     scoring profile
    subset            key     subset
    metric            key     metric
    weighting         key     topic, story, group or weight
    run_id            key     run
    baseline_id       key     baseline: of a pair the run whose name comes first; CONDITION/RUN of another condition
    unit              key     what is drawn: topic, item, cluster, trial, an attribute, or both sides of trials
    test              key     randomisation, bootstrap, delong, mcnemar, normal, t or wilcoxon
    interval          key     percentile, bca, normal or t
    level             key     of the intervals
    missing           key     what a topic means that one run lacks; none of scored trials
    value             double  number of the run over what is compared; NULL where undefined
    baseline_value    double  number of the baseline
    difference        double  run minus baseline
    low               double  lower end of the interval of the difference
    high              double  upper end
    value_low         double  interval of the value, from the same draws; NULL over topics
    value_high        double  upper end
    baseline_low      double  interval of the number of the baseline
    baseline_high     double  upper end
    se                double  standard error of the difference
    statistic         double  t or z
    p                 double  two-sided p
    smallest_p        double  smallest p that the test can have on these units
    correction        text    holm
    p_adjusted        double  p corrected for the family; NULL where a pair of the family is not computed
    family_size       count   p values in the family: all pairs of the condition's runs that are not withdrawn
    n_unit            text    units drawn; "5 x 6" of two sides
    n_topic           count   topics or items compared
    n_cluster         count   clusters of them
    n_differing       count   units on which the two differ
    n_target          count   targets compared
    n_nontarget       count   non-targets compared
    n_only_run        count   trials that only the run gets wrong
    n_only_baseline   count   trials that only the baseline gets wrong
    n_permutation     key     sign patterns drawn where not all are counted; 0 of scored trials
    n_draw            key     resamples drawn; 0 of closed forms
    n_undefined_draw  count   draws that lack a class
    win               count   topics on which the run is better
    tie               count   topics on which they are equal
    loss              count   topics on which the baseline is better
    seed              key     of the draws
    reason            text    why a number is NULL
    note              text    what a reader should know of the units
    signature         text    what was compared and how, with the hash of the row
    preference        count   1: of the settings of a pair, that which is shown: in the family, nearest to the default,
                              with the most draws
edges:    `compare`, `leaderboard`, `report` and `gate` compute the rows that they need. A row goes with the
          computations that it rests on; rows of draws of another version are left out.
class:    external: computed by resampling, stored until a computation is replaced
module:   tdtsql.compare.rows
portable: no, settings that are equally near to the default are ordered by their names
see also: interval, leaderboard
*/
with

paired as (
    select
        run.condition_id, run.profile_id, subset, metric, weighting, run.run_id,
        case
            when baseline.condition_no = run.condition_no then baseline.run_id
            else baseline.condition_id || '/' || baseline.run_id
        end as baseline_id,
        unit, test, interval, level, missing, value, baseline_value, difference, low, high, value_low, value_high,
        baseline_low, baseline_high, se, statistic, p, smallest_p, n_unit, n_topic, n_cluster, n_differing, n_target,
        n_nontarget, n_only_run, n_only_baseline, n_permutation, n_draw, n_undefined_draw, win, tie, loss, seed, reason,
        note,
        'compare:' || metric || '|w:' || weighting || '|condition:' || run.condition_id
        || '|profile:' || run.profile_id || '|subset:' || subset || '|run:' || run.run_id
        || '|baseline:' || baseline.run_id || '|unit:' || unit || '|test:' || test || '|interval:' || interval
        || '|draws:' || cast(n_draw as varchar) || 'v' || cast(draws_version as varchar)
        || '|seed:' || cast(seed as varchar) || '|result:' || sha256 as signature,
        run.computation_no as first_no, baseline.computation_no as second_no,
        case
            when run.condition_no = baseline.condition_no
                and not exists (
                    select 1 from registry.withdrawal where withdrawal.run_no in (run.run_no, baseline.run_no)
                ) then 1
            else 0
        end as is_ranked
    from ledger.result_comparison
    join ledger.current_computation as run using (computation_no)
    join ledger.current_computation as baseline on baseline.computation_no = baseline_computation_no
    where draws_version = 8
),

-- of all pairs of runs that are not withdrawn
board as (
    select condition_id, profile_id, count(*) * (count(*) - 1) as n_turned
    from ledger.current_computation as computed
    where not exists (select 1 from registry.withdrawal where withdrawal.run_no = computed.run_no)
    group by condition_id, profile_id
),

ranked as (
    select
        paired.*,
        case
            when is_ranked = 1 and n_turned = 2 * sum(is_ranked) over setting then count(p) over family
        end as family_size,
        row_number() over (family order by p asc nulls last, first_no, second_no) as family_rank
    from paired join board using (condition_id, profile_id)
    window
        setting as (
            partition by condition_id, profile_id, subset, metric, weighting, unit, test, interval, level, missing,
                n_permutation, n_draw, seed
        ),
        family as (
            partition by condition_id, profile_id, subset, metric, weighting, unit, test, interval, level, missing,
                n_permutation, n_draw, seed, is_ranked
        )
)

select
    condition_id, profile_id, subset, metric, weighting, run_id, baseline_id, unit, test, interval, level, missing,
    value, baseline_value, difference, low, high, value_low, value_high, baseline_low, baseline_high, se, statistic, p,
    smallest_p, 'holm' as correction,
    case
        when p is not null and family_size is not null then max(
            case when p * (family_size + 1 - family_rank) < 1 then p * (family_size + 1 - family_rank) else 1 end
        ) over (
            partition by condition_id, profile_id, subset, metric, weighting, unit, test, interval, level, missing,
                n_permutation, n_draw, seed, is_ranked
            order by family_rank rows between unbounded preceding and current row
        )
    end as p_adjusted,
    family_size, n_unit, n_topic, n_cluster, n_differing, n_target, n_nontarget, n_only_run, n_only_baseline,
    n_permutation, n_draw, n_undefined_draw, win, tie, loss, seed, reason, note, signature,
    row_number() over (
        partition by condition_id, profile_id, subset, metric, weighting, run_id, baseline_id
        order by
            case when family_size is null then 1 else 0 end, abs(level - 9.5e-1), abs(seed - 20040),
            case when test in ('randomisation', 'delong', 'mcnemar') then 0 else 1 end,
            case when unit in ('topic', 'cluster', 'item', 'trial') then 0 else 1 end, n_permutation desc, n_draw desc,
            case when missing in ('common', 'none') then 0 else 1 end,
            case when missing = 'none' and interval = 'bca' then 1 else 0 end, test, interval, unit, missing
    ) as preference
from ranked
