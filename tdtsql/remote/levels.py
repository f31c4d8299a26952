"""The rows of `metric.detection_det_level__v1` as Spark finds them without sorting decisions.

The view sorts the decisions of every slice that holds a target. Here target scores, which are few, come to this machine
and are cut into
slices of their own, so many that hardly any holds more than one; each decision looks its slice up in a table that every
worker gets.
"""

from tdtsql.engine.spark import FEW
from tdtsql.remote.local_copy import LocalCopy
from tdtsql.scoring.scope import RemoteScope

LEVEL = "metric.detection_det_level__v1"
_DECISION, _CELL, _BLOCK = "base.scored_decision__v1", "base.curve_cell__v1", "metric.detection_curve_block__v1"

#: target scores of one slice that are compared with a decision's one by one
_IN_SLICE = 4
#: slices for each target score to begin with, and at most of all curves together
_SLICES_A_TARGET, _MOST_SLICES = 4, 2_000_000


def levels(engine: LocalCopy, scope: RemoteScope) -> str:
    """Return a SELECT in Spark's SQL of the rows of LEVEL; empty where target scores are too many, or lie too close
    beside others far away.
    """
    scope.replace(
        "level.member",
        f"""
        select block.curve_no as curve_no, block.run_no as run_no, block.profile_no as profile_no,
            block.block_no as block_no,
            cell.segment_no as segment_no, block.is_free as is_free, block.all_points as all_points
        from {scope.relation(_BLOCK)} as block
            join {scope.relation(_CELL)} as cell using (condition_no, profile_no, subset_no, block_no)""",
    )
    tried = f"""{scope.there(_DECISION)} as decision join {scope.there("level.member")} as member
        on member.run_no = decision.run_no and member.profile_no = decision.profile_no
            and member.block_no = decision.block_no
        and member.segment_no = decision.segment_no"""
    engine.remote.fetch(
        engine,
        "level_target",
        f"select distinct member.curve_no as curve_no, decision.score as score from {tried} where decision.is_target "
        f"= 1 limit {FEW + 1}",
    )
    numbers = range(1, _IN_SLICE + 1)
    is_cut = _cut(engine)
    if is_cut:
        scope.replace("level.span", "select * from level_span")
        scope.replace(
            "level.slice",
            f"""
            select curve_no, slice_no,
                max(targets[-1]) over (partition by curve_no
                order by slice_no rows between unbounded preceding and 1 preceding) as level_below,
                {", ".join(f"targets[{number}] as target_{number}" for number in numbers)}
            from (select curve_no, cast(unnest(range(n_slice + 1)) as integer) as slice_no from level_span)
            left join (select curve_no, slice_no, list(score order by score) as targets from level_placed
            group by all) using (curve_no, slice_no)""",
        )
    engine.execute("".join(f"drop table if exists level_{name};" for name in ("target", "span", "placed")))
    if not is_cut:
        return ""
    compared = " ".join(f"when score >= target_{number} then target_{number}" for number in reversed(numbers))
    return f"""
        select curve_no, block_no, trial_no, is_free, is_target, score, coalesce(own_level, 0e0D) as level,
            case when own_level is null then 1 else 0 end as is_below
        from (
            select curve_no, block_no, trial_no, is_free, is_target, score,
                case when all_points = 1 then score {compared} else level_below end as own_level
            from (
            select /*+ broadcast(slice) */ tried.curve_no, block_no, trial_no, is_free, is_target, score, all_points,
                level_below, {", ".join(f"target_{number}" for number in numbers)}
            from (
                select member.curve_no, member.block_no, decision.trial_no, member.is_free, member.all_points,
                    decision.is_target, decision.score,
                    case when decision.score < span.lowest then -1 when decision.score >= span.highest then span.n_slice
                        else cast(floor((decision.score - span.lowest) / nullif(span.highest - span.lowest,
                            0) * span.n_slice) as int) end as slice_no
                from {tried} left join {scope.there("level.span")} as span on span.curve_no = member.curve_no
            ) as tried
            left join {scope.there("level.slice")} as slice on slice.curve_no = tried.curve_no
                and slice.slice_no = tried.slice_no
        ))"""


def _cut(engine: LocalCopy) -> bool:
    """Make the tables level_span, of the slices of each curve, and level_placed, of the slice of each target score;
    False where they cannot be cut finely enough.
    """
    [(n_target, n_curve)] = engine.rows("select count(*), count(distinct curve_no) from level_target")
    if n_target > FEW:
        return False
    factor = _SLICES_A_TARGET
    while factor * n_target + n_curve <= _MOST_SLICES:
        engine.execute(f"""
            create or replace temp table level_span as
            select curve_no, min(score) as lowest, max(score) as highest,
                cast({factor} * count(*) as integer) as n_slice
            from level_target group by curve_no;
            create or replace temp table level_placed as
            select curve_no, score,
                case when score >= highest then n_slice
                    else cast(floor((score - lowest) / (highest - lowest) * n_slice) as integer) end as slice_no
            from level_target join level_span using (curve_no)""")
        if (
            engine.value("select max(n) from (select count(*) as n from level_placed group by curve_no, slice_no)") or 0
        ) <= _IN_SLICE:
            return True
        factor *= 4
    return False
