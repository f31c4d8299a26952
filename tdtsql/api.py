"""The Python API: `tdtsql.connect`, `tdtsql.evaluate`, and the store that they return.

It is above the layers and combines them; no layer below imports it. A method that is the function of a layer has a
signature and a docstring alone, and `_calls` names the function.
"""

# mypy: disable-error-code="empty-body"

import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from functools import wraps
from importlib import import_module
from inspect import isfunction
from inspect import signature as signature_of
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from tdtsql.audit.published import check_published
from tdtsql.compare.settings import Method, metric_ids
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
    check_known,
)
from tdtsql.progress import Progress, counting, shown_progress, silent
from tdtsql.show.table import RowTable, relation_of
from tdtsql.store import changes, registry
from tdtsql.store.copy import blinded
from tdtsql.store.opening import foreign, open_file

if TYPE_CHECKING:
    from tdtsql.definitions.check import OwnMetric
    from matplotlib.figure import Figure

    from tdtsql.audit.signature import Verification
    from tdtsql.errors import Problem
    from tdtsql.store.changes import Changed
    from tdtsql.load.report import Report
    from tdtsql.audit.explain import Explanation
    from tdtsql.gate import Verdicts
    from tdtsql.show.scores import ScoreTable
    from tdtsql.trials.calibrate import Calibration


#: decisions of a run: a path or several, columns by name, or a data frame, an Arrow table or a relation
Decisions = str | Path | Sequence[str | Path] | Mapping[str, Sequence[Any]] | Any

#: rows of a corpus or a condition: a path, columns by name, or a data frame, an Arrow table or a relation
Table = str | Path | Mapping[str, Sequence[Any]] | Any

#: how runs are compared
Test = Literal["randomisation", "bootstrap", "t", "wilcoxon", "delong", "mcnemar"]
Correction = Literal["holm", "bh", "none"]
Interval = Literal["bca", "percentile", "t", "normal"]
Missing = Literal["error", "common", "zero", "worst"]
Weighting = Literal["topic", "story", "group", "weight"]

_Class = TypeVar("_Class", bound=type)
_Method = TypeVar("_Method", bound=Callable[..., Any])
#: annotations of arguments that take one name
_NAME = (str, str | None)


def _public(
    method: Callable[..., Any], function: str = "", *, changes_runs: bool = False, is_published: bool = False
) -> Any:
    """Return a public method of a store: it takes a list of one name wherever it takes a name (several names are a
    wrong call), profiles in any spelling, products of subsets, and shows its progress in a notebook.

    Args:
        function: what a method without a body calls, with the engine of the store and all arguments: a module below
            tdtsql, which is imported at the call, a colon, and a name.
        changes_runs: numbers of runs are computed after that.
        is_published: and before that, and are checked (`Store.publish`).
    """
    declared = signature_of(method)
    names = [name for name, argument in declared.parameters.items() if argument.annotation in _NAME]
    module, _, called = function.partition(":")

    @wraps(method)
    def public(store: "Store", *given: Any, **named: Any) -> Any:
        try:
            bound = declared.bind(store, *given, **named)
        except TypeError as error:
            raise TypeError(f"Store.{method.__name__}(): {error}.") from None
        values = bound.arguments
        values |= {name: only_name(name, values[name]) for name in names if name in values}
        if values.get("subset") is not None:
            values["subset"] = store._requested(values["subset"], values.get("condition"))
        if values.get("profile") is not None:
            found = store._profiles(values["profile"])
            values["profile"] = found[0] if isinstance(values["profile"], str) else found
        with shown_progress(values.get("progress")) as progress:
            if "progress" in declared.parameters:
                values["progress"] = progress
            if not function:
                return method(*bound.args, **bound.kwargs)
            bound.apply_defaults()
            if is_published:
                store.publish(progress)
            result = getattr(import_module(f"tdtsql.{module}"), called)(store.engine, *bound.args[1:], **bound.kwargs)
            if changes_runs:
                store.refresh()
            return result

    return public


def _calls(function: str, **more: bool) -> Callable[[_Method], _Method]:
    """Make a method, which has no body, call a function (see `_public`)."""
    return lambda method: _public(method, function, **more)


def _all_public(store: _Class) -> _Class:
    """Make the other methods of a store public too, but those whose names begin with an underscore."""
    for name, method in vars(store).items():
        if isfunction(method) and not name.startswith("_") and not hasattr(method, "__wrapped__"):
            setattr(store, name, _public(method))
    return store


