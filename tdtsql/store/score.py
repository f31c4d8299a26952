"""Numbers computed from ``base`` and kept in the ledger, a run at a time.

The views a task needs are made in build order, each as a temporary table that
holds the runs being scored and no others. So every step is computed once, and
its size is that of these runs, whatever else the store holds.
"""

from collections.abc import Iterable, Sequence

from tdtsql.engine.duckdb import Engine
from tdtsql.metric.catalog import Relation, catalog, redirect
from tdtsql.metric.published import CURVES, computed, published
from tdtsql.store.chain import append, computation_entry
from tdtsql.store.hierarchy import refresh_stale_hierarchies
from tdtsql.store.registry import RESULTS, next_number
from tdtsql.store.schema import tables

#: decisions that are scored in one pass, unless a run alone has more
BATCH_ROWS = 1_000_000

#: runs of these tasks are scored together: their numbers may depend on each other
TOGETHER = frozenset({"summarization"})


class Scope:
    """The views of a store narrowed to some runs of one condition, as temporary relations."""

    def __init__(self, engine: Engine, condition_no: int, run_nos: Sequence[int], profile_nos: Sequence[int]):
        self.engine = engine
        self.names: dict[str, str] = {}
        self._made: list[tuple[str, str]] = []
        runs, profiles = _list(run_nos), _list(profile_nos)
        for table in tables():
            schema = table.name.split(".")[0]
            if schema not in ("registry", "base"):
                continue
            filters = []
            if "run_no" in table.columns:
                filters.append(f"run_no in ({runs})")
            if "condition_no" in table.columns:
                filters.append(f"condition_no = {condition_no}")
            if table.name == "registry.condition_profile":
                filters.append(f"profile_no in ({profiles})")
            if filters:
                self._make("view", table.name, f"select * from {table.name} where {' and '.join(filters)}")

    def build(self, names: Iterable[str]) -> None:
        """Make the named views, which must be in build order."""
        relations = catalog()
        for name in names:
            relation = relations[name]
            self._make("view" if relation.header.is_large else "table", name, redirect(relation.body, self.names))

    def replace(self, name: str, sql: str) -> None:
        """Let later views read the rows of ``sql`` in place of relation ``name``."""
        self._make("table", name, sql)

    def close(self) -> None:
        """Drop what was made, the last first."""
        for kind, name in reversed(self._made):
            self.engine.execute(f"drop {kind} if exists {name}")
        self._made.clear()

    def _make(self, kind: str, name: str, body: str) -> None:
        # a replaced relation keeps its first form under another name until the end
        scoped = f"temp.main.{name.replace('.', '__')}_{len(self._made)}"
        self.engine.execute(f"create temp {kind} {scoped.removeprefix('temp.main.')} as\n{body}")
        self._made.append((kind, scoped))
        self.names[name] = scoped


def stale_runs(engine: Engine, run_nos: Sequence[int] | None = None) -> list[tuple[int, int, int, str]]:
    """Return (condition, run, profile, task) of every run whose kept numbers are not those of now."""
    chosen = "" if run_nos is None else f"and run.run_no in ({_list(run_nos)})"
    return engine.rows(f"""
        select run.condition_no, run.run_no, wanted.profile_no, condition.task
        from registry.run as run
        join registry.condition as condition on condition.condition_no = run.condition_no
        join registry.condition_profile as wanted on wanted.condition_no = run.condition_no
        anti join ledger.current_computation as newest on newest.run_no = run.run_no and newest.profile_no = wanted.profile_no
        where true {chosen} order by all""")


def score_stale(engine: Engine, run_nos: Sequence[int] | None = None, progress=None) -> int:
    """Compute and keep what is not up to date; returns how many (run, profile) that were."""
    refresh_stale_hierarchies(engine)
    stale = stale_runs(engine, run_nos)
    batches = _batches(stale, dict(engine.rows("select run_no, n_row from registry.run")))
    for done, (condition_no, task, runs, profiles) in enumerate(batches):
        if progress is not None:
            progress(done, len(batches), f"scoring {task}")
        _score(engine, condition_no, task, runs, profiles)
    return len(stale)


def _batches(stale: list[tuple[int, int, int, str]], n_row: dict[int, int]) -> list[tuple[int, str, list[int], list[int]]]:
    """Return (condition, task, runs, profiles) to score in one pass: small runs together, for the price of a pass is not in their rows."""
    wanted: dict[tuple[int, str, int], list[int]] = {}
    for condition_no, run_no, profile_no, task in stale:
        wanted.setdefault((condition_no, task, run_no), []).append(profile_no)
    batches: list[tuple[int, str, list[int], list[int]]] = []
    size = 0
    for (condition_no, task, run_no), profiles in wanted.items():
        last = batches[-1] if batches else None
        fits = task in TOGETHER or size + n_row[run_no] <= BATCH_ROWS
        if last and last[:2] == (condition_no, task) and fits and (task in TOGETHER or last[3] == profiles):
            last[2].append(run_no)
            last[3][:] = sorted({*last[3], *profiles})
            size += n_row[run_no]
        else:
            batches.append((condition_no, task, [run_no], profiles))
            size = n_row[run_no]
    return batches


def _score(engine: Engine, condition_no: int, task: str, run_nos: list[int], profile_nos: list[int]) -> None:
    read = run_nos
    if task in TOGETHER:
        read = [row[0] for row in engine.rows("select run_no from registry.run where condition_no = ?", [condition_no])]
    scope = Scope(engine, condition_no, read, profile_nos)
    try:
        scope.build(computed(task))
        engine.execute("begin")
        try:
            _keep(engine, scope, task, run_nos, profile_nos)
        except BaseException:
            engine.execute("rollback")
            raise
        engine.execute("commit")
    finally:
        scope.close()


