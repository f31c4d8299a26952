"""Compute stale numbers from ``base`` and store them in the ledger, one batch of runs at a time."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_list, sql_literal
from tdtsql.progress import Progress, silent
from tdtsql.definitions.catalogue import catalog, closure, computed, CURVES, published, Relation, requested
from tdtsql.store.ledger import check_contents
from tdtsql.store.recording import append
from tdtsql.store.results import computation_entries, next_computation, result_fingerprints
from tdtsql.scoring.curve.det_curve import fit_carried_thresholds
from tdtsql.scoring.expected_information import WORK as EXPECTED_WORK
from tdtsql.scoring.overlap_gain import WORK
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
LARGE = {"too many pairs": WORK, "too many terms": EXPECTED_WORK, "search": SEARCH}
#: view of whether each run has decisions under a profile
RULE = "base.decision_rule__v1"
#: prefixes of the metrics that may be left out
_OF_LARGE = ("b3_ext_", "ami", "expected_mi", "ceaf_", "conll_")


def stale_runs(engine: Engine, run_nos: Sequence[int] | None = None) -> list[tuple[int, int, int, str]]:
    """Return (condition, run, profile, task) of every run whose stored numbers are stale."""
    chosen = "" if run_nos is None else f"and run.run_no in ({sql_list(run_nos)})"
    rows = engine.rows(f"""
        select run.condition_no, run.run_no, wanted.profile_no, condition.task
        from registry.run as run
        join registry.condition as condition on condition.condition_no = run.condition_no
        join registry.condition_profile as wanted on wanted.condition_no = run.condition_no
        anti join ledger.current_computation as newest on newest.run_no = run.run_no
            and newest.profile_no = wanted.profile_no
        where true {chosen} order by all""")
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
    if stale:
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
        """Return a scope in which the numbers of the runs can be computed."""
        return task_scope(engine, self.task, sorted(self.condition_nos), self.run_nos, self.profile_nos)


def batches_of(engine: Engine, rows: Sequence[tuple[int, int, int, str]]) -> list[Batch]:
    """Return the batches that cover rows of (condition, run, profile, task): small runs together, because the cost of a
    pass depends little on their rows.
    """
    tasks = list(dict.fromkeys(task for *_, task in rows))
    wanted: dict[tuple[int, int, int], list[int]] = {}
    for condition_no, run_no, profile_no, task in rows:
        wanted.setdefault((tasks.index(task), condition_no, run_no), []).append(profile_no)
    # the numbers of a subset take as much memory as some rows
    n_row = dict(
        engine.rows(
            "select run_no, n_row + 10 * count(subset_no) from registry.run left join base.subset using (condition_no) "
            "group by run_no, n_row"
        )
    )
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


def task_scope(
    engine: Engine, task: str, condition_nos: Sequence[int], run_nos: Sequence[int], profile_nos: Sequence[int]
) -> Scope:
    """Return a scope in which the numbers of some runs of a task can be computed, with their dependencies, until
    it is closed.
    """
    if TASKS[task].is_scored_together:
        run_nos = engine.column(
            f"select run_no from registry.run where condition_no in ({sql_list(condition_nos)}) order by run_no"
        )
    return Scope(engine, condition_nos, run_nos, profile_nos)


def missing(engine: Engine, metrics: Collection[str], run_nos: Sequence[int] | None = None) -> list[tuple]:
    """Return (condition, run, profile, task, their names: run, condition, profile, metric, reason) of the numbers among
    ``metrics`` that are computed on request only and are not stored: left out because they are much work (the reason),
    or of a family that a task has on request.
    """
    on_request = _on_request()
    wanted = [name for name in metrics if name.startswith(_OF_LARGE) or name in {metric for _, metric in on_request}]
    if not wanted:
        return []
    return engine.rows(
        """
        with kept as (select computation_no, metric, null_reason from ledger.result_score),
        left_out as (select distinct * from kept where list_contains($large, null_reason)),
        with_family as (
            select distinct computation_no from ledger.current_computation join kept using (computation_no)
            where list_contains($on_request, [task, metric])
        )
        select condition_no, run_no, profile_no, task, run_id, condition_id, profile_id, metric, null_reason
        from ledger.current_computation cross join (select unnest($wanted) as metric)
        left join left_out using (computation_no, metric)
        where ($every or list_contains($runs, run_no)) and (null_reason is not null
            or list_contains($on_request, [task, metric])
                and computation_no not in (select computation_no from with_family))
        order by all""",
        {
            "large": list(LARGE),
            "on_request": [list(pair) for pair in on_request],
            "wanted": wanted,
            "every": run_nos is None,
            "runs": list(run_nos or ()),
        },
    )


def _on_request() -> list[tuple[str, str]]:
    """Return (task, metric) of the numbers that a task has only on request."""
    return [
        (task, metric.metric) for task in TASKS for relation in requested(task) for metric in relation.header.metrics
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
        there = with_requested(engine, batch.pairs)
        on_request = [pair for pair in batch.pairs if pair in there or (*pair, None) in wanted]
        _score(engine, batch, asked=large_pairs(engine, batch.pairs, wanted), on_request=on_request, progress=progress)


def with_requested(engine: Engine, pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the (run, profile) among these that have stored numbers of a family that their task has on request."""
    rows = engine.rows(
        """select distinct run_no, profile_no from ledger.current_computation join ledger.result_score
        using (computation_no) where list_contains($on_request, [task, metric]) and list_contains($runs, run_no)
        order by all""",
        {"on_request": [list(pair) for pair in _on_request()], "runs": [run_no for run_no, _ in pairs]},
    )
    return [row for row in rows if row in set(pairs)]


