/*
title:       DET curves
question:    Which miss and false-alarm probabilities can each run reach, and where does it decide?
about:       curves
inputs:      report.det_point, report.score, registry.profile, registry.task
parameters:
    run        run        none  one run; none: all
    condition  condition  none  one condition; none: all
    profile    profile    none  one scoring profile; none: all
    weighting  weighting  none  topic or story; none: both
    subset     subset     none  one subset; none: all that have stored curves (a report: all but products)
grain:       condition_id, profile_id, weighting, subset, series, mark, point_no
columns:
    condition_id  key    evaluation condition
    profile_id    key    scoring profile
    weighting     key    topic: mean over topics; story: all trials together
    subset        key    all, or what the curve is conditioned on
    series        key    the run; cost X: points of equal normalised cost
    mark          key    line, band (standard errors over topics), hull, minimum, actual or cost
    point_no      key    order along the curve
    p_fa          ratio  false-alarm probability
    p_miss        ratio  miss probability; of a band its lower end
    until         ratio  upper end of a band
    threshold     score  lowest accepted score
order:       Conditions, profiles, weightings and subsets by name; curves before the points on them.
show:        xy x=p_fa y=p_miss series=series mark=mark until=until by=weighting,subset scale=probit
    x_title=false-alarm_probability,_% y_title=miss_probability,_%
needs:       curve
pages:       report 20 condition 20 run 20 compare 20
edges:       Points that a screen cannot tell apart are left out. Bands, for up to four runs: as many standard
             errors as the profile says. Disc: the run's decisions, or those at the Bayes threshold. Triangle:
             minimum cost. Dotted, in the colour of a run: convex hull of scored trials. Grey: equal normalised cost.
             Subsets other than all: in the primary weighting, of scored trials in both. A subset without a curve here,
             such as a product, has one on request: tdtsql plot det RUN --subset SUBSET, or this query with the subset.
see also:    equal_error, report.det_point
*/
with

point as (
    select
        condition_id, profile_id, weighting, subset, run_id, decides_on, point_no, p_fa, p_miss, threshold,
        p_miss_se * band_z as half,
        1000 * round(30 * ln((p_fa + 1e-6) / (1 - p_fa + 1e-6)))
        + round(30 * ln((p_miss + 1e-6) / (1 - p_miss + 1e-6))) as cell
    from report.det_point
    join registry.profile using (profile_id)
    join registry.task using (task)
    where block_id is null
        and p_fa is not null
        and p_miss is not null
        and run_id = coalesce($run, run_id)
        and condition_id = coalesce($condition, condition_id)
        and profile_id = coalesce($profile, profile_id)
        and weighting = coalesce($weighting, weighting)
        and subset = coalesce($subset, subset)
        and (subset in ('all', $subset) or decides_on = 'trial' or weighting = primary_weighting)
),

-- the first and the last point of each that look alike: corners stay corners
kept as (
    select
        * exclude (cell),
        lead(p_fa) over (partition by condition_id, profile_id, weighting, subset, run_id order by point_no) as next_fa
    from (
        select * from point
        window curve as (partition by condition_id, profile_id, weighting, subset, run_id order by point_no)
        qualify cell is distinct from lag(cell) over curve
            or cell is distinct from lead(cell) over curve
    )
),

size as (
    select condition_id, profile_id, weighting, subset, count(distinct run_id) as n_run
    from point
    group by all
),

-- most points are above the line of their neighbours: pairs of the others are far fewer
convex as (
    select condition_id, profile_id, weighting, subset, run_id, point_no, p_fa, p_miss
    from kept
    where decides_on = 'trial'
    window curve as (partition by condition_id, profile_id, weighting, subset, run_id order by point_no)
    qualify coalesce(
        case
            when lag(p_fa) over curve < p_fa then (p_miss - lag(p_miss) over curve) / (p_fa - lag(p_fa) over curve)
        end,
        -1e300
    ) <= coalesce(
        case
            when lead(p_fa) over curve > p_fa then (lead(p_miss) over curve - p_miss) / (lead(p_fa) over curve - p_fa)
            when lead(p_miss) over curve < p_miss then -1e301
        end,
        0
    )
),

