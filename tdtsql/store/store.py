"""A store: one database with everything that was loaded, and every number it gives."""

from pathlib import Path

from tdtsql.engine.duckdb import Engine, check_file_name
from tdtsql.engine.quoting import quoted
from tdtsql.errors import NotAStore, UnknownName
from tdtsql.store import registry
from tdtsql.store.address import opener
from tdtsql.store.audit import check_kept
from tdtsql.store.template import copy_into_file, copy_into_memory, template
from tdtsql.store.schema import create_tables, create_views
from tdtsql.store.definitions import check_installed, check_store, is_current, made_with, write_catalog_hash, write_definitions
from tdtsql.store.remembered import file_state, is_remembered, remember
from tdtsql.store.scope import open_scope
from tdtsql.store.score import score_stale
from tdtsql.store.profiles import load_profiles


class Store:
    """An open store. Results are relations of the engine: ``.df() .pl() .arrow() .fetchall()``."""

    def __init__(self, engine: Engine):
        self.engine = engine

    @property
    def path(self) -> str:
        return self.engine.path

    # ---- asking

    def sql(self, query: str):
        """Return the rows of any query over the store, as a relation; in the SQL of the engine that holds it."""
        return self.engine.ask(query)

    def relation(self, query: str):
        """Return a query over what lies in the embedded engine (everything but other engines' decisions), as a relation."""
        return self.engine.relation(query)

    def score(self, run: str | None = None, *, metric: str | None = None, subset: str | None = None, profile: str | None = None,
              condition: str | None = None, weighting: str | None = None):
        """Return rows of report.score, all up to date, as a relation.

        Args:
            run, metric, subset, profile, condition, weighting: exact names to keep; None keeps all.

        Raises:
            UnknownName: there is no such run, metric, subset, profile or condition.
        """
        self.refresh()
        wanted = {"run_id": run, "metric": metric, "subset": subset, "profile_id": profile, "condition_id": condition, "weighting": weighting}
        for column, value in wanted.items():
            self.check_name(column, value)
        filters = [f"{column} = {quoted(value)}" for column, value in wanted.items() if value is not None]
        where = f"where {' and '.join(filters)}" if filters else ""
        return self.relation(f"select * from report.score {where} order by condition_id, run_id, profile_id, subset, metric, weighting")

    def det_curve(self, run: str, *, condition: str | None = None, profile: str | None = None, subset: str = "all", all_points: bool = False):
        """Return the DET curve of a run over a subset, as a relation in the shape of report.det_point.

        Curves of subset ``all`` with corner points are kept; others are made here.

        Raises:
            UnknownName: there is no such run or subset.
        """
        [run_no, *others] = registry.run_numbers(self.engine, run, condition)
        if others:
            raise UnknownName(f"run '{run}' is in several conditions. Name one of them.")
        condition_no = self.engine.value("select condition_no from registry.run where run_no = ?", [run_no])
        subset_no = self.engine.value("select subset_no from base.subset where condition_no = ? and subset = ?", [condition_no, subset])
        if subset_no is None:
            self.check_name("subset", subset)
            raise UnknownName(f"subset '{subset}' is not one of this condition's.")
        profiles = self.engine.rows(
            "select profile.profile_no, profile.profile_id from registry.condition_profile as wanted join registry.profile as profile "
            "on profile.profile_no = wanted.profile_no where wanted.condition_no = ? and (? is null or profile.profile_id = ?) order by 1",
            [condition_no, profile, profile])
        scope = open_scope(self.engine, [condition_no], [run_no], [row[0] for row in profiles])
        try:
            scope.replace("base.curve_request", f"select {condition_no} as condition_no, {subset_no} as subset_no, {int(all_points)} as all_points")
            name = "metric.detection_det_curve__v1"
            from tdtsql.metric.catalog import catalog, closure

            scope.build(closure(catalog(), [name]))
            self.engine.execute(f"""
                create or replace temp table det_curve as
                select {quoted(run)} as run_id, profile.profile_id as profile_id, {quoted(subset)} as subset,
                    point.weighting as weighting, point.threshold as threshold, point.p_miss as p_miss, point.p_fa as p_fa,
                    point.p_miss_se as p_miss_se, point.p_fa_se as p_fa_se, point.c_det_norm as c_det_norm, point.n_block as n_block,
                    point.point_no as point_no
                from {scope.relation(name)} as point join registry.profile as profile on profile.profile_no = point.profile_no""")
        finally:
            scope.close()
        return self.relation("select * from det_curve order by profile_id, weighting, point_no")

    def distributions(self, run: str | None = None, progress=None):
        """Return report.score_distribution, with what is missing fitted first, as a relation.

        Raises:
            UnknownName: there is no such run.
        """
        self.refresh(progress)
        self.check_name("run_id", run)
        if not self.engine.read_only:
            from tdtsql.store.distribution import keep_missing_distributions

            keep_missing_distributions(self.engine, registry.run_numbers(self.engine, run) if run else None)
        where = f"where run_id = {quoted(run)}" if run else ""
        return self.relation(f"select * from report.score_distribution {where} order by condition_id, run_id, profile_id, block_id nulls first, prior")

    def lineage(self, name: str, column: str | None = None):
        """Return what a metric, or a column of a view, is made from, down to columns of ``staging`` and files, as a relation.

        Raises:
            UnknownName: there is no such metric, view or column.
        """
        from tdtsql.store.lineage import COLUMNS, down_to_files

        steps = down_to_files(self.engine, name, column)
        rows = zip(*((step.depth, step.relation, step.column, step.role, step.from_relation, step.from_column) for step in steps), strict=True)
        names = ["column_name" if column == "column" else column for column in COLUMNS]
        self.engine.insert_temporary("lineage", dict(zip(names, (list(values) for values in rows), strict=True)))
        return self.relation("select * from lineage order by depth, relation, column_name, role, from_relation, from_column")

    def refresh(self, progress=None) -> int:
        """Compute what is not up to date; returns how many runs (per profile) that were."""
        self.engine.look_again()
        return 0 if self.engine.read_only else score_stale(self.engine, progress=progress)

    def check_name(self, column: str, value: str | None) -> None:
        """Raise UnknownName unless ``value`` is None or one of the names that ``column`` has."""
        if value is None:
            return
        sources = {
            "run_id": "select run_id from registry.run", "profile_id": "select profile_id from registry.profile",
            "condition_id": "select condition_id from registry.condition", "subset": "select subset from base.subset",
            "metric": "select metric from registry.metric",
            "weighting": "select unnest(['topic', 'topic_all', 'story', 'none'])",
        }
        names = sorted({row[0] for row in self.engine.rows(sources[column])})
        if value not in names:
            raise unknown(column.removesuffix("_id"), value, names)

    # ---- loading

    def evaluate(self, bundle: str | Path, *, progress=None):
        """Load everything a bundle names and bring every number up to date; see store.evaluate."""
        from tdtsql.store.evaluate import evaluate_into

        return evaluate_into(self, Path(bundle), progress=progress)

    def add_run(self, run_id: str | None = None, *, condition: str, decisions, format: str | None = None):
        """Add or replace one run; ``decisions`` is a data frame, an Arrow table, a relation or a path.

        Columns are those of the tidy forms. Without ``run_id`` the files name the run,
        by a tag, a column run_id or the system in the header. Returns the warnings that were accepted.

        Raises:
            UnknownName: no such condition.
            InvalidInput: the decisions have errors; nothing was stored.
        """
        from tdtsql.store.evaluate import add_run

        return add_run(self, run_id, condition, decisions, format)

    def check_run(self, run_id: str | None = None, *, condition: str, decisions, format: str | None = None):
        """Read a run as add_run would and return the warnings; store nothing."""
        from tdtsql.store.evaluate import add_run

        return add_run(self, run_id, condition, decisions, format, keep=False)

    def drop_corpus(self, corpus_id: str) -> None:
        """Remove a corpus, its conditions and their runs."""
        self._change(lambda: registry.drop_corpus(self.engine, self.corpus_number(corpus_id)))

    def corpus_number(self, corpus_id: str) -> int:
        """Return the number of a corpus; UnknownName if there is none of that name."""
        numbers = dict(self.engine.rows("select corpus_id, corpus_no from registry.corpus order by corpus_id"))
        if corpus_id not in numbers:
            raise unknown("corpus", corpus_id, list(numbers))
        return numbers[corpus_id]

    def _change(self, change) -> None:
        self.engine.check_loads()
        with self.engine.exclusive(), self.engine.transaction():
            change()
            registry.refresh_current_inputs(self.engine)

    def drop_run(self, run_id: str, condition: str | None = None) -> None:
        """Remove a run and its numbers."""
        self._change(lambda: [registry.drop_run(self.engine, number) for number in registry.run_numbers(self.engine, run_id, condition)])

    def close(self) -> None:
        self.engine.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *error) -> None:
        self.close()