def large_pairs(
    engine: Engine, pairs: Sequence[tuple[int, int]], also: Collection[tuple] = ()
) -> dict[str, list[tuple[int, int]]]:
    """Return view that measures work -> the (run, profile) among these of whose stored numbers none is left out for it,
    or for which ``also`` has the reason.
    """
    rows = engine.rows(
        """select distinct run_no, profile_no, null_reason from ledger.current_computation join ledger.result_score
        using (computation_no) where list_contains($large, null_reason) and list_contains($runs, run_no)""",
        {"large": list(LARGE), "runs": [run_no for run_no, _ in pairs]},
    )
    left_out = {row for row in rows if row not in also}
    return {view: [pair for pair in pairs if (*pair, reason) not in left_out] for reason, view in LARGE.items()}


def _score(
    engine: Engine,
    batch: Batch,
    *,
    asked: Mapping[str, Sequence[tuple[int, int]]] | None = None,
    on_request: Sequence[tuple[int, int]] = (),
    progress: Progress = silent,
) -> None:
    check_contents(engine, batch.run_nos, batch.profile_nos)
    with batch.scope(engine) as scope:
        scope.requested_by_user, scope.progress = asked or {}, progress
        scope.build(with_own(engine, scope, batch.task, computed(batch.task, asked=bool(on_request))))
        with engine.transaction():
            _keep(engine, scope, batch, on_request)


def _keep(engine: Engine, scope: Scope, batch: Batch, on_request: Sequence[tuple[int, int]] = ()) -> None:
    first = next_computation(engine)
    keep_for(engine, range(first, first + len(batch.pairs)), batch.pairs)
    delete_results(engine, "(run_no, profile_no) in (select run_no, profile_no from keeping)")
    for statement in result_statements(engine, scope, batch.task, on_request):
        engine.execute(statement)
    for statement in curve_statements(scope):
        engine.execute(statement)
    engine.execute(
        """
        insert into ledger.computation
        select keeping.computation_no, keeping.run_no, keeping.profile_no, input.sha256, profile.profile_text,
            definition.sha256,
            0, '', $tdtsql, $duckdb
        from keeping
        join registry.current_input as input on input.run_no = keeping.run_no
        join ledger.profile_text as profile on profile.profile_no = keeping.profile_no
        join registry.run as run on run.run_no = keeping.run_no
        join registry.condition as condition on condition.condition_no = run.condition_no
        join registry.task_definition as definition on definition.task = condition.task""",
        {"tdtsql": __version__, "duckdb": engine.version},
    )
    numbers = range(first, first + len(batch.pairs))
    results = result_fingerprints(engine, numbers)
    engine.execute(
        "update ledger.computation set n_value = kept.n_value, result_sha256 = kept.sha256 from (select unnest($1) as "
        "number, unnest($2) as n_value, unnest($3) as sha256) as kept where computation_no = kept.number",
        [list(results), *map(list, zip(*results.values(), strict=True))],
    )
    entries = computation_entries(engine, numbers)
    append(engine, *(entries[number] for number in numbers))
    engine.execute("drop table keeping")


