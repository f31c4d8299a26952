"""The DET curve of one run over any subset, made when it is asked for."""

from itertools import count

from tdtsql.engine.duckdb import Engine, Relation
from tdtsql.engine.quoting import quoted
from tdtsql.errors import UnknownName
from tdtsql.metric.catalog import catalog, closure
from tdtsql.scoring.scope import open_scope
from tdtsql.store.registry import check_name, run_numbers


#: a relation is read when it is asked, so each curve has a table of its own
_NUMBER = count(1)

WEIGHTINGS = ("topic", "story")


def det_curve(engine: Engine, run: str, *, weighting: str | None = None, condition: str | None = None, profile: str | None = None, subset: str = "all",
              all_points: bool = False) -> Relation:
    """Return the DET curve of a run over a subset, as a relation in the shape of report.det_point.

    Curves of subset ``all`` with corner points are kept; others are made here.

    Args:
        weighting: `topic` or `story`; None: both, told apart by the column ``weighting``.
        profile: one of the condition's; None: each of them, told apart by ``profile_id``.

    Raises:
        UnknownName: there is no such run, subset or weighting.
    """
    if weighting not in (None, *WEIGHTINGS):
        raise UnknownName(f"weighting '{weighting}' has no DET curve. One of: {', '.join(WEIGHTINGS)}.")
    [run_no, *others] = run_numbers(engine, run, condition)
    if others:
        raise UnknownName(f"run '{run}' is in several conditions. Name one of them.")
    condition_no = engine.value("select condition_no from registry.run where run_no = ?", [run_no])
    subset_no = engine.value("select subset_no from base.subset where condition_no = ? and subset = ?", [condition_no, subset])
    if subset_no is None:
        check_name(engine, "subset", subset)
        raise UnknownName(f"subset '{subset}' is not one of this condition's.")
    profiles = engine.rows(
        "select profile.profile_no, profile.profile_id from registry.condition_profile as wanted join registry.profile as profile "
        "on profile.profile_no = wanted.profile_no where wanted.condition_no = ? and (? is null or profile.profile_id = ?) order by 1",
        [condition_no, profile, profile])
    scope = open_scope(engine, [condition_no], [run_no], [row[0] for row in profiles])
    try:
        scope.replace("base.curve_request", f"select {condition_no} as condition_no, {subset_no} as subset_no, {int(all_points)} as all_points")
        name = "metric.detection_det_curve__v1"
        scope.build(closure(catalog(), [name]))
        table = f"det_curve_{next(_NUMBER)}"
        engine.execute(f"""
            create temp table {table} as
            select {quoted(run)} as run_id, profile.profile_id as profile_id, {quoted(subset)} as subset,
                point.weighting as weighting, point.threshold as threshold, point.p_miss as p_miss, point.p_fa as p_fa,
                point.p_miss_se as p_miss_se, point.p_fa_se as p_fa_se, point.c_det_norm as c_det_norm, point.n_block as n_block,
                point.point_no as point_no
            from {scope.relation(name)} as point join registry.profile as profile on profile.profile_no = point.profile_no""")
    finally:
        scope.close()
    kept = f"where weighting = {quoted(weighting)}" if weighting else ""
    return engine.relation(f"select * from {table} {kept} order by profile_id, weighting, point_no")
