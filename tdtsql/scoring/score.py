"""Compute stale numbers from ``base`` and store them in the ledger, one batch of runs at a time."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_list, sql_literal
from tdtsql.progress import Progress, silent
from tdtsql.definitions.catalogue import (
    catalog,
    closure,
    computed,
    CURVES,
    published,
    read_statement,
    Relation,
    requested,
)
from tdtsql.definitions.table import tables
from tdtsql.store.ledger import check_contents
from tdtsql.store.recording import append, computation_entries, next_computation, result_fingerprints
from tdtsql.scoring.curve.det_curve import fit_carried_thresholds
from tdtsql.scoring.kernels import WORKS
from tdtsql.scoring.pairing import SEARCH
from tdtsql.scoring.hierarchy import refresh_stale_hierarchies
from tdtsql.store.sets import missing_package, newest_own
from tdtsql.store.registry import delete_results
from tdtsql.scoring.scope import Scope
from tdtsql.version import __version__
from tdtsql.task import TASKS, WEIGHTING

#: the mean of the numbers of blocks, computed as by exact_mean
_MEAN = (
    "case when count({value}) = 1 then max({value}) when count({value}) > 1 then "
    "cast(sum(cast(floor({value} * 1e15 + 5e-1) as decimal(38, 0))) as double) / 1e15 / count({value}) end"
)

#: why a number is left out that takes long, as it is stored -> the view that measures the work
LARGE = dict(zip(("too many pairs", "too many terms", "search"), (*WORKS, SEARCH), strict=True))
#: view of whether each run has decisions under a profile
RULE = "base.decision_rule__v1"
#: prefixes of the metrics that may be left out
_OF_LARGE = ("b3_ext_", "ami", "expected_mi", "ceaf_", "conll_")


def stale_runs(engine: Engine, run_nos: Sequence[int] | None = None) -> list[tuple[int, int, int, str]]:
    """Return (condition, run, profile, task) of every run whose stored numbers are stale."""
    rows = engine.rows(read_statement("scoring/stale"), {"runs": run_nos})
    return [row for row in rows if missing_package(row[3]) is None]


def refresh(engine: Engine, progress: Progress = silent, run_nos: Sequence[int] | None = None) -> int:
    """Compute the stale numbers of some runs (all by default) where the store can be written; returns the number of
    computed (run, profile).
    """
    return 0 if engine.read_only else score_stale(engine, run_nos, progress)


def score_stale(engine: Engine, run_nos: Sequence[int] | None = None, progress: Progress = silent) -> int:
    """Compute and store stale numbers; returns the number of computed (run, profile)."""
    refresh_stale_hierarchies(engine)
    stale = stale_runs(engine, run_nos)
    if not stale:
        return 0
    fit_carried_thresholds(engine, {(run_no, profile_no) for _, run_no, profile_no, _ in stale})
    batches = batches_of(engine, stale)
    for done, batch in enumerate(batches):
        progress(done, len(batches), f"scoring {batch.task}")
        _score(engine, batch)
    return len(stale)


@dataclass(slots=True)
class Batch:
    """Runs of one task that are computed in one pass."""

    task: str
    n_row: int = 0
    condition_nos: set[int] = field(default_factory=set)
    pairs: list[tuple[int, int]] = field(default_factory=list)  #: (run, profile)

    @property
    def run_nos(self) -> list[int]:
        return sorted({run_no for run_no, _ in self.pairs})

    @property
    def profile_nos(self) -> list[int]:
        return sorted({profile_no for _, profile_no in self.pairs})

    def scope(self, engine: Engine) -> Scope:
        """Return a scope in which the numbers of the runs can be computed, with their dependencies, until it is
        closed.
        """
        run_nos, condition_nos = self.run_nos, sorted(self.condition_nos)
        if TASKS[self.task].is_scored_together:
            run_nos = engine.column(
                f"select run_no from registry.run where condition_no in ({sql_list(condition_nos)}) order by run_no"
            )
        return Scope(engine, condition_nos, run_nos, self.profile_nos)


def batches_of(engine: Engine, rows: Sequence[tuple[int, int, int, str]]) -> list[Batch]:
    """Return the batches that cover rows of (condition, run, profile, task): small runs together, because the cost of a
    pass depends little on their rows.
    """
    tasks = list(dict.fromkeys(task for *_, task in rows))
    wanted: dict[tuple[int, int, int], list[int]] = {}
    for condition_no, run_no, profile_no, task in rows:
        wanted.setdefault((tasks.index(task), condition_no, run_no), []).append(profile_no)
    n_row = dict(engine.rows(read_statement("scoring/run_size")))
    batches: list[Batch] = []
    for (task_no, condition_no, run_no), profiles in sorted(wanted.items()):
        task = tasks[task_no]
        batch = batches[-1] if batches and batches[-1].task == task else None
        together = batch is not None and TASKS[task].is_scored_together and condition_no in batch.condition_nos
        if batch is None or not (together or batch.n_row + n_row[run_no] <= engine.batch_rows):
            batch = Batch(task)
            batches.append(batch)
        batch.n_row += n_row[run_no]
        batch.condition_nos.add(condition_no)
        batch.pairs += [(run_no, profile_no) for profile_no in profiles]
    return batches


def missing(engine: Engine, metrics: Collection[str], run_nos: Sequence[int] | None = None) -> list[tuple]:
    """Return (condition, run, profile, task, their names: run, condition, profile, metric, reason) of the numbers among
    ``metrics`` that are computed on request only and are not stored: left out because they are much work (the reason),
    or of a family that a task has on request.
    """
    on_request = _on_request()
    wanted = [name for name in metrics if name.startswith(_OF_LARGE) or name in {metric for _, metric in on_request}]
    if not wanted:
        return []
    given = {"large": list(LARGE), "on_request": on_request, "wanted": wanted, "runs": run_nos}
    return engine.rows(read_statement("scoring/missing"), given)


def _on_request() -> list[list[str]]:
    """Return [task, metric] of the numbers that a task has only on request."""
    return [
        [task, metric.metric] for task in TASKS for relation in requested(task) for metric in relation.header.metrics
    ]


def score_requested(
    engine: Engine, metrics: Collection[str], run_nos: Sequence[int] | None = None, progress: Progress = silent
) -> None:
    """Compute those numbers among ``metrics`` that are computed only on request, and are missing.

    They are stored with all others of the run, until one of their inputs changes.
    """
    rows = [] if engine.read_only else missing(engine, metrics, run_nos)
    wanted = {(row[1], row[2], row[-1]) for row in rows}
    batches = batches_of(engine, list(dict.fromkeys(row[:4] for row in rows)))
    for done, batch in enumerate(batches):
        progress(done, len(batches), f"scoring {batch.task}")
        _score(engine, batch, requests(engine, batch.pairs, wanted), progress)


class Requests(NamedTuple):
    """What is computed on request."""

    #: view of the work of a number that may take long -> the (run, profile) for which it is computed regardless
    regardless: Mapping[str, Sequence[tuple[int, int]]] = {}
    #: the (run, profile) with the families that their task has on request
    families: Sequence[tuple[int, int]] = ()


NOTHING = Requests()


def requests(engine: Engine, pairs: Sequence[tuple[int, int]], also: Collection[tuple] = ()) -> Requests:
    """Return what was requested of these (run, profile), by their stored numbers: none is left out because it takes
    long, some are of a family on request.

    Args:
        also: (run, profile, reason for which it is left out, None of a family) of what is requested now.
    """
    given = {"large": list(LARGE), "on_request": _on_request(), "runs": [run_no for run_no, _ in pairs]}
    there = set(engine.rows(read_statement("scoring/requested"), given))
    left_out, with_family = there.difference(also), there.union(also)
    return Requests(
        {view: [pair for pair in pairs if (*pair, reason) not in left_out] for reason, view in LARGE.items()},
        [pair for pair in pairs if (*pair, None) in with_family],
    )


def _score(engine: Engine, batch: Batch, requested_now: Requests = NOTHING, progress: Progress = silent) -> None:
    check_contents(engine, batch.run_nos, batch.profile_nos)
    first = next_computation(engine)
    numbers = range(first, first + len(batch.pairs))
    with computed_scope(engine, batch, numbers, requested_now, progress) as scope, engine.transaction():
        delete_results(engine, "(run_no, profile_no) in (select run_no, profile_no from keeping)")
        insert_results(engine, scope, batch.task, requested_now)
        engine.execute(
            f"insert into ledger.computation {read_statement('scoring/computation')}",
            {"tdtsql": __version__, "duckdb": engine.version},
        )
        results = result_fingerprints(engine, numbers)
        engine.execute(
            "update ledger.computation set n_value = kept.n_value, result_sha256 = kept.sha256 from (select unnest($1) "
            "as number, unnest($2) as n_value, unnest($3) as sha256) as kept where computation_no = kept.number",
            [list(results), *map(list, zip(*results.values(), strict=True))],
        )
        entries = computation_entries(engine, numbers)
        append(engine, *(entries[number] for number in numbers))


@contextmanager
def computed_scope(
    engine: Engine, batch: Batch, numbers: Iterable[int], requested_now: Requests, progress: Progress = silent
) -> Iterator[Scope]:
    """Compute the views of a batch, and yield their scope, in which each is read once; the table ``keeping`` has the
    numbers of the computations of each (run, profile).
    """
    names = computed(batch.task, asked=bool(requested_now.families))
    with batch.scope(engine) as scope:
        scope.regardless, scope.progress = requested_now.regardless, progress
        own = closure(scope.relations, newest_own(engine, batch.task))
        known = {*names, *(name for name in own if not name.startswith("ledger."))}
        scope.build([name for name in scope.relations if name in known], read_once=True)
        run_nos, profile_nos = zip(*batch.pairs, strict=True)
        columns = {"computation_no": list(numbers), "run_no": list(run_nos), "profile_no": list(profile_nos)}
        engine.insert_temporary("keeping", columns)
        yield scope
        engine.execute("drop table keeping")


def insert_results(
    engine: Engine, scope: Scope, task: str, requested_now: Requests, into: str = "ledger.result"
) -> None:
    """Store what the views of a task publish, of the (run, profile) in ``keeping``: numbers and names in the tables
    ``into``_score, _block and _label, points of curves in _det_point, pairings in _pairing.
    """
    rule = scope.relation(RULE) if RULE in scope.names else None
    statements: list[str] = []
    for relation in published(task, asked=False):
        statements += insert_statements(relation, scope.relation(relation.name), into, rule=rule)
    means = engine.rows("select relation, metric from registry.published where grain = 'score'")
    for relation in newest_own(engine, task).values():
        of_runs = [metric for view, metric in means if view == relation.name]
        statements += insert_statements(relation, scope.relation(relation.name), into, means=of_runs)
    if requested_now.families:
        pairs = ", ".join(map(str, requested_now.families))
        keeping = f"(select * from keeping where (run_no, profile_no) in ({pairs}))"
        for relation in requested(task):
            statements += insert_statements(relation, scope.relation(relation.name), into, keeping=keeping)
    for name, kind, rest in (
        (CURVES[0], "det_point", "0 as block_no"),
        (CURVES[1], "det_point", "'none' as weighting, 1 as n_block"),
        (SEARCH, "pairing", ""),
    ):
        if name in scope.names:
            there = [column.name for column in scope.relations[name].header.columns]
            columns = [column for column in tables()[f"ledger.result_{kind}"].columns if column in there]
            statements.append(
                f"insert into {into}_{kind} by name select computation_no, {', '.join(columns)}, {rest} "
                f"from {scope.relation(name)} join keeping using (run_no, profile_no) order by all"
            )
    engine.execute_all(statements)


def insert_statements(
    relation: Relation,
    source: str,
    into: str = "ledger.result",
    *,
    keeping: str = "keeping",
    rule: str | None = None,
    means: Collection[str] = (),
) -> list[str]:
    """Return the inserts that store the published columns of a view for the rows of ``keeping``, in the tables
    ``into``_score, _block and _label.

    A number that is NULL has a reason: that of the view (``null_reason``), "no decisions" if the view counts decisions
    and the run has none under the profile, or the comment of the column.

    Args:
        rule: base.decision_rule__v1 in this scope; None: all runs have decisions.
        means: metrics of blocks whose means over blocks are stored too.
    """
    columns = {column.name: column for column in relation.header.columns}
    numbers = [metric for metric in relation.header.metrics if columns[metric.column].unit != "text"]
    names = [metric for metric in relation.header.metrics if columns[metric.column].unit == "text"]
    grain, join, reason = relation.header.grain, "", "null"
    if "subset_no" not in grain:  # of subset `all`
        source = f"(select *, 0 as subset_no from {source})"
    if relation.schema == "metric" and "is_stored" in columns:  # other rows are in a view of the ledger
        source = f"(select * from {source} where is_stored = 1)"
    if "null_reason" in columns:
        reason = "kept.null_reason"
    elif rule is not None and _counts_decisions(relation):
        join = f"left join {rule} as rule using (run_no, profile_no)"
        reason = "case when rule.is_decided = 0 then 'no decisions' end"
    keys = ", ".join(key for key in ("run_no", "profile_no") if key in grain)
    place = "block_no" if "block_no" in grain else "weighting"

    def insert(table: str, others: str, each: Sequence[Mapping[str, str]], rest: str = ")") -> list[str]:
        """Return an insert of a row for each of some metrics, if any.

        Args:
            others: columns that these rows have in common, among them ``reason``.
            each: column -> SQL of its value for one metric; ``otherwise`` is why it is NULL, without a reason.
        """
        if not each:
            return []
        lists = ", ".join(f"unnest([{', '.join(one[name] for one in each)}]) as {name}" for name in each[0])
        columns = "* exclude (reason)"
        if "otherwise" in each[0]:
            columns = """* exclude (reason, otherwise),
                case when value is null then coalesce(reason, otherwise) end as null_reason"""
        return [  # rows are sorted before each becomes one for each metric
            f"""insert into {into}_{table} by name select {columns} from (
                select computation_no, {others}, {lists} from (
                    select keeping.computation_no, kept.*, {reason} as reason from {source} as kept
                    join {keeping} as keeping using ({keys}) {join} order by computation_no, subset_no, {place}
                ) as kept {rest}"""
        ]

    version, is_of_block = f"'v{relation.version}' as version", place == "block_no"
    made = [
        {
            "metric": metric.id_sql,
            "value": f"cast(kept.{metric.column} as double)",
            "otherwise": sql_literal(_in_words(columns[metric.column].text)),
        }
        | ({} if is_of_block else {"n": f"cast({metric.n_sql} as bigint)"})
        for metric in numbers
    ]
    of_blocks = [
        {
            "metric": one["metric"],
            "value": _MEAN.format(value=one["value"]),
            "otherwise": "'no block has it'",
            "n": f"count({one['value']})",
        }
        for metric, one in zip(numbers, made, strict=True)
        if metric.metric in means
    ]
    named = [{"metric": metric.id_sql, "value": f"cast(kept.{metric.column} as varchar)"} for metric in names]
    return [
        *insert(
            "block" if is_of_block else "score",
            f"subset_no, {place}, {version}, reason",
            made,
            ")" if is_of_block else ") where n is not null",
        ),
        *insert(
            "score",
            f"subset_no, '{WEIGHTING}' as weighting, {version}, null as reason",
            of_blocks,
            "group by computation_no, subset_no) order by all",
        ),
        *insert("label", "block_no, reason", named),
    ]


def _counts_decisions(relation: Relation) -> bool:
    """Return whether the numbers of a view are NULL for a run without decisions."""
    read = closure(catalog(), [relation.name])
    return "metric.detection_count__v1" in read and not any(name in read for name in CURVES)


def _in_words(text: str) -> str:
    """Return the condition under which a column is NULL, from its comment; by default an empty count."""
    _, _, when = text.partition("NULL ")
    when = when.partition(";")[0].strip()
    return f"{when} NULL" if when.endswith(" is") else when or "0/0"
