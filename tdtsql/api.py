"""The Python API: `tdtsql.connect`, `tdtsql.evaluate`, and the store that they return.

It is above the layers and combines them; no layer below imports it. A method that is the function of a layer is named
here alone (`_Function`).
"""

import warnings
from collections.abc import Callable, Sequence
from functools import wraps
from inspect import Parameter, isfunction
from inspect import signature as signature_of
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar

from tdtsql.compare.settings import metric_ids
from tdtsql.store.stored_results import check_stored_results
from tdtsql.engine.duckdb import Engine, Relation, neighbours, no_store, undamaged
from tdtsql.engine.quoting import sql_literal
from tdtsql.errors import (
    Names,
    NotAStore,
    OtherDefinitions,
    StoreLocked,
    TdtsqlError,
    WrongCall,
    counted,
    listed,
    only_name,
)
from tdtsql.progress import Progress, shown_progress, silent
from tdtsql.show.table import RowTable, relation_of
from tdtsql.store import registry
from tdtsql.store.opening import foreign, open_file


class _Module(str):
    """The name of a module that is imported when a function of it is first used; an attribute is the path of one."""

    def __getattr__(self, name: str) -> str:
        return f"{self}:{name}"


if TYPE_CHECKING:
    from tdtsql import gate
    from tdtsql.audit import explain
    from tdtsql.load import from_python
    from tdtsql.scoring.curve import det_curve as curves
    from tdtsql.show import comparison, figure, leaderboard, report, subsets
    from tdtsql.store import changes
    from tdtsql.trials import calibrate
    from tdtsql.definitions.check import OwnMetric
    from tdtsql.audit.signature import Verification
    from tdtsql.load.report import Report
    from tdtsql.show.scores import ScoreTable
else:
    explain = _Module("tdtsql.audit.explain")
    gate = _Module("tdtsql.gate")
    from_python = _Module("tdtsql.load.from_python")
    curves = _Module("tdtsql.scoring.curve.det_curve")
    comparison = _Module("tdtsql.show.comparison")
    figure = _Module("tdtsql.show.figure")
    leaderboard = _Module("tdtsql.show.leaderboard")
    report = _Module("tdtsql.show.report")
    subsets = _Module("tdtsql.show.subsets")
    changes = _Module("tdtsql.store.changes")
    calibrate = _Module("tdtsql.trials.calibrate")


_Class = TypeVar("_Class", bound=type)
_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")
#: annotations of arguments that take one name
_NAME = (str, str | None)


def _public(method: Callable[..., Any], name: str, *, of_engine: bool = False, changes_runs: bool = False) -> Any:
    """Return a public method of a store: it takes a list of one name wherever it takes a name (several names are a
    wrong call), profiles in any spelling, products of subsets, and shows its progress in a notebook.

    Args:
        of_engine: the method is a function of a layer, which takes the store's engine first.
        changes_runs: numbers of runs are computed after that.
    """
    own = signature_of(method)
    _, *rest = own.parameters.values()
    declared = own.replace(parameters=[Parameter("self", Parameter.POSITIONAL_OR_KEYWORD), *rest])
    names = [argument.name for argument in rest if argument.annotation in _NAME]

    @wraps(method)
    def public(store: "Store", *given: Any, **named: Any) -> Any:
        try:
            bound = declared.bind(store, *given, **named)
        except TypeError as error:
            raise TypeError(f"Store.{name}(): {error}.") from None
        values = bound.arguments
        values |= {name: only_name(name, values[name]) for name in names if name in values}
        if values.get("subset") is not None:
            values["subset"] = store._requested(values["subset"], values.get("condition"))
        if values.get("profile") is not None:
            found = store._profiles(values["profile"])
            values["profile"] = found[0] if isinstance(values["profile"], str) else found
        if of_engine:
            values["self"] = store.engine
        with shown_progress(values.get("progress")) as progress:
            if "progress" in declared.parameters:
                values["progress"] = progress
            result = method(*bound.args, **bound.kwargs)
            if changes_runs:
                store.refresh()
            return result

    vars(public).update(__name__=name, __signature__=declared)
    return public