def _keep(engine: Engine, scope: Scope, task: str, run_nos: list[int], profile_nos: list[int]) -> None:
    first = next_number(engine, "ledger.computation", "computation_no")
    pairs = [(run_no, profile_no) for run_no in run_nos for profile_no in profile_nos]
    old = engine.rows(f"select computation_no from ledger.computation where run_no in ({_list(run_nos)}) and profile_no in ({_list(profile_nos)})")
    if old:
        for table in RESULTS:
            engine.execute(f"delete from ledger.{table} where computation_no in ({_list(row[0] for row in old)})")
    engine.insert_temporary("keeping", {
        "computation_no": [first + number for number in range(len(pairs))],
        "run_no": [pair[0] for pair in pairs],
        "profile_no": [pair[1] for pair in pairs],
    })
    for relation in published(task):
        for statement in keep_statements(relation, scope.names[relation.name]):
            engine.execute(statement)
    if CURVES[0] in scope.names:
        engine.execute(f"""
            insert into ledger.result_det_point
            select keeping.computation_no, point.subset_no, point.weighting, 0, point.point_no, point.threshold, point.p_miss, point.p_fa,
                point.p_miss_se, point.p_fa_se, point.c_det_norm, point.n_block
            from {scope.names[CURVES[0]]} as point join keeping using (run_no, profile_no) order by all""")
        engine.execute(f"""
            insert into ledger.result_det_point
            select keeping.computation_no, point.subset_no, 'none', point.block_no, point.point_no, point.threshold, point.p_miss, point.p_fa,
                null, null, point.c_det_norm, 1
            from {scope.names[CURVES[1]]} as point join keeping using (run_no, profile_no) order by all""")
    engine.execute("""
        insert into ledger.computation
        select keeping.computation_no, keeping.run_no, keeping.profile_no, input.sha256, profile.profile_text, definition.sha256,
            0, '', $tdtsql, $duckdb
        from keeping
        join registry.current_input as input on input.run_no = keeping.run_no
        join ledger.profile_text as profile on profile.profile_no = keeping.profile_no
        join registry.run as run on run.run_no = keeping.run_no
        join registry.condition as condition on condition.condition_no = run.condition_no
        join registry.task_definition as definition on definition.task = condition.task""",
                   {"tdtsql": _version(), "duckdb": engine.version})
    for computation_no in range(first, first + len(pairs)):
        count, digest = result_fingerprint(engine, computation_no)
        engine.execute("update ledger.computation set n_value = ?, result_sha256 = ? where computation_no = ?", [count, digest, computation_no])
        append(engine, "compute", *computation_entry(engine, computation_no))
    engine.execute("drop table keeping")


def keep_statements(relation: Relation, source: str, into: str = "ledger.result") -> list[str]:
    """Return the inserts that keep what a view publishes, in the tables ``into``_score, _block and _label."""
    units = {column.name: column.unit for column in relation.header.columns}
    numbers = [metric for metric in relation.header.metrics if units[metric.metric] != "text"]
    names = [metric for metric in relation.header.metrics if units[metric.metric] == "text"]
    join = f"from {source} as kept join keeping using (run_no, profile_no)"

    def unnested(texts: Iterable[str]) -> str:
        return f"unnest([{', '.join(texts)}])"

    metric_ids = unnested(f"'{metric.metric}'" for metric in numbers)
    values = unnested(f"cast(kept.{metric.metric} as double)" for metric in numbers)
    version = f"v{relation.version}"
    statements = []
    if numbers and "block_no" in relation.header.grain:
        statements.append(f"insert into {into}_block select keeping.computation_no, kept.subset_no, kept.block_no, {metric_ids}, "
                          f"{values}, '{version}' {join} order by all")
    elif numbers:
        counts = unnested(f"cast(coalesce(kept.{metric.n}, 0) as bigint)" for metric in numbers)
        statements.append(f"insert into {into}_score select keeping.computation_no, kept.subset_no, {metric_ids}, kept.weighting, "
                          f"{values}, {counts}, '{version}' {join} order by all")
    if names:
        answers = unnested(f"cast(kept.{metric.metric} as varchar)" for metric in names)
        labels = unnested(f"'{metric.metric}'" for metric in names)
        statements.append(f"insert into {into}_label select keeping.computation_no, kept.block_no, {labels}, {answers} {join} order by all")
    return statements


def result_fingerprint(engine: Engine, computation_no: int, kept: str = "ledger.result") -> tuple[int, str]:
    """Return (numbers, hash over them) of what is kept of a computation, in a fixed order."""
    count, text = engine.rows(f"""
        select count(*), coalesce(sha256(string_agg(line, chr(10) order by line)), '')
        from (
            select concat_ws('|', 'score', subset_no, metric, weighting, coalesce(cast(value as varchar), 'null'), n, version) as line
            from {kept}_score where computation_no = $number
            union all
            select concat_ws('|', 'block', subset_no, block_no, metric, coalesce(cast(value as varchar), 'null'), version)
            from {kept}_block where computation_no = $number
            union all
            select concat_ws('|', 'label', block_no, metric, coalesce(value, 'null'))
            from {kept}_label where computation_no = $number
        )""", {"number": computation_no})[0]
    return count, text


def _version() -> str:
    from tdtsql import __version__

    return __version__


def _list(numbers: Iterable[int]) -> str:
    return ", ".join(str(int(number)) for number in numbers) or "null"