def keep_for(engine: Engine, numbers: Iterable[int], pairs: Sequence[tuple[int, int]]) -> None:
    """Create the table ``keeping``: the numbers of the computations of each (run, profile)."""
    columns = ("computation_no", "run_no", "profile_no")
    engine.execute(f"create or replace temp table keeping ({' bigint, '.join(columns)} bigint)")
    engine.insert_rows("keeping", columns, [(number, *pair) for number, pair in zip(numbers, pairs, strict=True)])


def with_own(engine: Engine, scope: Scope, task: str, names: Sequence[str]) -> list[str]:
    """Return the views that are computed for a task, in build order, with the store's user-defined metrics."""
    own = closure(scope.relations, newest_own(engine, task))
    known = {*names, *(name for name in own if not name.startswith("ledger."))}
    return [name for name in scope.relations if name in known]


def result_statements(
    engine: Engine, scope: Scope, task: str, on_request: Sequence[tuple[int, int]], into: str = "ledger.result"
) -> list[str]:
    """Return the inserts that store what the views of a task publish, of the (run, profile) in ``keeping``; for metrics
    on request, of ``on_request``.
    """
    rule = scope.relation(RULE) if RULE in scope.names else None
    statements = [
        statement
        for relation in published(task, asked=False)
        for statement in insert_statements(relation, scope.relation(relation.name), into, rule=rule)
    ]
    means = engine.rows("select relation, metric from registry.published where grain = 'score'")
    for relation in newest_own(engine, task).values():
        of_runs = [metric for view, metric in means if view == relation.name]
        statements += insert_statements(relation, scope.relation(relation.name), into, means=of_runs)
    if SEARCH in scope.names:
        statements.append(
            f"""insert into {into}_pairing select keeping.computation_no, kept.subset_no, kept.block_no,
            kept.n_search_item, kept.search_similarity, kept.is_made from {scope.relation(SEARCH)} as kept
            join keeping using (run_no, profile_no) order by all"""
        )
    if on_request:
        engine.execute(f"""
            create or replace temp table keeping_requested as select * from keeping
            where (run_no, profile_no) in
                ({", ".join(f"({int(run_no)}, {int(profile_no)})" for run_no, profile_no in on_request)})""")
        for relation in requested(task):
            statements += insert_statements(relation, scope.relation(relation.name), into, keeping="keeping_requested")
    return statements


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
    keys = ", ".join(key for key in ("run_no", "profile_no") if key in relation.header.grain)
    if "subset_no" not in relation.header.grain:  # of subset `all`
        source = f"(select *, 0 as subset_no from {source})"
    if relation.schema == "metric" and "is_stored" in columns:  # other rows are in a view of the ledger
        source = f"(select * from {source} where is_stored = 1)"
    join = f"from {source} as kept join {keeping} as keeping using ({keys})"
    own = "kept.null_reason" if "null_reason" in columns else "null"
    if rule is not None and _counts_decisions(relation):
        join += f" left join {rule} as rule using (run_no, profile_no)"
        own = "case when rule.is_decided = 0 then 'no decisions' end"

    def unnested(texts: Iterable[str]) -> str:
        found = list(texts)
        return found[0] if len(found) == 1 else f"unnest([{', '.join(found)}])"  # the list takes half of the time

    def reasons(own: str) -> str:
        return unnested(
            f"case when kept.{metric.column} is null then "
            f"coalesce({own}, {sql_literal(_in_words(columns[metric.column].text))}) end"
            for metric in numbers
        )

    metric_ids = unnested(metric.id_sql for metric in numbers)
    values = unnested(f"cast(kept.{metric.column} as double)" for metric in numbers)
    version = f"v{relation.version}"
    statements = []
    if numbers and "block_no" in relation.header.grain:
        # rows are sorted before each becomes one for each metric
        statements.append(
            f"""insert into {into}_block select computation_no, subset_no, block_no, {metric_ids}, {values},
            '{version}', {reasons("own_reason")} from (select keeping.computation_no, kept.*, {own} as own_reason
            {join} order by computation_no, subset_no, block_no) as kept"""
        )
        if chosen := [metric for metric in numbers if metric.metric in means]:
            made = unnested(_MEAN.format(value=f"cast(kept.{metric.column} as double)") for metric in chosen)
            nothing = (f"case when count(kept.{metric.column}) = 0 then 'no block has it' end" for metric in chosen)
            sizes = unnested(f"count(kept.{metric.column})" for metric in chosen)
            statements.append(
                f"""insert into {into}_score select keeping.computation_no, kept.subset_no,
                {unnested(metric.id_sql for metric in chosen)}, '{WEIGHTING}', {made}, {sizes},
                '{version}', {unnested(nothing)} {join}
                group by keeping.computation_no, kept.subset_no order by all"""
            )
    elif numbers:
        counts = unnested(f"cast({metric.n_sql} as bigint)" for metric in numbers)
        made = (
            f"{metric_ids} as metric, kept.weighting, {values} as value, {counts} as n, '{version}' as version, "
            f"{reasons(own)} as null_reason {join}"
        )
        statements.append(
            f"""insert into {into}_score select * from (select keeping.computation_no, kept.subset_no, {made})
            where n is not null order by all"""
        )
    if names:
        answers = unnested(f"cast(kept.{metric.column} as varchar)" for metric in names)
        labels = unnested(f"'{metric.metric}'" for metric in names)
        statements.append(
            f"insert into {into}_label select keeping.computation_no, kept.block_no, {labels}, {answers} {join} order "
            f"by all"
        )
    return statements


