/*
title:       Cost by language
question:    What is the cost of a run in each language or source, or by training language?
about:       runs
inputs:      report.score, registry.condition, base.subset
parameters:
    run        run        none      one run; none: all
    condition  condition  none      one condition; none: all
    profile    profile    none      one scoring profile; none: all
    kind       text       language  what to part by: language, source, crossing, topics or set
    weighting  weighting  topic     topic: mean over topics; story: all stories together
grain:       condition_id, profile_id, run_id, subset
columns:
    condition_id  key           evaluation condition
    profile_id    key           scoring profile
    run_id        key           run
    subset        key           language=ENGLISH, source=NYT, ...
    p_miss        ratio [0, 1]  miss probability
    p_fa          ratio [0, 1]  false-alarm probability
    c_det_norm    cost          normalised cost
    whole         cost          normalised cost over everything
    n             count         topics in the mean, or trials
order:       Conditions, profiles and runs by name, the dearest language first.
see also:    leaderboard, undefined_topics, report.score
*/
with

part as (
    select
        score.condition_id, profile_id, run_id, subset, kind,
        max(case when metric = 'p_miss' then value end) as p_miss,
        max(case when metric = 'p_fa' then value end) as p_fa,
        max(case when metric = 'c_det_norm' then value end) as c_det_norm,
        max(case when metric = 'c_det_norm' then n end) as n
    from report.score
    join registry.condition using (condition_id)
    join base.subset using (condition_no, subset)
    where kind in ($kind, 'all')
        and weighting = $weighting
        and metric in ('p_miss', 'p_fa', 'c_det_norm')
        and run_id = coalesce($run, run_id)
        and condition_id = coalesce($condition, condition_id)
        and profile_id = coalesce($profile, profile_id)
    group by score.condition_id, profile_id, run_id, subset, kind
)

select
    condition_id, profile_id, run_id, part.subset, part.p_miss, part.p_fa, part.c_det_norm,
    everything.c_det_norm as whole,
    part.n
from part
join part as everything using (condition_id, profile_id, run_id)
where part.kind = $kind
    and everything.kind = 'all'
order by condition_id, profile_id, run_id, part.c_det_norm desc nulls last, part.subset
