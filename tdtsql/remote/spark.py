"""A store with decisions as Parquet files in a folder, and views computed by Spark.

The folder is what `tdtsql export` writes. Everything but the decisions is small and is copied when the
store opens, so runs added to the folder are found at the next opening. Spark reads decisions in place,
and only those of the requested runs. Numbers are stored in a separate file next to the folder's data.

Any program that writes Parquet may also add a run directly, as
``base/decision/condition=ID/run=ID/*.parquet`` with the columns of `STRAIGHT`. Such a run differs from
exported runs in that it has no row in ``registry/run.parquet``.
"""

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import reduce
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

import duckdb

from tdtsql.engine.duckdb import Engine, first_line
from tdtsql.engine.quoting import sql_identifiers, sql_list, sql_literal, parquet_source, quoted_files, quoted_path
from tdtsql.engine.spark import Spark, single_select
from tdtsql.engine.user_query import OWN_SCHEMA
from tdtsql.errors import EngineUnavailable, NotAStore, NotOnEngine, StoreLocked, UnknownName
from tdtsql.definitions.catalogue import Relation, catalog, closure, find
from tdtsql.definitions.table import tables
from tdtsql.definitions.hashes import digest
from tdtsql.store.ledger import append, entry_detail, load_entry, record_profiles, replay
from tdtsql.store.profiles import shipped_profiles
from tdtsql.own.check import PREFIX
from tdtsql.own.stored import check_own, make_own_views, own_entries, own_files, own_relations
from tdtsql.remote.export import safe_name
from tdtsql.store.registry import RESULTS, refresh_current_inputs
from tdtsql.store.opening import fill
from tdtsql.remote.local_copy import LocalCopy, RemoteScope
from tdtsql.task import TASKS

#: tables of the registry that are loaded; an installation defines the others, whatever the export contains
_LOADED = tuple(
    f"registry.{table}"
    for table in ("corpus", "condition", "condition_profile", "run", "input_file", "problem", "profile", "own_metric")
)

#: columns of a run that was written straight, with their types in Parquet as DuckDB and as Spark call them
STRAIGHT = {
    "block_no": ("INTEGER", "int"),
    "trial_no": ("INTEGER", "int"),
    "is_yes": ("BOOLEAN", "boolean"),
    "score": ("DOUBLE", "double"),
}

#: more runs than this are read as one relation and separated by a join, not by a plan with a branch for each
_BRANCHES = 32

#: maximum decisions that are downloaded to the local copy, for operations that only it supports
MOST_BROUGHT = 50_000_000

_KEPT = (*RESULTS, "computation", "entry")


def open(  # noqa: A001
    address: object,
    *,
    read_only: bool = False,
    trace: bool = False,
    data: str | os.PathLike | None = None,
    results: str | os.PathLike | None = None,
    settings: Mapping[str, str] | None = None,
) -> "CopyOfSpark":
    """Open the store of a folder of Parquet files.

    Args:
        address: ``spark://host:port``, ``spark-local[2]``, each also with ``?data=FOLDER&results=FILE``; or a
            SparkSession.
        read_only: compute without storing.
        trace: print every statement on stderr.
        data: the folder that `tdtsql export` wrote, or its address in storage that Spark reads
            (``s3a://bucket/export``).
        results: a file for the numbers; by default ``results.duckdb`` in the folder, where it can be
            written, otherwise nowhere.
        settings: Spark settings in addition to those of its own files; never shown.

    Raises:
        EngineUnavailable: Spark or Java is not installed.
        NotAStore: the folder has no export, or one of another version.
        StoreLocked: another process has the results open.
    """
    master, session = None, None
    if isinstance(address, str | os.PathLike):
        master, given = _read_address(str(address))
        data, results = data or given.get("data"), results or given.get("results")
    else:
        session = address
    if data is None:
        raise NotAStore("A store in Spark is a folder. Name it: data=FOLDER, or spark-local[2]?data=FOLDER with --db.")
    folder = _folder(os.fspath(data))
    spark = Spark(master, session, settings, trace=trace)
    local = CopyOfSpark(spark, folder, trace=trace)
    try:
        fill(local)
        if results is None and local.is_local and os.access(folder, os.W_OK):
            results = str(Path(folder) / "results.duckdb")
        if results is not None:
            local.open_results(os.fspath(results), read_only=read_only)
        with local.transaction():
            local.load()
            local.update_ledger()
        spark.n_row = local.value("select coalesce(sum(n_row), 0) from registry.run")
        local.read_only = read_only
    except BaseException:
        local.close()
        raise
    return local