class _Function(Generic[_Given, _Result]):
    """A method that is a function of a layer, which is imported when the method is first used."""

    def __init__(self, function: Callable[Concatenate[Engine, _Given], _Result], *, changes_runs: bool = False):
        """``function``: its path, an attribute of a `_Module`."""
        self.path, self.changes_runs = function, changes_runs

    def __set_name__(self, store: type, name: str) -> None:
        self.name = name

    def __get__(self, store: "Store | None", kind: type) -> Callable[_Given, _Result]:
        function = resolve_name(str(self.path))
        setattr(kind, self.name, _public(function, self.name, of_engine=True, changes_runs=self.changes_runs))
        return getattr(store or kind, self.name)


def _all_public(store: _Class) -> _Class:
    """Make the other methods of a store public too, but those whose names begin with an underscore."""
    for name, method in vars(store).copy().items():
        if isfunction(method) and not name.startswith("_"):
            setattr(store, name, _public(method, name))
    return store


@_all_public
class Store:
    """An open store. Results are relations of the engine: ``.df() .pl() .arrow() .fetchall()``."""

    def __init__(self, engine: Engine):
        self.engine = engine

    @property
    def path(self) -> str:
        return self.engine.path

    # ---- queries

    def sql(self, query: str) -> Relation:
        """Return the result of any query over the store, as a relation; in the SQL of the engine of the store."""
        from tdtsql.engine.sandbox import typed_relation

        return typed_relation(self.engine, query)

    def ask(self, question: str, **parameters: object) -> Relation:
        """Return the result of a saved query of the cookbook, as a relation; all numbers are up to date.

        Args:
            question: name of the saved query, as ``worst_topics``; ``tdtsql ask`` lists them.
            parameters: by name, as ``run="osprey"``; missing ones, or None, have their defaults.

        Raises:
            UnknownName: no such saved query, parameter, run, condition, ...
            InvalidQuery: a parameter is missing, or its value not of its type.
        """
        from tdtsql.show.section import ask, find

        found = find(question)
        found.values(parameters)
        for name in ("subset", "subsets"):
            if parameters.get(name) is not None:
                parameters[name] = self._requested(parameters[name], parameters.get("condition"))
        self.refresh()
        return ask(self.engine, found, parameters)

    def relation(self, query: str) -> Relation:
        """Return the result of a query over the store, which nothing limits, as a relation."""
        return self.engine.relation(query)

    def score(
        self,
        run: Names = None,
        *,
        metric: Names = None,
        subset: Names = None,
        profile: Names = None,
        condition: Names = None,
        weighting: Names = None,
        per_topic: bool = False,
        progress: Progress = silent,
    ) -> "ScoreTable":
        """Return rows of report.score, all up to date, as a relation with ``pivot()``, ``to_latex()`` and
        ``to_markdown()``; a table in a notebook.

        Args:
            run, metric, subset, profile, condition, weighting: filter by one name or several; None: no filter. A subset
                may be a product of others, ``codec=C01,gender=female``, which is computed on demand. A metric may have
                its usual name, as ``minDCF``.
            per_topic: rows of report.block_score instead, one per topic.

        Raises:
            UnknownName: no such run, metric, subset, profile or condition.
        """
        from tdtsql.definitions.catalogue import read_statement
        from tdtsql.show.scores import ScoreTable
        from tdtsql.store.sets import broken_metrics
        from tdtsql.scoring.score import score_requested

        given = {
            "run_id": listed(run),
            "metric": metric_ids(self.engine, metric),
            "subset": listed(subset),
            "profile_id": listed(profile),
            "condition_id": listed(condition),
            "weighting": [] if per_topic else listed(weighting),
        }
        only = given["condition_id"][0] if len(given["condition_id"]) == 1 else None
        self.refresh(progress, runs=given["run_id"], condition=only)
        registry.check_names(self.engine, **given)
        if given["metric"]:  # metrics that a task computes only on request
            runs = [number for name in given["run_id"] for number in registry.run_numbers(self.engine, name, only)]
            score_requested(self.engine, given["metric"], runs or None, progress)
        filters = " and ".join(
            f"{column} in ({', '.join(map(sql_literal, names))})" for column, names in given.items() if names
        )
        if broken := broken_metrics(self.engine):
            filters = f"{filters or 'true'} and metric not in ({', '.join(map(sql_literal, broken))})"
        source, last = "report.score", "weighting"
        if per_topic:
            source, last = f"({read_statement('explain/block_scores')})", "block_id"
        query = (
            f"select * from {source} where {filters or 'true'} order by condition_id, run_id, profile_id, subset, "
            f"metric, {last}"
        )
        return ScoreTable(self.engine, query, given, per_topic=per_topic)

    def _requested(self, subset: Any, condition: Any) -> Any:
        """Return names of subsets as the store has them; a product of others in any order, ``gender=f,codec=C01``, is
        made and scored where it was not yet, unless the store is read-only.
        """
        from tdtsql.scoring.subsets import make_product

        names, conditions = listed(subset), listed(condition)
        if not any("," in name for name in names):
            return subset
        only = conditions[0] if len(conditions) == 1 else None
        made = [make_product(self.engine, name, only) for name in names]
        if not self.engine.read_only:
            self.refresh(condition=only)
        return made[0] if isinstance(subset, str) else made

    def metric_id(self, name: str) -> str:
        """Return the id of a metric from its usual name, as min_c_det_norm for minDCF."""
        return metric_ids(self.engine, name)[0]

    def _profiles(self, names: Names) -> list[str]:
        from tdtsql.task import nearest

        if not listed(names):
            return []
        known = self.engine.column("select profile_id from registry.profile")
        return [nearest(name, known) for name in listed(names)]

    def runs(self, condition: Names = None) -> RowTable:
        """List the runs of the store: condition, task, system, format, rows, accepted warnings, and the withdrawal.

        Args:
            condition: only this condition; repeatable.

        Raises:
            UnknownName: no such condition.
        """
        from tdtsql.show.section import ask, find

        found = ask(self.engine, find("run_list"), {"conditions": listed(condition) or None})
        return RowTable(found, caption=f"Runs of {self.path}.")

    def conditions(self) -> RowTable:
        """List the conditions with task, corpus, profiles, primary metric and runs."""
        from tdtsql.show.section import ask, find

        found, keep = ask(self.engine, find("condition_list"), {}), ("condition_id", "task", "profiles", "n_run")
        return RowTable(found, caption=f"Conditions of {self.path}.", keep=keep)

    leaderboard = _Function(leaderboard.leaderboard)

    explain = _Function(explain.explain)

    det_curve = _Function(curves.det_curve)

    hull = _Function(curves.hull)

    bayes_error = _Function(curves.bayes_error)

    def score_distributions(self, run: Names = None, progress: Progress = silent) -> Relation:
        """Return report.score_distribution as a relation; fits missing distributions first.

        Raises:
            UnknownName: no such run.
        """
        self.refresh(progress)
        runs = listed(run)
        registry.check_names(self.engine, run_id=runs)
        if not self.engine.read_only:
            from tdtsql.scoring.distribution import store_missing_distributions

            numbers = [number for name in runs for number in registry.run_numbers(self.engine, name)]
            store_missing_distributions(self.engine, numbers or None)
        return self.engine.relation(
            "select * exclude (null_reason) from report.score_distribution where null_reason is null "
            "and (len($runs) = 0 or list_contains($runs, run_id)) "
            "order by condition_id, run_id, profile_id, block_id nulls first, prior",
            {"runs": runs},
        )

    def lineage(self, name: str, column: str | None = None) -> Relation:
        """Return the lineage of a metric, or a column of a view, down to columns of ``staging`` and files.

        Raises:
            UnknownName: no such metric, view or column.
        """
        from tdtsql.store.lineage import COLUMNS, down_to_files

        steps = sorted(down_to_files(self.engine, name, column))
        names = ["column_name" if column == "column" else column for column in COLUMNS]
        return relation_of(
            self.engine,
            [dict(zip(names, step, strict=True)) for step in steps],
            dict.fromkeys(names, "varchar") | {"depth": "bigint"},
        )

    def refresh(self, progress: Progress = silent, *, runs: Sequence[str] = (), condition: str | None = None) -> int:
        """Compute stale numbers, of some runs or one condition if given; returns the number of computed runs (per
        profile).

        Raises:
            UnknownName: no such run or condition.
        """
        from tdtsql.scoring.score import refresh

        registry.check_names(self.engine, condition_id=condition, run_id=runs)
        numbers = None
        if runs or condition is not None:
            numbers = self.engine.column(
                "select run_no from registry.run join registry.condition using (condition_no) where condition_id = "
                "coalesce($condition, condition_id) and (list_contains($runs, run_id) or len($runs) = 0)",
                {"condition": condition, "runs": list(runs)},
            )
        return refresh(self.engine, progress, numbers)

    # ---- comparisons

    compare = _Function(comparison.compare)

    ranks = _Function(comparison.rank_table)

    subset_table = _Function(subsets.subset_table)

    det_plot = _Function(figure.det_plot)

    plot = _Function(figure.plot)

    def __repr__(self) -> str:
        n_run, n_condition = self.engine.rows(
            "select (select count(*) from registry.run), (select count(*) from registry.condition)"
        )[0]
        return f"<tdtsql.Store {self.path}: {counted(n_run, 'run')} under {counted(n_condition, 'condition')}>"

    def _repr_html_(self) -> str:
        """Return the contents of the store as HTML for a notebook."""
        return self.conditions()._repr_html_()

    report = _Function(report.write_report)

    gate = _Function(gate.gate)

    # ---- loading

    def evaluate(self, bundle: str | Path, *, progress: Progress = silent) -> "Report":
        """Load everything that a bundle lists and compute every number; see load.bundle.evaluate_into."""
        from tdtsql.load.bundle import evaluate_into

        return evaluate_into(self.engine, Path(bundle), progress=progress)

    def add_metric(self, *metrics: str | Path, name: str | None = None) -> list[str]:
        """Add user-defined metrics, all or none, and return the ids of those that are new or changed.

        Args:
            metrics: paths of SQL files NAME__vN.sql, or, with ``name``, the text of one.
            name: with a text: ``balanced_accuracy__v1``.

        Raises:
            InvalidInput: at least one has a defect; the message lists all with their locations.
        """
        from tdtsql.store.define import add_own, read_files

        files = read_files(metrics) if name is None else [(f"{name}.sql", name, str(metrics[0]))]
        with self.engine.change():
            made = add_own(self.engine, files)
            registry.refresh_current_inputs(self.engine)
        self.refresh()
        return made

    def try_metric(self, metric: "OwnMetric", runs: Sequence[str] = ()) -> tuple[list[str], list[tuple[Any, ...]]]:
        """Return columns and rows that a checked metric gives for some runs (default: all), without storing it."""
        registry.check_names(self.engine, run_id=runs)
        relation = metric.relation
        own = {
            "profile_no": ("profile_id", "join registry.profile using (profile_no)"),
            "block_no": ("block_id", "join base.block using (condition_no, block_no)"),
        }
        used = [number for number in own if number in relation.header.grain]
        names = "".join(f", {own[number][0]}" for number in used)
        found = self.engine.relation(
            f"select run_id, condition_id{names}, made.* exclude ({', '.join(['run_no', *used])}) from "
            f"(\n{relation.body}\n) as made join registry.run using (run_no) "
            "join registry.condition using (condition_no) "
            f"{' '.join(own[number][1] for number in used)} "
            "where list_contains($tasks, task) and (len($runs) = 0 or list_contains($runs, run_id)) order by all",
            {"tasks": list(relation.header.tasks), "runs": list(runs)},
        )
        return found.columns, found.fetchall()

    def drop_metric(self, metric: str) -> None:
        """Remove a user-defined metric (``own:NAME``) with all its versions; its entries stay in the ledger.

        Raises:
            UnknownName: no such metric.
            InvalidSetting: another metric reads it.
        """
        from tdtsql.store.define import drop_own

        with self.engine.change():
            drop_own(self.engine, metric)
            registry.refresh_current_inputs(self.engine)
        self.refresh()

    add_run = _Function(from_python.add_run, changes_runs=True)
    check_run = _Function(from_python.check_run)
    add_corpus = _Function(from_python.add_corpus, changes_runs=True)
    add_condition = _Function(from_python.add_condition, changes_runs=True)
    calibrate = _Function(calibrate.calibrate, changes_runs=True)

    drop_corpus = _Function(changes.drop_corpus)

    drop_run = _Function(changes.drop_run)

    rename_run = _Function(changes.rename_run, changes_runs=True)

    withdraw_run = _Function(changes.withdraw_run)

    label_run = _Function(changes.label_run)
    restore_run = _Function(changes.restore_run)

    def close(self) -> None:
        self.engine.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def connect(
    address: object = "tdtsql.duckdb",
    *,
    create: bool | None = None,
    read_only: bool = False,
    trace: bool = False,
    inspect: bool = False,
    by: str | None = None,
) -> Store:
    """Open a store.

    Args:
        address: a file; ``:memory:``, a temporary store.
        create: True creates a missing file, False refuses it; None creates it with a warning that lists the other
            stores of its folder, because the path may be mistyped.
        read_only: change nothing.
        trace: print every statement on stderr.
        by: author of changes for the ledger; user and host are always recorded.
        inspect: also open a file whose stored results break their contracts.

    Raises:
        StoreLocked: another process has it open.
        NotAStore: the file does not exist (``create=False``), is not a database, or was not created by tdtsql.
        BrokenDefinition: tables or views differ from their recorded definitions.
        BrokenContract: stored results are out of range, or duplicates.
        EngineUnavailable: the installed DuckDB is too old.
    """
    if address is None or isinstance(address, int | float | bytes) or address == "":
        raise WrongCall(f"{address!r} is not a store: expected a path or ':memory:'.")
    is_new = str(address) == ":memory:" or not Path(str(address)).exists()
    is_file = is_new and str(address) != ":memory:"
    if is_file and create is False:
        raise no_store(str(address))
    beside = neighbours(Path(str(address))) if is_file and create is None else []
    with undamaged(str(address)):
        engine = open_file(str(address), read_only=read_only, trace=trace)
    if is_file and create is None:
        others = f"; stores in its folder: {', '.join(beside)}" if beside else ""
        warnings.warn(
            f"{address}: created a new store{others}. Pass create=True to create one without this warning, or "
            f"create=False to refuse a path that does not exist.",
            stacklevel=2,
        )
    engine.by = by
    try:
        if not (is_new or inspect):
            with undamaged(str(address)):
                check_stored_results(engine)
        for message in foreign(engine) if engine.read_only else ():
            warnings.warn(message, OtherDefinitions, stacklevel=2)
    except BaseException:
        engine.close()
        raise
    return Store(engine)