def _counts_decisions(relation: Relation) -> bool:
    """Return whether the numbers of a view are NULL for a run without decisions, and the view gives no reason."""
    if "null_reason" in [column.name for column in relation.header.columns]:
        return False
    read = closure(catalog(), [relation.name])
    return "metric.detection_count__v1" in read and not any(name in read for name in CURVES)


def _in_words(text: str) -> str:
    """Return the condition under which a column is NULL, from its comment; by default an empty count."""
    _, _, when = text.partition("NULL ")
    when = when.partition(";")[0].strip()
    return f"{when} NULL" if when.endswith(" is") else when or "0/0"


def curve_statements(scope: Scope, into: str = "ledger.result") -> list[str]:
    """Return the inserts that store the points of curves, in the table ``into``_det_point; empty if the task has no
    curves.
    """
    if CURVES[0] not in scope.names:
        return []
    return [
        f"""
        insert into {into}_det_point
        select keeping.computation_no, point.subset_no, point.weighting, 0, point.point_no, point.threshold,
            point.p_miss, point.p_fa,
            point.p_miss_se, point.p_fa_se, point.c_det_norm, point.n_block
        from {scope.relation(CURVES[0])} as point join keeping using (run_no, profile_no) order by all""",
        f"""
        insert into {into}_det_point
        select keeping.computation_no, point.subset_no, 'none', point.block_no, point.point_no, point.threshold,
            point.p_miss, point.p_fa,
            null, null, point.c_det_norm, 1
        from {scope.relation(CURVES[1])} as point join keeping using (run_no, profile_no) order by all""",
    ]