def _read_address(address: str) -> tuple[str, dict[str, str]]:
    plain, _, query = address.partition("?")
    if "@" in plain:
        raise EngineUnavailable("A Spark master has no user and no password: spark://host:port.")
    given = dict(parse_qsl(query, keep_blank_values=True))
    if odd := sorted(given.keys() - {"data", "results"}):
        raise EngineUnavailable(
            f"An address of Spark takes data=FOLDER and results=FILE, not {odd[0]}. Settings of Spark belong into its "
            f"own files (SPARK_CONF_DIR)."
        )
    plain = plain.rstrip("/")
    if plain.startswith("spark-local"):
        plain = plain.removeprefix("spark-")
        number = plain.removeprefix("local[").removesuffix("]")
        if not (plain == f"local[{number}]" and (number == "*" or number.isdigit() and int(number))):
            raise EngineUnavailable("Spark on this machine is spark-local[N], N threads, or spark-local[*].")
    return plain, given


def _folder(data: str) -> str:
    parts = urlsplit(data)
    if len(parts.scheme) < 2:  # a path; C: is one as well
        path = Path(data).expanduser()
        if not path.is_dir():
            raise NotAStore(f"{data}: folder not found. `tdtsql export {data}` writes one.")
        return str(path.resolve())
    if "@" in parts.netloc and parts.scheme.startswith("s3"):
        raise NotAStore(
            "The address of the data has a key in it. Keys belong into the environment or into Spark's own files, not "
            "into an address."
        )
    return data.rstrip("/")