def connect_current(address: object, *, trace: bool = False) -> Store:
    """Open a store for reading numbers: writable, so that missing ones can be computed, if possible, or else
    read-only.

    A file on a read-only medium, or one that another program reads, cannot be written to; that is accepted if
    every number is up to date.

    Raises:
        StoreLocked: another process has it open for writing, or numbers are missing.
        NotAStore: as ``connect``; or a number is missing and the file is not writable.
    """
    try:
        return connect(address, trace=trace)
    except (StoreLocked, NotAStore) as error:
        if not Path(str(address)).is_file():
            raise
        try:
            store = connect(address, read_only=True, trace=trace)
        except TdtsqlError:
            raise error from None
        from tdtsql.scoring.hierarchy import stale_hierarchies
        from tdtsql.scoring.score import stale_runs

        n_stale = len(stale_runs(store.engine)) + len(stale_hierarchies(store.engine))
        if n_stale:
            store.close()
            raise type(error)(
                f"{error} {n_stale} of its runs have no numbers that are up to date, and these would have to be "
                f"written."
            ) from None
        return store


def evaluate(bundle: str | Path, db: str | Path = ":memory:", *, progress: Progress = silent) -> Store:
    """Load a bundle into a store (by default a new one in memory), compute its numbers, and return the store."""
    store = connect(db, create=True)
    try:
        store.evaluate(bundle, progress=progress)
    except BaseException:
        store.close()
        raise
    return store


def signature(
    store: Store,
    run: str,
    metric: str,
    *,
    condition: str | None = None,
    profile: str | None = None,
    subset: str = "all",
    weighting: str | None = None,
) -> str:
    """Return the long signature of one number.

    Raises:
        InvalidSignature: no such number, or several; pass the arguments that distinguish them.
    """
    from tdtsql.audit import signature as signatures

    wanted = {"run_id": run, "metric": metric, "condition_id": condition, "profile_id": profile, "subset": subset}
    return signatures.signature(store.engine, {**wanted, "weighting": weighting})


def verify(text: str, store: Store | str | Path = "tdtsql.duckdb") -> "Verification":
    """Recompute the number or comparison of a signature, and report which part differs.

    Raises:
        InvalidSignature: the signature is invalid, or the store has no such number.
        UnknownName, InvalidComparison: the store does not have the compared runs.
    """
    from tdtsql.audit import signature as signatures

    if not isinstance(store, Store):
        with connect(store, read_only=True) as opened:
            return verify(text, opened)
    return signatures.verify(text, store.engine)