def _one_of(decisions: Decisions | None, scores: Decisions | None) -> Decisions:
    """Return the argument of a run, given under either name."""
    given = [one for one in (decisions, scores) if one is not None]
    if len(given) != 1:
        raise WrongCall("give a run as decisions=... or as scores=..., one of the two.")
    return given[0]


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
        """Return a query over the embedded engine (everything but the decisions of other engines), as a relation."""
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
        for column, names in given.items():
            for name in names:
                self.check_name(column, name)
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

    def leaderboard(
        self,
        condition: Names = None,
        *,
        profile: Names = None,
        subset: Names = None,
        per_topic: bool = False,
        groups: bool = True,
        intervals: bool = True,
        correction: Correction = "holm",
        unit: str | None = None,
        blind: bool = False,
        permutations: int = 100_000,
        seed: int = 20040,
        progress: Progress = silent,
    ) -> RowTable:
        """Rank the runs of every condition by the primary metric of their task, best first.

        Args:
            condition: only this condition; repeatable.
            profile: only this scoring profile; repeatable.
            subset: only this subset, e.g. all or language=ENGLISH, or a product codec=C01,gender=female; repeatable.
            per_topic: topics x runs instead: the primary metric of each run on each topic.
            groups: significance groups: runs that share a letter do not differ significantly.
            intervals: 95 % bootstrap intervals, of conditions with at least 6 topics.
            permutations: of the randomisation test.

        Returns:
            A relation with ``to_latex()`` and ``to_markdown()``.

        Raises:
            UnknownName: no such condition, profile or subset, or no run under it has an up-to-date number.
        """
        from tdtsql.show.leaderboard import by_topic, leaderboard

        self.publish(progress, listed(condition))
        with blinded(self.engine) if blind else nullcontext(self.engine) as engine:
            where: dict[str, Any] = {
                "conditions": listed(condition),
                "profiles": listed(profile),
                "subsets": listed(subset),
            }
            if per_topic:
                return by_topic(engine, **where)
            method = Method(correction=correction, n_permutation=permutations, seed=seed, unit=unit)
            return leaderboard(engine, **where, method=method, groups=groups, intervals=intervals, progress=progress)

    @_calls("audit.explain:explain")
    def explain(
        self,
        run: str,
        metric: str,
        topic: str | None = None,
        *,
        condition: str | None = None,
        profile: str | None = None,
        subset: str = "all",
        source_dir: str | Path | None = None,
    ) -> "Explanation":
        """Explain METRIC of RUN (of topic BLOCK): the views that compute it, with their values, down to the input
        files; for a topic, to their lines.

        Args:
            condition: the condition, where the run is in several.
            profile: the scoring profile; the condition's first without it.
            subset: a subset, e.g. codec=C01.
            source_dir: the bundle's folder, for the lines of the run's files; without it the current folder, the
                store's, and where it was loaded from.

        Raises:
            UnknownName: no such run, metric, topic, subset or profile; or the run is in several conditions.
        """

    @_calls("scoring.curve.det_curve:det_curve")
    def det_curve(
        self,
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

    @_calls("scoring.curve.det_curve:hull")
    def hull(
        self,
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

    @_calls("scoring.curve.det_curve:bayes_error")
    def bayes_error(
        self, run: str, *, condition: str | None = None, profile: str | None = None, subset: str = "all"
    ) -> Relation:
        """Return the Bayes-error plot of a run as a relation: actual, minimum and default error rate over priors.

        Raises:
            UnknownName: no such run or subset.
        """

    def score_distributions(self, run: Names = None, progress: Progress = silent) -> Relation:
        """Return report.score_distribution as a relation; fits missing distributions first.

        Raises:
            UnknownName: no such run.
        """
        self.refresh(progress)
        runs = listed(run)
        for name in runs:
            self.check_name("run_id", name)
        if not self.engine.read_only:
            from tdtsql.scoring.distribution import store_missing_distributions

            numbers = [number for name in runs for number in registry.run_numbers(self.engine, name)]
            store_missing_distributions(self.engine, numbers or None)
        where = f"and run_id in ({', '.join(map(sql_literal, runs))})" if runs else ""
        return self.relation(
            f"select * exclude (null_reason) from report.score_distribution where null_reason is null {where} "
            "order by condition_id, run_id, profile_id, block_id nulls first, prior"
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

        for column, names in (("condition_id", [condition]), ("run_id", runs)):
            for name in names:
                self.check_name(column, name)
        numbers = None
        if runs or condition is not None:
            numbers = self.engine.column(
                "select run_no from registry.run join registry.condition using (condition_no) where condition_id = "
                "coalesce($condition, condition_id) and (list_contains($runs, run_id) or len($runs) = 0)",
                {"condition": condition, "runs": list(runs)},
            )
        return refresh(self.engine, progress, numbers)

    def publish(self, progress: Progress = silent, conditions: Sequence[str] = ()) -> None:
        """Compute stale numbers, as `refresh`, and refuse scores that were changed since they were computed.

        Args:
            conditions: those that are published; none: all.

        Raises:
            ChangedContent: stored scores do not have the hash that the ledger recorded.
        """

        self.refresh(progress)
        check_published(self.engine, conditions)

    @_calls("store.registry:check_name")
    def check_name(self, column: str, value: str | None) -> None:
        """Raise UnknownName unless ``value`` is None or an existing value of ``column``."""

    # ---- comparisons

    def compare(
        self,
        *runs: str | Sequence[str],
        metric: str | None = None,
        subset: str = "all",
        profile: str | None = None,
        condition: str | None = None,
        baseline: Names = None,
        all_pairs: bool = False,
        per_topic: bool = False,
        test: Test | None = None,
        correction: Correction = "holm",
        interval: Interval | None = None,
        unit: str | None = None,
        no_cluster: bool = False,
        level: float = 0.95,
        permutations: int = 100_000,
        resamples: int | None = None,
        seed: int = 20040,
        missing: Missing = "error",
        by: str | None = None,
        weighting: Weighting | None = None,
        progress: Progress = silent,
    ) -> RowTable:
        """Compare runs topic by topic (item by item, or by cluster), or on the same scored trials: difference with
        interval, win/tie/loss, p values.

        A run is named RUN, or CONDITION/RUN where several conditions have it. The unit is the topic (randomisation
        test, BCa interval, 10,000 resamples by default). Runs of scored trials are compared on their trials; a test
        over topics, requested by name, compares blocks. In LaTeX and markdown the caption names the test; csv, tsv and
        json have every column: `mean` is over the compared topics, `score` is the printed number of the run (over
        `n_score`), `smallest_p` the smallest corrected p that was possible; a NULL has a `reason`.

        Args:
            all_pairs: every run with every other.
            per_topic: the topics of RUN_B against RUN_A instead, largest difference first.
            by: an attribute: a row for each of its values, one family of corrections, and whether the values differ.
            weighting: of the means that are compared (default: the usual one).

        Returns:
            A row per run and baseline: a relation with ``to_latex()`` and ``to_markdown()``.

        Raises:
            UnknownName: no such run, profile or metric.
            MissingTopics: a run lacks a topic and ``missing`` is "error".
            InvalidComparison: the runs cannot be compared like this.
        """
        from tdtsql.compare.settings import choose, withdrawn
        from tdtsql.compare.words import compare_runs
        from tdtsql.show.comparison import comparison, topic_table

        requested = Method.of_call(
            no_cluster=no_cluster,
            unit=unit,
            test=test,
            interval=interval,
            resamples=resamples,
            permutations=permutations,
            correction=correction,
            level=level,
            seed=seed,
            missing=missing,
        )
        names, baselines = listed(*runs), listed(baseline)
        if all_pairs and per_topic:
            raise WrongCall("choose one of --all-pairs and --per-topic.")
        if per_topic and (len(names) != 2 or baselines):
            raise WrongCall("--per-topic needs exactly two runs.")
        self.refresh(progress)
        setting = choose(
            self.engine,
            [*names, *baselines],
            metric=metric,
            subset=subset,
            profile=profile,
            condition=condition,
            is_by_topic=requested.is_by_topic or per_topic,
            by=by,
            weighting=weighting,
        )
        check_published(self.engine, [setting.condition])
        if per_topic:
            return topic_table(self.engine, setting, names, missing)
        compared = compare_runs(
            self.engine,
            setting,
            baselines=baselines,
            every_pair=all_pairs,
            method=requested,
            step=counting(progress, requested.n_permutation + requested.n_draw, "comparing"),
        )
        return comparison(self.engine, compared, withdrawn(self.engine, [*names, *baselines], [setting.condition]))

    @_calls("show.comparison:rank_table")
    def ranks(
        self,
        *runs: str | Sequence[str],
        metric: str | None = None,
        subset: str = "all",
        profile: str | None = None,
        condition: str | None = None,
        missing: Missing = "error",
        resamples: int = 10_000,
        level: float = 0.95,
        seed: int = 20040,
        progress: Progress = silent,
    ) -> RowTable:
        """Print how stable the ranking of RUN... (default: all runs) is under other samples of topics.

        Args:
            resamples: how many are drawn.

        Raises:
            UnknownName: no such run, profile, condition or metric.
            MissingTopics: a run lacks a topic and ``missing`` is "error".
        """

    @_calls("show.subsets:subset_table")
    def subset_table(
        self,
        *runs: str | Sequence[str],
        condition: str | None = None,
        profile: str | None = None,
        metric: str = "eer",
        by: str | None = None,
        unit: str = "trial",
        level: float = 0.95,
        resamples: int | None = None,
        seed: int = 20040,
        progress: Progress = silent,
    ) -> RowTable:
        """Print a metric of scored trials of RUN... (default: all runs) in every subset, with bootstrap intervals.

        Trials, or whole clusters of trials, are resampled with replacement, with the same draws for all runs and
        subsets. The ends are percentiles. In LaTeX and markdown it is a table of subsets x runs.

        Args:
            condition: the condition; optional where only one has a key of trials.
            profile: the scoring profile (default: the condition's first).
            metric: one of eer, auc, cllr, min_cllr, costs (c_det, min_c_det, act_c_det, each also with _norm) and error
                rates (p_miss, p_fa, act_p_miss, act_p_fa).
            by: only the subsets of this attribute of the key, as attack or codec; attack,codec: both, crossed.
            unit: resampling unit: trial, block, enrolled (the first id of trials with two), or an attribute of the key,
                as speaker: its trials together.
            resamples: how many are drawn (default: 1,000; of two attributes 0: without intervals).

        Raises:
            UnknownName: no such run, condition, profile, attribute or unit.
            InvalidComparison: the metric has no resampled interval; several conditions have a key; too many trials.
        """

    @_calls("show.figure:det_plot")
    def det_plot(
        self,
        *run: str | Sequence[str],
        output: str | Path | None = None,
        condition: str | None = None,
        profile: str | None = None,
        weighting: Literal["topic", "story"] | None = None,
        subset: Names = "all",
        by: str | None = None,
        hull: bool = False,
        points: bool = True,
    ) -> "Figure | Any":
        """Draw the DET curves of RUN... (default: all runs) as SVG or PDF, bitwise reproducible; needs the extra
        `plot`.

        Args:
            output: File to write.
            condition: The condition whose curves are drawn.
            profile: The scoring profile (default: the condition's first).
            weighting: Mean over topics (default), or pooled over stories (default of scored trials).
            subset: A subset, e.g. language=ENGLISH (default: all); repeatable, one curve for each.
            by: A curve for each value of an attribute of the key, as codec.
            hull: The convex hull of each curve too, dotted.
            points: Mark the minimum cost (triangle) and the system's own decisions (disc).

        Returns:
            The figure, where no file is named: ``figure.savefig`` writes SVG, PDF or PNG. Condition and profile may be
            omitted if only one has curves of all these runs.

        Raises:
            InvalidComparison: no such curve, or several conditions or profiles have one.
        """

    @_calls("show.figure:bayes_error_plot")
    def bayes_error_plot(
        self, *runs: str | Sequence[str], condition: str | None = None, profile: str | None = None, subset: str = "all"
    ) -> "Figure":
        """Return the Bayes-error plot of runs as a matplotlib figure: actual, minimum and default error rate over
        priors; needs the extra ``plot``.

        Raises:
            InvalidComparison: no run is given, or none has a curve.
        """

    @_calls("show.figure:score_histogram")
    def score_histogram(
        self, run: str, *, by: str | None = None, condition: str | None = None, bins: int = 40
    ) -> "Figure":
        """Return a histogram of the scores of a run on a key of trials, by class and attribute value, as a matplotlib
        figure; needs the extra ``plot``.

        The counts are those of the saved query ``score_histogram`` (``store.ask("score_histogram", run=...,
        attribute=...)``).

        Args:
            by: an attribute of the key, as ``attack``; None: classes only.
            condition: may be omitted if the run has one condition with a key of trials.

        Raises:
            UnknownName: no such run, condition or attribute.
            InvalidComparison: no such scores, or several conditions have them.
        """

    def __repr__(self) -> str:
        n_run, n_condition = self.engine.rows(
            "select (select count(*) from registry.run), (select count(*) from registry.condition)"
        )[0]
        return f"<tdtsql.Store {self.path}: {counted(n_run, 'run')} under {counted(n_condition, 'condition')}>"

    def _repr_html_(self) -> str:
        """Return the contents of the store as HTML for a notebook."""
        return self.conditions()._repr_html_()

    @_calls("show.report:write_report", is_published=True)
    def report(
        self,
        path: str | Path,
        *,
        title: str | None = None,
        run: Names = None,
        resamples: int | None = None,
        permutations: int = 100_000,
        seed: int = 20040,
        blind: bool = False,
        each: bool = False,
        sections: Names = None,
        progress: Progress = silent,
    ) -> int:
        """Write the HTML report to ``path``; return its size in bytes.

        Args:
            run: a report for one team: its runs, the others under pseudonyms.
            resamples: of the intervals of leaderboards; 0: none; None: 10,000 of topics, 1,000 of scored trials, and
                none where trials times runs exceed 500,000.
            permutations, seed: of the comparisons.
            blind: show pseudonyms of runs, without teams.
            each: a report for each run into the folder ``path``; return their number.
            sections: folders with further saved queries, whose header says ``pages: report N``.

        Raises:
            InvalidComparison: nothing to report, or the folder does not exist.
            UnknownName: no such run.
        """

    @_calls("gate:gate")
    def gate(
        self,
        run: str,
        baseline: str | Path,
        *,
        fail_if: Names,
        alpha: float = 0.05,
        baseline_id: str | None = None,
        markdown: str | Path | None = None,
        json: str | Path | None = None,
        junit: str | Path | None = None,
        condition: Names = None,
        profile: Names = None,
        subset: Names = None,
        missing: Missing = "common",
        test: Test | None = None,
        correction: Correction = "holm",
        interval: Interval | None = None,
        unit: str | None = None,
        no_cluster: bool = False,
        level: float = 0.95,
        permutations: int = 100_000,
        resamples: int | None = None,
        seed: int = 20040,
        weighting: Weighting | None = None,
        progress: Progress = silent,
    ) -> "Verdicts":
        """Fail where run NEW is significantly worse than BASELINE by more than a rule allows.

        BASELINE is a run, an archive (.zip), or another store (.duckdb). Exit codes: 0 nothing failed
        (undecided rules are listed on stderr), 1 a rule is broken, 2 a wrong call, such as an invalid rule. P values
        are corrected over all conditions, profiles and subsets that are compared.

        Args:
            fail_if: fail where NEW is worse than BASELINE by more than a rule allows, and significantly; repeatable.
                For example 'c_det_norm > +0.02', 'c_det_norm > +5%', 'f1[language=ENGLISH] < -0.01' ([*]: every
                subset; [language=*]: every value).
            alpha: corrected p values below this are significant.
            baseline_id: the baseline's name in its file, where it is not that of NEW.
            markdown: write the verdicts as markdown.
            json: write the verdicts as JSON.
            junit: write the verdicts as JUnit XML.
            condition: only these conditions; repeatable.
            profile: only these scoring profiles; repeatable.
            subset: for example language=ENGLISH (default all); repeatable.
            weighting: of the means that are compared (default: the usual one).

        Returns:
            A relation with one row per check, and ``failed``.

        Raises:
            InvalidRule: a rule is not valid.
            UnknownName: no such run, condition, profile, subset or metric.
            InvalidComparison: the runs cannot be compared like this.
        """

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
        for run in runs:
            self.check_name("run_id", run)
        relation = metric.relation
        own = {
            "profile_no": ("profile_id", "join registry.profile using (profile_no)"),
            "block_no": ("block_id", "join base.block using (condition_no, block_no)"),
        }
        used = [number for number in own if number in relation.header.grain]
        names = "".join(f", {own[number][0]}" for number in used)
        chosen = f" and run_id in ({', '.join(map(sql_literal, runs))})" if runs else ""
        found = self.relation(
            f"select run_id, condition_id{names}, made.* exclude ({', '.join(['run_no', *used])}) from "
            f"(\n{relation.body}\n) as made join registry.run using (run_no) "
            "join registry.condition using (condition_no) "
            f"{' '.join(own[number][1] for number in used)} "
            f"where task in ({', '.join(map(sql_literal, metric.relation.header.tasks))}){chosen} order by all"
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

    def add_run(
        self,
        run_id: str | None = None,
        *,
        condition: str,
        decisions: Decisions | None = None,
        scores: Decisions | None = None,
        format: str | None = None,
        meta: str | Path | None = None,
        **options: object,
    ) -> "list[Problem]":
        """Add or replace one run and compute its numbers. Returns the accepted warnings, and for each replaced run one
        more (W714), which describes the old run.

        ``decisions`` is a data frame, an Arrow table, a relation, a mapping of columns to lists, or a path; its columns
        are those of the tidy forms. Use ``scores`` for data with scores and no decisions. Without ``run_id`` the files
        give the name: a tag, a column run_id or the system in the header. ``meta`` is a file with the provenance (TOML,
        or the YAML of ir_metadata). ``options`` are those of ``[[run]]`` of a bundle for scored trials: score_column,
        unknown_trials, missing_scores, repeated_scores, higher_is_target, id_suffix.

        Raises:
            UnknownName: no such condition.
            InvalidInput: the decisions have errors; nothing was stored.
        """
        from tdtsql.load.from_python import add_run

        added = add_run(self.engine, run_id, condition, _one_of(decisions, scores), format, meta=meta, options=options)
        self.refresh(condition=condition)
        return added.reported

    def add_corpus(
        self,
        corpus_id: str,
        *,
        stories: Table | None = None,
        topics: Table | None = None,
        judgments: Table | None = None,
        judgments_2: Table | None = None,
        **settings: object,
    ) -> "list[Problem]":
        """Add or replace a corpus, without a bundle. Returns the accepted warnings, and W714 if it was replaced.

        Args:
            stories: story_id, position [, source_file, source, language, kind, ...], as data frame, Arrow table,
                relation, mapping of columns, or path.
            topics: topic_id [, title, languages, is_complete].
            judgments: topic_id, story_id, label (yes, brief or no).
            judgments_2: a second set of judgments.
            settings: the other keys of ``[corpus]`` in a bundle, by the same names.

        Raises:
            InvalidInput: the tables have errors, or existing data depend on other stories; nothing was stored.
        """
        from tdtsql.load.from_python import add_corpus

        return add_corpus(
            self.engine,
            corpus_id,
            {"stories": stories, "topics": topics, "judgments": judgments, "judgments_2": judgments_2, **settings},
        )

    def add_condition(
        self,
        condition_id: str,
        *,
        corpus: str,
        task: str,
        profile: str | Sequence[str] | None = None,
        **settings: object,
    ) -> "list[Problem]":
        """Add or replace an evaluation condition of a corpus, without a bundle. Returns the accepted warnings, and W714
        if it was replaced.

        Args:
            task: tracking, new_event, link, ...
            profile: scoring profiles; None: that of the task.
            settings: the other keys of ``[[condition]]`` in a bundle, by the same names; ``trials``, ``training``,
                ``gold`` and ``key`` are tables like those of `add_corpus`.

        Raises:
            UnknownName: no such corpus.
            InvalidInput: the tables or settings have errors; nothing was stored.
        """
        from tdtsql.load.from_python import add_condition

        wanted = [profile] if isinstance(profile, str) else None if profile is None else list(profile)
        return add_condition(
            self.engine, condition_id, self.corpus_number(corpus), corpus, {"task": task, "profile": wanted, **settings}
        )

    @_calls("trials.calibrate:calibrate", changes_runs=True)
    def calibrate(
        self,
        run: str,
        *,
        fit_on: str,
        to: str,
        into: str | None = None,
        name: str | None = None,
        prior: float = 0.5,
        allow_same: bool = False,
    ) -> "Calibration":
        """Add a run of calibrated scores of RUN, scale * score + offset, fitted by logistic regression, and score it.

        The scores are natural logarithms of likelihood ratios. Scale and offset minimise the cross entropy at a prior
        of targets (prior-weighted logistic regression). Task verification only. The inputs of the run are stored with
        it (`tdtsql run show`) and in the ledger.

        Args:
            fit_on: the condition on whose trials scale and offset are fitted.
            to: the condition whose scores are calibrated.
            into: the condition, over the same trials, that the new run answers; without it that of --to.
            name: the new run's name; without it the old one with -calibrated.
            prior: effective prior of targets at which it is fitted, p_target c_miss / (p_target c_miss + (1 -
                p_target) c_fa) of the application's costs.
            allow_same: fit on the trials that are calibrated (optimistic; else refused).

        Raises:
            UnknownName: no such run or condition.
            InvalidCalibration: no fit is optimal (one class, no overlap, an infinite score at the wrong end), or the
                trials differ.
        """

    def check_run(
        self,
        run_id: str | None = None,
        *,
        condition: str,
        decisions: Decisions | None = None,
        scores: Decisions | None = None,
        format: str | None = None,
        **options: object,
    ) -> "list[Problem]":
        """Read a run as add_run would and return its warnings; stores nothing."""
        from tdtsql.load.from_python import add_run

        given = _one_of(decisions, scores)
        return add_run(self.engine, run_id, condition, given, format, keep=False, options=options).warnings

    @_calls("store.changes:drop_corpus")
    def drop_corpus(self, corpus_id: str, *, condition: str | None = None, yes: bool = False) -> "Changed":
        """Remove CORPUS, its conditions and their runs; of several conditions only with --condition or --yes.

        Args:
            condition: only this condition, with its runs.
            yes: with all of its conditions.

        Returns:
            What was removed, per condition: condition_id, n_run.

        Raises:
            UnknownName: no such corpus, or no such condition of it.
            AmbiguousName: it has several conditions. Name one, or pass ``yes``.
        """

    def corpus_number(self, corpus_id: str) -> int:
        """Return the number of a corpus; UnknownName for an unknown name."""
        numbers: dict[str, int] = dict(
            self.engine.rows("select corpus_id, corpus_no from registry.corpus order by corpus_id")
        )
        check_known("corpus", corpus_id, numbers)
        return numbers[corpus_id]

    @_calls("store.changes:drop_run")
    def drop_run(self, run_id: Names, condition: str | None = None, *, yes: bool = False) -> "Changed":
        """Remove RUN and its numbers; a run of several conditions only with --condition or --yes.

        Args:
            condition: only from this condition.
            yes: from all conditions that have it.

        Returns:
            What was removed: condition_id, run_id, n_row.

        Raises:
            UnknownName: no such run or condition.
            AmbiguousName: the run is in several conditions. Name one, or pass ``yes`` to remove it from all.
        """

    @_calls("store.changes:rename_run", changes_runs=True)
    def rename_run(self, old: str, new: str, *, condition: str | None = None) -> "Changed":
        """Rename run OLD to NEW, and score it again: signatures name the run.

        Args:
            condition: only in this condition.

        Raises:
            UnknownName: no such run or condition.
            WrongCall: another run has the new name.
        """

    @_calls("store.changes:withdraw_run")
    def withdraw_run(self, run_id: Names, *, reason: str, condition: str | None = None) -> "Changed":
        """Withdraw RUN: its numbers stay, and it has no rank.

        Args:
            reason: why; shown with the run.
            condition: only in this condition.

        Raises:
            UnknownName: no such run or condition.
            WrongCall: the reason is missing.
        """

    def label_run(
        self, run_id: Names, *, team: str | None = None, alias: str | None = None, condition: str | None = None
    ) -> "Changed":
        """Set the team of RUN, and the name that leaderboards show for it.

        Args:
            team: who submitted it; an empty text removes it.
            alias: the name that leaderboards show; an empty text removes it.
            condition: only in this condition.

        Raises:
            UnknownName: no such run or condition.
            WrongCall: neither is given, or one is not printable.
        """
        labels = {name: text for name, text in (("team", team), ("alias", alias)) if text is not None}
        return changes.label_run(self.engine, run_id, labels, condition)

    @_calls("store.changes:restore_run")
    def restore_run(self, run_id: Names, *, condition: str | None = None) -> "Changed":
        """Rank RUN again, which was withdrawn.

        Args:
            condition: only in this condition.

        Raises:
            UnknownName: no such run, or it is not withdrawn.
        """

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

    return signatures.signature(
        store.engine, run, metric, condition=condition, profile=profile, subset=subset, weighting=weighting
    )


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
