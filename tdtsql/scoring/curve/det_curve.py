"""The DET curve of one run over any subset, its convex hull and its Bayes-error plot, computed on request; thresholds
carried over from one run's curve to another run.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress

from tdtsql.engine.duckdb import Engine, Relation
from tdtsql.engine.quoting import sql_list, sql_literal
from tdtsql.errors import UnknownName
from tdtsql.definitions.catalogue import catalog, closure, read_statement
from tdtsql.scoring.subsets import subset_cells
from tdtsql.store.contents import CARRIED
from tdtsql.store.derived import refresh
from tdtsql.store.ledger import check_contents
from tdtsql.store.recording import note, record
from tdtsql.store.registry import one_run, profiles_of_condition


WEIGHTINGS = ("topic", "story")

MINIMUM = "metric.detection_det_minimum__v1"
#: thresholds carried over from other conditions
FITTED = "derived.carried_threshold"
#: statements of sql/scoring/curve -> the view whose rows they name
VIEWS = {
    "det": "metric.detection_det_curve__v1",
    "hull": "metric.verification_hull__v1",
    "bayes": "metric.verification_bayes_error__v1",
}


def det_curve(
    engine: Engine,
    run: str,
    *,
    weighting: str | None = "topic",
    condition: str | None = None,
    profile: str | None = None,
    subset: str = "all",
    all_points: bool = False,
) -> Relation:
    """Return the DET curve of a run on a subset, as a relation with the columns of report.det_point.

    Curves of subset ``all`` with corner points are stored; others are computed on demand.

    Args:
        weighting: `topic` or `story`; None: both, distinguished by the column ``weighting``.
        profile: one of the condition's; None: each of them, distinguished by ``profile_id``.

    Raises:
        UnknownName: no such run, subset or weighting.
    """
    if weighting not in (None, *WEIGHTINGS):
        raise UnknownName(f"weighting '{weighting}' has no DET curve. One of: {', '.join(WEIGHTINGS)}.")
    table = _made(engine, run, "det", condition, profile, subset, all_points=all_points)
    kept = f"where weighting = {sql_literal(weighting)}" if weighting else ""
    return engine.relation(
        f"select * exclude (condition_no) from {table} {kept} order by profile_id, subset, weighting, point_no"
    )


def with_curves(
    engine: Engine,
    sql: str,
    *,
    condition: str | None = None,
    runs: Sequence[str] = (),
    subsets: Sequence[str] = (),
    largest: int | None = None,
) -> str:
    """Return a query of report.det_point that reads curves of subsets too which are not stored.

    Args:
        condition, runs: only curves of these; none: all.
        subsets: none: every subset but products.
        largest: leave out conditions with more decisions than this.
    """
    wanted, run_nos = dict[int, list[str]](), list[int]()
    for condition_no, of_condition, with_curve, without in engine.rows(
        read_statement("scoring/curve/without"),
        {"condition": condition, "runs": list(runs), "largest": 2**63 - 1 if largest is None else largest},
    ):
        if names := [name for name in subsets or without or [] if name not in with_curve]:
            with suppress(UnknownName):  # this condition has no such subset
                subset_cells(engine, condition_no, names)
                wanted[condition_no] = names
                run_nos += of_condition
    if not wanted:
        return sql
    table = _computed(engine, wanted, run_nos, "det")
    points = f"select point.*, task, condition_id from {table} as point join registry.condition using (condition_no)"
    return re.sub(r"\breport\.det_point\b", f"(from report.det_point union all by name {points})", sql)


def hull(
    engine: Engine,
    run: str,
    *,
    weighting: str = "story",
    condition: str | None = None,
    profile: str | None = None,
    subset: str = "all",
) -> Relation:
    """Return the vertices of the convex hull of a run's DET curve (ROCCH), from reject-all on, as a relation.

    Raises:
        UnknownName: no such run, subset or weighting.
    """
    if weighting not in WEIGHTINGS:
        raise UnknownName(f"weighting '{weighting}' has no DET curve. One of: {', '.join(WEIGHTINGS)}.")
    table = _made(engine, run, "hull", condition, profile, subset)
    # where one block has all trials, its curve is that of story
    return engine.relation(f"""
        select run_id, profile_id, subset, weighting, vertex_no, threshold, p_miss, p_fa from {table}
        where addition = 'none' and weighting = case when {sql_literal(weighting)} in (select weighting
        from {table}) then {sql_literal(weighting)} else 'story' end
        order by profile_id, vertex_no""")


def bayes_error(
    engine: Engine, run: str, *, condition: str | None = None, profile: str | None = None, subset: str = "all"
) -> Relation:
    """Return the Bayes-error plot of a run as a relation: actual, minimum and default error rate over priors.

    Raises:
        UnknownName: no such run or subset.
    """
    table = _made(engine, run, "bayes", condition, profile, subset)
    return engine.relation(f"select * exclude (condition_no) from {table} order by profile_id, log_odds")


def _made(
    engine: Engine,
    run: str,
    kind: str,
    condition: str | None,
    profile: str | None,
    subset: str,
    *,
    all_points: bool = False,
) -> str:
    """Return the name of a temporary table with the points of one run in a subset, under the names of run, profile and
    subset; ``kind``: of `VIEWS`.

    Args:
        profile: one of the condition's; None: each of them, distinguished by ``profile_id``.
    """
    run_no, condition_no, *_ = one_run(engine, run, condition)
    return _computed(engine, {condition_no: [subset]}, [run_no], kind, profile=profile, all_points=all_points)


def _computed(
    engine: Engine,
    wanted: Mapping[int, Sequence[str]],
    run_nos: Sequence[int],
    kind: str,
    *,
    profile: str | None = None,
    all_points: bool = False,
) -> str:
    """Return the name of a temporary table as `_made` does, of several runs; ``wanted``: the subsets of conditions."""
    named, products = list[tuple[int, int, str]](), list[str]()
    for condition_no, subsets in wanted.items():
        numbers, cells = subset_cells(engine, condition_no, subsets)
        named += [(condition_no, number, name) for name, number in numbers.items()]
        products += [cells] if cells else []
    profile_nos = {no for condition_no in wanted for no, _ in profiles_of_condition(engine, condition_no, profile)}
    from tdtsql.scoring.scope import Scope  # not above: who only shows numbers needs no numpy

    with Scope(engine, [*wanted], run_nos, sorted(profile_nos)) as scope:
        condition_nos, subset_nos, subsets = map(list, zip(*named, strict=True))
        of_named = {"condition_no": condition_nos, "subset_no": subset_nos, "subset": subsets}
        scope.insert("named", of_named | {"all_points": int(all_points)})
        if products:
            of = f"where condition_no in ({sql_list(wanted)})"
            cells = " union all ".join(products)
            scope.replace("base.subset_cell", f"select * from base.subset_cell {of} union all {cells}")
            scope.replace("base.subset", scope.statement("curve/subset"))
        scope.replace("base.curve_request", scope.statement("curve/request"))
        scope.build(closure(catalog(), [VIEWS[kind]]))
        return engine.make_temporary(engine.unused_name("det_curve"), scope.statement(f"curve/{kind}"))


def fit_carried_thresholds(engine: Engine, wanted: Collection[tuple[int, int]]) -> None:
    """Fit the thresholds that runs take from the run of their name in another condition, where that is not done yet.

    Args:
        wanted: the (run, profile) that are to be decided.
    """
    missing = engine.rows(read_statement("scoring/uncarried"))
    for run_no, owner in dict.fromkeys((row[0], row[2]) for row in missing if (row[0], row[1]) in wanted):
        with carried_minima(engine, run_no) as minima, engine.transaction():
            refresh(engine, FITTED, [run_no], minima)
            note(engine, owner, CARRIED)
            record(engine)


@contextmanager
def carried_minima(engine: Engine, run_no: int) -> Iterator[dict[str, str]]:
    """Compute the minimum costs that the thresholds of a run are fitted on; yields what `sql/derived` reads them
    from.
    """
    pairs = engine.rows(read_statement("scoring/carried_source"), {"run_no": run_no})
    if not pairs:
        yield {MINIMUM: f"(select * from {MINIMUM} where false)"}
        return
    conditions, runs, profiles = (sorted(set(numbers)) for numbers in zip(*pairs, strict=True))
    check_contents(engine, runs, profiles)
    from tdtsql.scoring.scope import Scope

    with Scope(engine, conditions, runs, profiles) as scope:
        source = f"from ledger.carried_source where run_no = {int(run_no)} and from_run_no is not null"
        of_condition = "select distinct from_condition_no as condition_no"
        scope.replace("base.curve_request", f"{of_condition}, 0 as subset_no, 0 as all_points {source}")
        scope.replace("registry.condition_profile", f"{of_condition}, profile_no {source}")
        scope.build(closure(catalog(), [MINIMUM]))
        yield {MINIMUM: scope.relation(MINIMUM)}