class CopyOfSpark(LocalCopy):
    """A connection to the local copy, and to Spark over a folder."""

    remote: Spark
    not_hashed = ("base.decision",)

    def __init__(self, remote: Spark, folder: str, *, trace: bool = False):
        super().__init__(remote, trace=trace)
        self.folder = folder
        self.path = folder
        self.is_local = "://" not in folder
        #: run_no -> folder of its decisions
        self.decisions: dict[int, str] = {}
        self._straight: dict[int, str] = {}  #: those that were written straight, not checked yet -> as shown
        self._all_straight: set[int] = set()
        self._keeps: str | None = None
        self._provided: dict[str, str] = {}
        self._standing: RemoteScope | None = None
        remote.provide = self._provide

    # ---- opening

    def load(self) -> None:
        """Read everything but the decisions.

        Raises:
            NotAStore: something is missing, or has other columns.
        """
        for name, table in tables().items():
            schema = name.split(".")[0]
            if not (name in _LOADED or schema == "base") or name in self.elsewhere:
                continue
            self.execute(f"delete from {name}")
            if "run_no" in table.columns and schema == "base":
                continue
            self._insert(name, f"{schema}/{name.split('.')[1]}.parquet")
        runs = self.rows("""
            select run.run_no, condition.condition_id, run.run_id, condition.task from registry.run as run
            join registry.condition as condition on condition.condition_no = run.condition_no order by run.run_no""")
        paths = {
            run_no: f"condition={safe_name(condition_id)}/run={safe_name(run_id)}"
            for run_no, condition_id, run_id, _ in runs
        }
        for name, table in tables().items():
            if "run_no" not in table.columns or not name.startswith("base."):
                continue
            there = self._run_folders(name)
            lacking = [
                path
                for run_no, _, _, task in runs
                if TASKS[task].run_table == name and (path := paths[run_no]) not in there
            ]
            if lacking:
                raise NotAStore(
                    f"{self.folder}: base/{name.split('.')[1]}/{lacking[0]} is missing, but registry/run.parquet "
                    f"lists the run. Export the store again."
                )
            mine = {run_no: path for run_no, path in paths.items() if path in there}
            if name in self.elsewhere:
                self.decisions = {run_no: self._join("base", "decision", path) for run_no, path in mine.items()}
                self._find_straight(sorted(set(there) - set(paths.values())))
            elif mine:
                self._insert_runs(name, mine)
        self._load_own()

    def _load_own(self) -> None:
        """Create the views of the user-defined metrics that Spark can compute; the others are left out."""
        files = own_files(self)
        found = check_own(files)[0] if files else []
        left: dict[str, Relation] = {}
        for metric in found:  # in the order of their dependencies
            reads = {read for read in metric.relation.header.inputs if read.startswith(f"{OWN_SCHEMA}.")}
            if reads <= left.keys():
                left[metric.relation.name] = metric.relation
        for _, called, _ in files:
            if f"{OWN_SCHEMA}.{called}" not in left:
                self.execute("delete from registry.own_metric where name || '__v' || version = ?", [called])
        make_own_views(self)

    def _insert(self, name: str, path: str) -> None:
        columns = tables()[name].columns
        rows = self._parquet(path)
        if odd := set(rows.columns) ^ set(columns):
            raise self._other_version(name, odd)
        names = sql_identifiers(columns)
        self.execute(f"insert into {name} ({names}) select {names} from rows")

    def _parquet(self, path: str) -> duckdb.DuckDBPyRelation:
        """Return the rows of one Parquet file as a relation called rows."""
        if self.is_local:
            where = Path(self.folder, path)
            if not where.exists():
                raise NotAStore(f"{self.folder}: not what `tdtsql export` writes: {path} is missing.")
            try:
                self.execute(f"create or replace temp view rows as select * from {parquet_source(where)}")
            except duckdb.Error as error:
                raise NotAStore(f"{where}: cannot be read: {first_line(error)}.") from None
        else:
            try:
                self.connection.register("rows_there", self._read(path).toArrow())
            except Exception as error:  # whatever the file system and Spark call it
                raise NotAStore(f"{self.shown}: {path} cannot be read: {self.remote.explain_error(error)}.") from None
            self.execute("create or replace temp table rows_here as select * from rows_there")
            self.connection.unregister("rows_there")
            self.execute("create or replace temp view rows as select * from rows_here")
        return self.connection.table("rows")

    def _insert_runs(self, name: str, paths: Mapping[int, str]) -> None:
        """Insert a table's rows of some runs, each under its number of now."""
        columns = tables()[name].columns
        self.insert_temporary("run_path", {"run_no": list(paths), "path": list(paths.values())})
        if self.is_local:
            base = f"{self.folder}/base/{name.split('.')[1]}/"
            files = [file for path in paths.values() for file in _parts(f"{base}{path}")]
            rows = parquet_source(files, "filename = true, union_by_name = true")
            pattern = r"(condition=[^/\\]*[/\\]run=[^/\\]*)[/\\][^/\\]*$"
            source = f"(select *, regexp_extract(filename, {sql_literal(pattern)}, 1) as path from {rows})"
        else:
            # the parts of a path are escaped one by one
            self.connection.register("rows_there", self._read(f"base/{name.split('.')[1]}").toArrow())
            self.execute("create or replace temp table rows_here as select * from rows_there")
            self.connection.unregister("rows_there")
            names = self.rows("select distinct condition, run from rows_here")
            self.insert_temporary(
                "run_name",
                {
                    "condition": [row[0] for row in names],
                    "run": [row[1] for row in names],
                    "path": [f"condition={safe_name(row[0])}/run={safe_name(row[1])}" for row in names],
                },
            )
            source = (
                "(select rows_here.* exclude (condition, run), run_name.path from rows_here join run_name using "
                "(condition, run))"
            )
        try:
            found = set(self.column(f"select column_name from (describe select * from {source})")) - {
                "path",
                "filename",
            }
            if odd := found ^ set(columns):
                raise self._other_version(name, odd)
            others = [column for column in columns if column != "run_no"]
            self.execute(
                f"""insert into {name} (run_no, {", ".join(others)}) select run_path.run_no,
                {", ".join(f"part.{column}" for column in others)}
                from {source} as part join run_path on run_path.path = part.path"""
            )
        except duckdb.Error as error:
            raise NotAStore(f"{self.shown}: base/{name.split('.')[1]} cannot be read: {first_line(error)}.") from None

    def _other_version(self, name: str, odd: set[str]) -> NotAStore:
        return NotAStore(
            f"{self.shown}: exported by another version of tdtsql, with other columns in {name} "
            f"({', '.join(sorted(odd))}). Export the store again."
        )

    def _run_folders(self, name: str) -> dict[str, list[tuple[str, int, int]]]:
        """Return the contents of a table's folder: ``condition=.../run=...`` -> (file, bytes, time) of each file."""
        found: dict[str, list[tuple[str, int, int]]] = {}
        base = f"base/{name.split('.')[1]}"
        if self.is_local:
            for path in sorted(Path(self.folder, base).glob("condition=*/run=*/*.parquet")):
                said = path.stat()
                found.setdefault(f"{path.parent.parent.name}/{path.parent.name}", []).append(
                    (path.name, said.st_size, said.st_mtime_ns)
                )
        else:
            session = self.remote.session
            where = session._jvm.org.apache.hadoop.fs.Path(self._join(base))
            system = where.getFileSystem(session._jsparkSession.sessionState().newHadoopConf())
            for item in (
                system.globStatus(session._jvm.org.apache.hadoop.fs.Path(where, "condition=*/run=*/*.parquet")) or []
            ):
                parts = item.getPath().toString().split("/")
                found.setdefault("/".join(parts[-3:-1]), []).append(
                    (parts[-1], item.getLen(), item.getModificationTime())
                )
        return found

    def _find_straight(self, paths: Sequence[str]) -> None:
        """Register the runs that are in the folder and not in the registry."""
        if not paths:
            return
        conditions = {
            row[0]: row[1:] for row in self.rows("select condition_id, condition_no, task from registry.condition")
        }
        files = self._run_folders("base.decision")
        # a run retains the number that its stored results refer to
        numbers = dict(
            self.rows("""
            select entry.subject, computation.run_no from ledger.entry as entry
            join ledger.computation as computation
                on computation.computation_no = cast(json_extract_string(entry.detail, '$.computation_no') as bigint)
            where entry.kind = 'compute' and computation.run_no > (select coalesce(max(run_no), 0)
            from registry.run)""")
        )
        last = max([self.value("select coalesce(max(run_no), 0) from registry.run"), *numbers.values()])
        for path in paths:
            condition_id, run_id = (unquote(part.split("=", 1)[1]) for part in path.split("/"))
            if condition_id not in conditions:
                raise NotAStore(
                    f"{self.shown}: base/decision/{path} is of a condition that the store does not have. Export the "
                    f"condition, or remove the folder."
                )
            condition_no, task = conditions[condition_id]
            if TASKS[task].run_table != "base.decision":
                raise NotAStore(
                    f"{self.shown}: base/decision/{path} is of condition '{condition_id}', whose task {task} has no "
                    f"decisions. Remove the folder."
                )
            number = numbers.get(f"run:{condition_id}/{run_id}")
            if number is None or number in self.decisions:
                number = last = last + 1
            where = self._join("base", "decision", path)
            self.decisions[number] = where
            self._straight[number] = f"base/decision/{path}"
            self._all_straight.add(number)
            # the row count is cached; the rows are checked when they are scored
            content = digest(str(part) for file in files[path] for part in file)
            self.execute(
                "insert into registry.run (run_no, run_id, condition_no, format, n_row, content_sha256) values (?, ?, "
                "?, 'parquet', ?, ?)",
                [number, run_id, condition_no, self._n_row(where, path), content],
            )

    def _n_row(self, where: str, path: str) -> int:
        """Return the rows of a run that was written straight, from the ends of its files, and check its columns."""
        if self.is_local:
            parts = _parts(where)
            try:
                found = dict(
                    self.rows(f"select column_name, column_type from (describe select * from {parquet_source(parts)})")
                )
                count = self.value(
                    f"select coalesce(sum(num_rows), 0) from parquet_file_metadata({quoted_files(parts)})"
                )
            except duckdb.Error as error:
                raise NotAStore(f"{self.shown}: base/decision/{path} cannot be read: {first_line(error)}.") from None
            wanted = {name: kind for name, (kind, _) in STRAIGHT.items()}
        else:
            frame = self.remote.session.read.parquet(where)
            found, count = dict(frame.dtypes), self.remote.count(frame)
            wanted = {name: kind for name, (_, kind) in STRAIGHT.items()}
        wrong = [
            f"{name} is {found.get(name, 'not there')}, not {kind}"
            for name, kind in wanted.items()
            if found.get(name) != kind
        ]
        if wrong:
            raise NotAStore(
                f"{self.shown}: base/decision/{path}: column {wrong[0]}. Write "
                f"{', '.join(f'{name} {kind}' for name, kind in wanted.items())}."
            )
        return count

    def _join(self, *parts: str) -> str:
        return "/".join((self.folder, *parts))

    def _read(self, path: str):
        return self.remote.session.read.parquet(self._join(path))

    @property
    def shown(self) -> str:
        """The folder as it may be shown."""
        parts = urlsplit(self.folder)
        return self.folder if self.is_local else f"{parts.scheme}://{parts.netloc.split('@')[-1]}{parts.path}"

    # ---- stored results

    def open_results(self, path: str, *, read_only: bool) -> None:
        """Attach the file of stored results, and store new results in it.

        Raises:
            StoreLocked: another process has it open.
            NotAStore: the file has other contents.
        """
        if read_only and not Path(path).exists():
            return
        try:
            self.execute(
                f"attach {quoted_path(path)} as kept_results "
                f"({'read_only' if read_only else 'storage_version ' + repr('v1.0.0')})"
            )
        except duckdb.Error as error:
            if "lock" in str(error).lower():
                raise StoreLocked(
                    f"{path}: another process has the results open. Close it there, wait until it is done, or name "
                    f"another file with results=FILE."
                ) from None
            raise NotAStore(
                f"{path}: cannot hold results: {first_line(error)}. Name another file with results=FILE."
            ) from None
        there = set(
            self.column(
                "select schema_name || '.' || table_name from duckdb_tables() where database_name = 'kept_results'"
            )
        )
        wanted = {f"ledger.{table}" for table in _KEPT}
        if there and not wanted <= there:
            raise NotAStore(f"{path}: holds no results of a store in Spark. Name another file with results=FILE.")
        if there:
            with self.transaction():
                for table in _KEPT:
                    self.execute(f"delete from ledger.{table}")
                    self.execute(f"insert into ledger.{table} by name select * from kept_results.ledger.{table}")
        if read_only:
            self.execute("detach kept_results")
        else:
            self._keeps = path

    def update_ledger(self) -> None:
        """Record the current contents of the folder in the ledger, and delete results of runs that it no longer has."""
        _record_own(self)
        refresh_current_inputs(self)
        made = dict(self.rows("select item, value from registry.made_with where item <> 'catalog'"))
        said = replay(self)
        loaded = {owner: detail for owner, (_, detail) in said.loads.items()}
        computed = {number: (subject, detail["profile"]) for number, (_, subject, detail) in said.computed.items()}
        if said.made != made:
            append(self, "define", "store", made)
        here = {
            row[0]: (row[1], row[2])
            for row in self.rows("""
            select computation.computation_no, 'run:' || condition.condition_id || '/' || run.run_id, profile.profile_id
            from ledger.computation as computation
            join registry.run as run on run.run_no = computation.run_no
            join registry.condition as condition on condition.condition_no = run.condition_no
            join registry.profile as profile on profile.profile_no = computation.profile_no""")
        }
        # runs were renumbered or removed: their numbers are recomputed on demand
        orphans = {
            subject
            for number in self.column("select computation_no from ledger.computation")
            if (subject := computed.get(number, ("", ""))[0]) and here.get(number) != computed.get(number)
        }
        owners = self.column("""
            select 'corpus:' || corpus_id from registry.corpus
            union select 'condition:' || condition_id from registry.condition
            union select 'run:' || condition.condition_id || '/' || run.run_id
            from registry.run as run join registry.condition as condition on condition.condition_no = run.condition_no
            union select owner from registry.input_file order by 1""")
        for subject in sorted(orphans | (loaded.keys() - set(owners))):
            gone = sql_list(number for number, (owner, _) in computed.items() if owner == subject)
            for table in (*RESULTS, "computation"):
                self.execute(f"delete from ledger.{table} where computation_no in ({gone})")
            append(self, "drop", subject, {})
            loaded.pop(subject, None)
        for owner in owners:
            entry = load_entry(self, owner)
            if loaded.get(owner) != entry[1]:
                append(self, "load", *entry)
        # profiles of a bundle come from the folder; shipped ones are those of the installation
        shipped = shipped_profiles()
        record_profiles(
            self, [name for name in self.column("select profile_id from registry.profile") if name not in shipped]
        )

    @contextmanager
    def transaction(self, *, keep: bool = True) -> Iterator[None]:
        with super().transaction(keep=keep):
            yield
        if keep:
            if self._standing is not None:
                self._standing.close()
                self._standing = None
            for view in self._provided.values():
                self.remote.drop("view", view)
            self._provided.clear()
            self._keep()

    def _keep(self) -> None:
        """Write the ledger to the file of the results, all or nothing."""
        if self._keeps is None or self.read_only:
            return
        self.execute("begin")
        try:
            self.execute("create schema if not exists kept_results.ledger")
            for table in _KEPT:
                self.execute(f"create or replace table kept_results.ledger.{table} as select * from ledger.{table}")
        except BaseException:
            self.execute("rollback")
            raise
        self.execute("commit")

    # ---- computing

    @contextmanager
    def change(self, *, keep: bool = True) -> Iterator[None]:
        raise NotOnEngine(
            "Nothing is loaded through Spark. Load it into a file with DuckDB, `tdtsql export` that, and open the "
            "folder again; "
            "a run may also be written into the folder straight (docs/spark.md)."
        )
        yield

    def reading(self, condition_nos: Sequence[int], run_nos: Sequence[int], profile_nos: Sequence[int]) -> None:
        n_row = self.value(f"select coalesce(sum(n_row), 0) from registry.run where run_no in ({sql_list(run_nos)})")
        self.remote.begin_pass(n_row)
        for run_no in sorted(set(run_nos) & self._straight.keys()):
            self._check_straight(run_no)

    def upload(self, scoped: str, table: str, select: str, run_nos: Sequence[int]) -> bool:
        if table in self.elsewhere:
            self.remote.show(scoped, self._decision_frame(sorted(self.decisions.keys() & set(run_nos))))
        else:
            self.remote.put(scoped, self.relation(select).to_arrow_table())
        return True

    def _decision_frame(self, run_nos: Sequence[int]):
        """Return the decisions of some runs as Spark reads them, in the columns of base.decision."""
        session = self.remote.session
        types = {"block_no": "int", "trial_no": "int", "segment_no": "int", "is_yes": "boolean", "score": "double"}
        schema = ", ".join(f"{name} {kind}" for name, kind in types.items())
        exported = [run_no for run_no in run_nos if run_no not in self._all_straight]
        frames = [self._straight_frame(run_no) for run_no in run_nos if run_no in self._all_straight]
        if len(exported) <= _BRANCHES:
            frames += [
                session.read.schema(schema).parquet(self.decisions[run_no]).selectExpr(f"{run_no} as run_no", *types)
                for run_no in exported
            ]
        else:
            names = self.rows(
                f"""select run.run_no, condition.condition_id, run.run_id from registry.run as run join
                registry.condition as condition
                on condition.condition_no = run.condition_no where run.run_no in ({sql_list(exported)}) order by 1"""
            )
            numbers = session.createDataFrame(names, "run_no int, condition string, run string").hint("broadcast")
            read = session.read.schema(f"{schema}, condition string, run string").option(
                "basePath", self._join("base", "decision")
            )
            frames.append(
                read.parquet(*[self.decisions[run_no] for run_no in exported])
                .join(numbers, ["condition", "run"])
                .select("run_no", *types)
            )
        if not frames:
            return session.createDataFrame([], f"run_no int, {schema}")
        return reduce(lambda left, right: left.unionAll(right), frames)

    def _straight_frame(self, run_no: int):
        """Return the decisions of a run that was written straight; the segment is looked up."""
        session = self.remote.session
        schema = ", ".join(f"{name} {kind}" for name, (_, kind) in STRAIGHT.items())
        frame = session.read.schema(schema).parquet(self.decisions[run_no])
        score = "case when score = 0 then 0D else score end as score"  # -0 loses its sign, as in loading
        condition_no, task = self.rows(
            """select condition.condition_no, condition.task from registry.run as run join registry.condition as
            condition
            on condition.condition_no = run.condition_no where run.run_no = ?""",
            [run_no],
        )[0]
        if TASKS[task].decides_on == "pair":
            return frame.selectExpr(f"{run_no} as run_no", "block_no", "trial_no", "0 as segment_no", "is_yes", score)
        segments = session.createDataFrame(
            self.relation(
                f"select story_no, segment_no from base.segment_story where condition_no = {condition_no}"
            ).to_arrow_table()
        )
        return frame.join(segments, frame.trial_no == segments.story_no, "left").selectExpr(
            f"{run_no} as run_no", "block_no", "trial_no", "coalesce(segment_no, 0) as segment_no", "is_yes", score
        )

    def _check_straight(self, run_no: int) -> None:
        """Refuse rows that loading would have refused, of a run that was written straight.

        Raises:
            NotAStore: with the defect and its count.
        """
        [(condition_no, task, corpus_no)] = self.rows(
            """select condition.condition_no, condition.task, condition.corpus_no from registry.run as run join
            registry.condition as condition
            on condition.condition_no = run.condition_no where run.run_no = ?""",
            [run_no],
        )
        blocks = (
            "0"
            if not TASKS[task].is_by_topic
            else sql_list(
                row[0] for row in self.rows("select block_no from base.block where condition_no = ?", [condition_no])
            )
        )
        trials = (
            f"select distinct trial_no as known_no from base.link_pair where condition_no = {condition_no}"
            if TASKS[task].decides_on == "pair"
            else f"select distinct story_no as known_no from base.story where corpus_no = {corpus_no}"
        )
        self._straight_frame(run_no).createOrReplaceTempView("straight")
        self.remote.put("straight_trial", self.relation(trials).to_arrow_table())
        self.remote.fetch(
            self,
            "straight_found",
            f"""
            select count(*) - count(block_no + trial_no + score + cast(is_yes as int)) as n_null,
                coalesce(sum(case when isnan(score) or abs(score) = double('infinity') then 1 else 0 end), 0) as n_odd,
                coalesce(sum(case when block_no not in ({blocks}) then 1 else 0 end), 0) as n_block,
                coalesce(sum(case when straight_trial.known_no is null then 1 else 0 end), 0) as n_trial
            from straight left join straight_trial on straight_trial.known_no = straight.trial_no""",
        )
        [found] = self.rows("select * from straight_found")
        self.remote.fetch(
            self,
            "straight_found",
            """select count(*) from (select block_no, trial_no from straight group by block_no, trial_no having
            count(*) > 1) as twice""",
        )
        found = (*found, self.value("select * from straight_found"))
        says = (
            "without a value",
            "with a score that is not finite",
            "of a block that the condition does not have",
            "on a trial that the condition does not have",
            "given twice (trials)",
        )
        wrong = [f"{count} {what}" for count, what in zip(found, says, strict=True) if count]
        for view in ("straight", "straight_trial"):
            self.remote.drop("view", view)
        if wrong:
            raise NotAStore(
                f"{self.shown}: {self._straight[run_no]}: rows {', '.join(wrong)}. Nothing of it was scored. Write "
                f"the run again, or remove its folder."
            )
        del self._straight[run_no]

    def sync(self, run_nos: Collection[int] | None = ()) -> None:
        wanted = self.decisions.keys() if run_nos is None else self.decisions.keys() & set(run_nos)
        count = self.value(f"select coalesce(sum(n_row), 0) from registry.run where run_no in ({sql_list(wanted)})")
        if count > MOST_BROUGHT:
            raise NotOnEngine(
                f"This needs {count:,} decisions on this machine, and downloads {MOST_BROUGHT:,} at most. Name fewer "
                f"runs, or do it with DuckDB on the folder's files."
            )
        if self.is_local:
            columns = [column for column in tables()["base.decision"].columns if column != "run_no"]
            for run_no in sorted(wanted - self.fetched() - self._all_straight) if wanted else ():
                self.execute(
                    f"insert into base.decision (run_no, {', '.join(columns)}) select {run_no}, {', '.join(columns)} "
                    f"from {parquet_source(_parts(self.decisions[run_no]))} order by all"
                )
        super().sync(sorted(wanted))

    # ---- asking

    def ask(self, sql: str):
        """Return a user's query as a relation of the local copy; InvalidQuery where it is more than one SELECT over the
        store.
        """
        single_select(sql)
        return super().ask(sql)

    def _provide(self, name: str) -> str | None:
        """Return the temporary view of a relation of the store; None for an unknown name."""
        if name in self._provided:
            return self._provided[name]
        if name.split(".", maxsplit=1)[0] in ("base", "metric", OWN_SCHEMA) and name not in tables():
            known = {**catalog(), **own_relations(self)}
            try:
                relation = find(known, name)
            except UnknownName:
                return None
            needed = closure(known, [relation.name])
            if any("base.decision" in known[step].header.inputs for step in needed):
                return self._stand(relation.name)
        view = f"store_{name.replace('.', '__')}"
        if name == "base.decision":
            runs = sorted(self.decisions)
            self.remote.show(view, self._decision_frame(runs))
        else:
            try:
                rows = self.relation(f"select * from {name}").to_arrow_table()
            except duckdb.CatalogException:
                return None
            self.remote.put(view, rows)
        self._provided[name] = view
        return view

    def _stand(self, name: str) -> str:
        """Compute a view over all runs, for a query of a user."""
        if self._standing is None:
            runs, conditions, profiles = (
                self.column(f"select {key} from registry.{table} order by 1")
                for key, table in (("run_no", "run"), ("condition_no", "condition"), ("profile_no", "profile"))
            )
            self._standing = RemoteScope(self, conditions, runs, profiles)
        scope = self._standing
        scope.build([step for step in closure(scope.relations, [name]) if step not in scope.names])
        return scope.names[name]

    def close(self) -> None:
        if self._keeps is not None:
            try:
                self.execute("detach kept_results")
            except duckdb.Error:
                self._keeps = None
        super().close()


def _parts(folder: str) -> list[Path]:
    """Return the Parquet files of a folder."""
    return sorted(Path(folder).glob("*.parquet"))


def _record_own(engine: Engine) -> None:
    """Record the user-defined metrics of the folder in the ledger, and those that it no longer has as dropped."""
    kept: dict[str, dict] = {}
    for subject, kind, detail in engine.rows("select subject, kind, detail from ledger.entry order by entry_no"):
        if subject.startswith(PREFIX):
            kept[subject] = entry_detail(detail) if kind == "define" else {}
    now = dict(own_entries(engine))
    for subject in sorted(subject for subject, detail in kept.items() if detail and subject not in now):
        append(engine, "drop", subject, {})
    for subject, entry in now.items():
        if kept.get(subject) != entry:
            append(engine, "define", subject, entry)