-- a point is on the hull where no line from the left to the right runs below it
vertex as (
    select
        here.condition_id, here.profile_id, here.weighting, here.subset, here.run_id, here.point_no, here.p_fa,
        here.p_miss
    from convex as here
    left join convex as other
        on other.condition_id = here.condition_id
            and other.profile_id = here.profile_id
            and other.weighting = here.weighting
            and other.subset = here.subset
            and other.run_id = here.run_id
            and other.point_no <> here.point_no
    group by all
    having coalesce(max(case
        when other.point_no < here.point_no and other.p_fa < here.p_fa
            then (here.p_miss - other.p_miss) / (here.p_fa - other.p_fa)
    end), -1e300) <= coalesce(min(case
        when other.point_no > here.point_no
            then case
                when other.p_fa > here.p_fa then (other.p_miss - here.p_miss) / (other.p_fa - here.p_fa)
                when other.p_miss < here.p_miss then -1e301
            end
    end), 0)
),

-- a straight line is bent on these axes
chord as (
    select
        *,
        lead(p_fa) over side as to_fa,
        lead(p_miss) over side as to_miss
    from vertex
    window side as (partition by condition_id, profile_id, weighting, subset, run_id order by point_no)
),

decided as (
    select
        condition_id, profile_id, weighting, subset, run_id,
        case when starts_with(metric, 'min_') then 'minimum' else 'actual' end as mark,
        max(case when metric in ('p_fa', 'min_p_fa') then value end) as own_fa,
        max(case when metric in ('p_miss', 'min_p_miss') then value end) as own_miss,
        max(case when metric = 'act_p_fa' then value end) as bayes_fa,
        max(case when metric = 'act_p_miss' then value end) as bayes_miss
    from report.score
    join size using (condition_id, profile_id, weighting, subset)
    where metric in ('p_fa', 'p_miss', 'min_p_fa', 'min_p_miss', 'act_p_fa', 'act_p_miss')
        and run_id = coalesce($run, run_id)
    group by all
),

cost as (
    select
        condition_id, profile_id, weighting, subset, level, place,
        1 / (1 + exp(-place / 4)) as p_fa,
        (level * least(c_miss * p_target, c_fa * (1 - p_target)) - c_fa * (1 - p_target) / (1 + exp(-place / 4)))
        / (c_miss * p_target) as p_miss
    from size
    join registry.profile using (profile_id)
    cross join (values (2e-2), (5e-2), (1e-1), (2e-1), (5e-1), (1e0)) as line(level)
    cross join (select unnest(range(-46, 12)) as place)
    where p_target > 0
        and c_miss > 0
        and c_fa > 0
),

drawn as (
    select
        condition_id, profile_id, weighting, subset, run_id as series, 'line' as mark, 2 as layer, point_no, p_fa,
        p_miss, null as until, threshold
    from kept
    union all
    select
        condition_id, profile_id, weighting, subset, run_id, 'band', 1, point_no, p_fa, greatest(p_miss - half, 0),
        least(p_miss + half, 1), threshold
    from kept
    join size using (condition_id, profile_id, weighting, subset)
    where half > 0
        and n_run <= 4
    union all
    select
        condition_id, profile_id, weighting, subset, run_id, 'hull', 3, 100 * point_no + step,
        p_fa + (to_fa - p_fa) * step / 12, p_miss + (to_miss - p_miss) * step / 12, null, null
    from chord
    cross join (select unnest(range(0, 12)) as step)
    where to_fa is not null
    union all
    select
        condition_id, profile_id, weighting, subset, run_id, mark, 4, 0, coalesce(own_fa, bayes_fa),
        coalesce(own_miss, bayes_miss), null, null
    from decided
    where coalesce(own_fa, bayes_fa) is not null
        and coalesce(own_miss, bayes_miss) is not null
    union all
    select
        condition_id, profile_id, weighting, subset, printf('cost %g', level), 'cost', 0, place, p_fa, p_miss, null,
        null
    from cost
    where p_miss between 1e-4 and 0.99
)

select condition_id, profile_id, weighting, subset, series, mark, point_no, p_fa, p_miss, until, threshold
from drawn
order by condition_id, profile_id, weighting desc, subset <> 'all', subset, layer, mark, series, point_no