def connect(address: object = "tdtsql.duckdb", *, read_only: bool = False, trace: bool = False, inspect: bool = False, **options: object) -> Store:
    """Open a store, making it where it is not there.

    Args:
        address: a file; ``:memory:``, which is gone afterwards; or another engine: ``postgresql://...``,
            ``spark://host:port``, ``spark-local[2]`` or a SparkSession.
        read_only: change nothing.
        trace: print every statement on stderr.
        inspect: open a file also where kept numbers break their contracts, to look into that.
        options: what another engine needs besides (`store.shared`, `store.lake`).

    Raises:
        StoreLocked: another process has it open.
        NotAStore: the file is no database, or one that tdtsql did not make.
        BrokenDefinition: tables or views are not what they were made as.
        BrokenContract: kept numbers are out of range, or there twice.
        EngineUnavailable: another engine is not there, or cannot be reached.
    """
    if elsewhere := opener(address):
        engine = elsewhere(address, read_only=read_only, trace=trace, **options)
        try:
            if not inspect:
                check_kept(engine)
        except BaseException:
            engine.close()
            raise
        return Store(engine)
    path = str(address)
    check_file_name(path)
    is_new = path != ":memory:" and not read_only and not Path(path).exists()
    source = template(_fill) if is_new else None
    if source is not None:
        try:
            copy_into_file(source, path)
        except FileExistsError:
            source = None  # another process was faster
        except OSError as error:
            raise NotAStore(f"{path}: cannot be made: {error.strerror}.") from None
    engine = Engine(path, read_only=read_only, trace=trace)
    try:
        if path == ":memory:":
            fill(engine)
        elif _prepare(engine, source):
            # DuckDB writes a view otherwise once it was stored: look again
            engine.close()
            engine = Engine(path, trace=trace)
        if not engine.read_only and "catalog" not in made_with(engine):
            write_catalog_hash(engine)
        if not (is_new or inspect or path == ":memory:"):
            check_kept(engine)
    except BaseException:
        engine.close()
        raise
    return Store(engine)


def fill(engine: Engine) -> None:
    """Make an empty database in memory a store."""
    source = template(_fill)
    if source is not None:
        copy_into_memory(source, engine)
    _prepare(engine, source)


def _fill(path: str) -> None:
    """Make an empty store in a new file, without a template."""
    engine = Engine(path)
    try:
        _prepare(engine)
    finally:
        engine.close()
    engine = Engine(path)
    try:
        write_catalog_hash(engine)
    finally:
        engine.close()


def _prepare(engine: Engine, source: Path | None = None) -> bool:
    """Make an empty database a store; refuse changed definitions; bring those of an older installation up to date.

    Of a copy of the empty store ``source`` they are looked at once, until that file is written to.
    Returns True when views were made.
    """
    check_installed()
    found = {row[0] for row in engine.rows("select schema_name || '.' || table_name from duckdb_tables() where not internal")}
    if "registry.run" not in found:
        if found:
            raise NotAStore(f"{engine.path}: a database with other tables in it, not a store. Name another file with --db.")
        if engine.read_only:
            raise NotAStore(f"{engine.path}: an empty database. `tdtsql evaluate BUNDLE.toml --db {engine.path}` fills it.")
        with engine.transaction():
            create_tables(engine)
            _define(engine)
        return True
    state = None if source is None else file_state(str(source), "empty store")
    if state is None or not is_remembered(state):
        check_store(engine)
        if state is not None:
            remember(state)
    if not engine.read_only and not is_current(engine):
        with engine.transaction():
            _define(engine)
        return True
    return False


def _define(engine: Engine) -> None:
    create_views(engine)
    load_profiles(engine, {}, "")
    write_definitions(engine)


def unknown(what: str, value: str, names: list[str]) -> UnknownName:
    """Return the error for a name that is not there, with the nearest that is."""
    import difflib

    near = difflib.get_close_matches(value, names, 1)
    hint = f" Did you mean {near[0]}?" if near else f" There are {', '.join(names[:12])}{' ...' if len(names) > 12 else ''}." if names else ""
    return UnknownName(f"{what} '{value}' is unknown.{hint}")
