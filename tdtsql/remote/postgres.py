"""A store in PostgreSQL that a team shares.

Every table is stored in PostgreSQL. The local copy holds all but the decisions, at one
revision: ``registry.revision`` counts the changes of each table, so only changed tables
are copied again. A writer holds an advisory lock for the whole operation: it refreshes the
copy first, and at the end uploads the differences in one transaction, which also checks
that no other writer intervened. Readers are not blocked: their views are computed in one
snapshot, that of the copy.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import sqlglot
from sqlglot import exp
from sqlglot.errors import ErrorLevel

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.postgres import Postgres, escaped
from tdtsql.engine.user_query import OWN_SCHEMA
from tdtsql.engine.quoting import sql_identifier, sql_identifiers, sql_list, sql_literal, quoted_path
from tdtsql.errors import BrokenDefinition, EngineUnavailable, InvalidSetting, NotAStore, StoreChanged, StoreLocked
from tdtsql.definitions import table as ddl
from tdtsql.definitions.catalogue import Relation, catalog, newest_of
from tdtsql.build.dialect import dialect
from tdtsql.definitions.hashes import digest
from tdtsql.build.render import render_view, transpile
from tdtsql.own.check import own_relation
from tdtsql.own.stored import check_own, create_own_views, own_files, own_relations
from tdtsql.store import schema
from tdtsql.cache import installed_key
from tdtsql.store.definitions import write_definitions
from tdtsql.store.empty import unpacked
from tdtsql.store.profiles import load_profiles
from tdtsql.store.opening import fill
from tdtsql.remote.local_copy import LocalCopy

#: the advisory lock of those who write
LOCK = int.from_bytes(b"tdtsql", "big")

#: tables that only PostgreSQL has, with their comments
_OWN = """
create table registry.revision (relation varchar primary key, revision bigint not null);
comment on table registry.revision is 'How often each table was changed';
comment on column registry.revision.relation is 'table';
comment on column registry.revision.revision is 'changes since the store was made';
create table registry.made_object (object varchar primary key, sha256 varchar not null);
comment on table registry.made_object is 'What the tables and views of this store were when they were made';
comment on column registry.made_object.object is 'kind and name';
comment on column registry.made_object.sha256 is 'hash of its definition, as the server writes it';
"""

#: a view elsewhere: it writes numbers as DuckDB does, so its rows are brought
_TEXTS = "ledger.profile_text"

#: the table with the texts of user-defined metrics, and its schemas in PostgreSQL
_DEFINITIONS = "registry.own_metric"
_SCHEMAS = [*schema.SCHEMAS, OWN_SCHEMA]

#: one consistent look
_SNAPSHOT = "transaction isolation level repeatable read"


# every engine's module has a function of this name
def open(address: str, *, read_only: bool = False, trace: bool = False) -> "CopyOfPostgres":  # noqa: A001
    """Open the store of a PostgreSQL database; create it where none exists.

    Raises:
        EngineUnavailable: the server cannot be reached, or denies access.
        NotAStore: the schema has other contents.
        BrokenDefinition: tables or views differ from the recorded definitions.
    """
    remote = Postgres(address, trace=trace)
    try:
        local = CopyOfPostgres(remote, trace=trace)
    except BaseException:
        remote.close()
        raise
    try:
        local.attach(read_only=read_only)
    except BaseException:
        local.close()
        raise
    return local


class CopyOfPostgres(LocalCopy):
    """The local copy of a store in PostgreSQL."""

    remote: Postgres

    def __init__(self, remote: Postgres, *, trace: bool = False):
        super().__init__(remote, trace=trace)
        self._is_attached = False
        self._depth = 0
        self._reads = 0
        #: table -> the revision of the local copy
        self._revisions: dict[str, int] = {}
        #: table -> owner -> hash of its rows in PostgreSQL
        self._known: dict[str, dict] = {}
        #: views of user-defined metrics that differ there from what was created
        self._altered: dict[str, str] = {}
        fill(self)
        self.path = remote.address

    # ---- opening

    def attach(self, *, read_only: bool) -> None:
        """Create the store where none exists, compare it with its definitions, and fill the local copy."""
        self.read_only = read_only
        if not self._is_there():
            if read_only:
                raise NotAStore(
                    f"{self.path}: the store does not exist. `tdtsql evaluate BUNDLE.toml --db {self.path}` makes one."
                )
            self._create()
        self._check_columns()
        self._check_objects()
        self._is_attached = True
        may_write = self.remote.value(
            "select bool_and(has_table_privilege(oid, 'INSERT') and has_table_privilege(oid, 'DELETE')) from pg_class "
            "where oid = any(%s::regclass[])",
            [list(ddl.tables())],
        )
        self.read_only = read_only or not may_write
        self.sync()
        made = dict(self.rows("select item, value from registry.made_with"))
        if not self.read_only and made.get("definitions") != installed_key():
            self._bring_up_to_date(made)

    def _is_there(self) -> bool:
        """Return whether the database has a store; NotAStore where it has something of that name."""
        found = {
            row[0] for row in self.remote.rows("select nspname from pg_namespace where nspname = any(%s)", [_SCHEMAS])
        }
        tables = {
            row[0]
            for row in self.remote.rows(
                """select relation.relname from pg_class as relation join pg_namespace as space on space.oid =
                relation.relnamespace
                where space.nspname = 'registry'"""
            )
        }
        if {"revision", "made_object", "run"} <= tables:
            if not self.remote.value("select has_schema_privilege('registry', 'USAGE')"):
                raise EngineUnavailable(
                    f"{self.path}: this user may not read the store. Ask its owner for the reading role."
                )
            return True
        if found:
            raise NotAStore(
                f"{self.path}: it has schemas of other things that are called {', '.join(sorted(found))}. Name "
                f"another database."
            )
        return False

    def _create(self) -> None:
        """Create schemas, tables, views and comments, with the contents of an empty store."""
        with self.remote.transaction():
            self.remote.execute(f"select pg_advisory_xact_lock({LOCK})")
            if self._is_there():  # another process created it first
                return
            self.remote.execute(";\n".join(_table_statements()))
            self.remote.execute(";\n".join(_view_statements()))
            self._write_objects()
            names = [*ddl.tables(), _TEXTS]
            self.remote.execute("insert into registry.revision select unnest(%s::text[]), 0", [names])
            self._known, self._revisions = {name: {} for name in names}, dict.fromkeys(names, 0)
            self._push()
        self._forget_pushed()

    def _bring_up_to_date(self, made: dict[str, str]) -> None:
        """Replace the views of another installation by those of this one."""
        if not self.remote.value(
            "select bool_and(pg_has_role(nspowner, 'USAGE')) from pg_namespace where nspname = any(%s)",
            [list(schema.SCHEMAS)],
        ):
            raise NotAStore(
                f"{self.path}: made with the definitions of tdtsql {made.get('tdtsql', '?')}, and other ones are "
                f"installed here. "
                "Install that version, or let the store's owner open it with this one, which updates it."
            )
        with self.lock(), self.remote.transaction(), self.transaction():
            views = self.remote.rows(
                "select space.nspname || '.' || relation.relname from pg_class as relation join pg_namespace as space "
                "on space.oid = relation.relnamespace where space.nspname = any(%s) and relation.relkind = 'v'",
                [list(schema.SCHEMAS)],
            )
            self.remote.execute(f"drop view {', '.join(row[0] for row in views)} cascade")
            self.remote.execute(";\n".join(_view_statements()))
            self._create_own_views()
            load_profiles(self, {}, "")
            write_definitions(self)

    # ---- definitions of the store

    def _check_columns(self) -> None:
        """Refuse a store whose tables have other columns than those of this version."""
        there: dict[str, list[str]] = {}
        for table, column in self.remote.rows(
            "select space.nspname || '.' || relation.relname, attribute.attname from pg_attribute as attribute join "
            "pg_class as relation "
            "on relation.oid = attribute.attrelid join pg_namespace as space on space.oid = relation.relnamespace "
            "where space.nspname = any(%s) "
            "and relation.relkind = 'r' and attribute.attnum > 0 and not attribute.attisdropped order by "
            "attribute.attnum",
            [list(schema.SCHEMAS)],
        ):
            there.setdefault(table, []).append(column)
        for name, table in ddl.tables().items():
            if odd := set(there.get(name, ())) ^ set(table.columns):
                raise NotAStore(
                    f"{self.path}: {name} has other columns than this version of tdtsql makes "
                    f"({', '.join(sorted(odd))}). "
                    "Evaluate the bundle into a new database."
                )

    def _check_objects(self) -> None:
        """Refuse tables and views that were altered since their creation.

        Raises:
            BrokenDefinition: names each of them.
        """
        with self.remote.transaction(_SNAPSHOT):
            made = dict(self.remote.rows("select object, sha256 from registry.made_object"))
            here = self._objects()
        if made.pop("server", None) != here.pop("server"):
            return  # another version of the server writes the same definitions otherwise
        found, altered = [], {}
        for name in sorted(made.keys() | here.keys()):
            if name in made and made[name] != here.get(name) and name.startswith(f"view {OWN_SCHEMA}."):
                altered[name.removeprefix("view ")] = here.get(name, "")
            elif name not in here:
                found.append(f"{self.path}: {name} is missing. Restore it, or copy the store into a new database.")
            elif name not in made:
                found.append(f"{self.path}: {name} was added. Drop it: the schemas of a store are its own.")
            elif made[name] != here[name]:
                found.append(
                    f"{self.path}: {name} differs from its definition (created {made[name][:8]}, now "
                    f"{here[name][:8]}). "
                    "Restore it, or copy the store into a new database."
                )
        if found:
            raise BrokenDefinition("\n".join(found))
        if altered != self._altered:
            self._altered = altered
            if self._is_attached:
                self._copy_own_views()

    def _objects(self) -> dict[str, str]:
        """Return a hash of every table, view, function and trigger in the schemas of the store, and of the server's
        version.
        """
        path = self.remote.value("show search_path")
        self.remote.execute("set search_path = pg_catalog")  # names in definitions are written in full
        rows = self.remote.rows(
            """
            with relation as (
                select class.oid, class.relkind, class.relrowsecurity, space.nspname || '.' || class.relname as name
                from pg_class as class join pg_namespace as space on space.oid = class.relnamespace
                where space.nspname = any(%(schemas)s)
            )
            select 'table ' || relation.name, relation.relrowsecurity || string_agg(
                concat_ws(' ', attribute.attname, format_type(attribute.atttypid, attribute.atttypmod),
                    attribute.attnotnull, attribute.attcollation), ', '
                order by attribute.attnum)
            from relation join pg_attribute as attribute on attribute.attrelid = relation.oid and attribute.attnum > 0
                and not attribute.attisdropped
            where relation.relkind in ('r', 'p', 'f') group by relation.name, relation.relrowsecurity
            union all
            select 'view ' || relation.name, pg_get_viewdef(relation.oid) from relation
            where relation.relkind in ('v', 'm')
            union all
            select 'function ' || space.nspname || '.' || routine.proname || '(' ||
                pg_get_function_identity_arguments(routine.oid) || ')', routine.prosrc
            from pg_proc as routine join pg_namespace as space on space.oid = routine.pronamespace
            where space.nspname = any(%(schemas)s)
            union all
            select 'trigger ' || trigger.tgname || ' on ' || relation.name, pg_get_triggerdef(trigger.oid)
            from relation join pg_trigger as trigger on trigger.tgrelid = relation.oid where not trigger.tgisinternal
            union all
            select 'rule ' || rule.rulename || ' on ' || relation.name, pg_get_ruledef(rule.oid)
            from relation join pg_rewrite as rule on rule.ev_class = relation.oid where rule.rulename <> '_RETURN'
            """,
            {"schemas": _SCHEMAS},
        )
        self.remote.execute(f"set search_path = {path or chr(39) * 2}")
        return {name: digest([text]) for name, text in rows} | {"server": self.remote.version.split(".")[0]}

    def _write_objects(self) -> None:
        self.remote.execute("delete from registry.made_object")
        objects = self._objects()
        self.remote.execute(
            "insert into registry.made_object select unnest(%s::text[]), unnest(%s::text[])",
            [list(objects), list(objects.values())],
        )

    def _create_own_views(self) -> None:
        """Create the views of user-defined metrics there, in place of those that it has, and record all objects."""
        relations = own_relations(self)
        there = self.remote.rows(
            "select relation.relname from pg_class as relation join pg_namespace as space on space.oid = "
            "relation.relnamespace where space.nspname = %s and relation.relkind = 'v'",
            [OWN_SCHEMA],
        )
        statements = [f"drop view if exists {OWN_SCHEMA}.{sql_identifier(name)} cascade" for [name] in there]
        self.remote.execute(
            ";\n".join([f"create schema if not exists {OWN_SCHEMA}", *statements, *_statements_of(relations)])
        )
        self._write_objects()

    def _copy_own_views(self) -> None:
        """Create the views of user-defined metrics in the local copy; one that was altered there differs here too.

        The texts are those of the server, where others may write: only texts that pass the check become views.
        """
        relations = {}
        for _, view, text in own_files(self):
            if not check_own([(view, view, text)])[1]:
                relations[f"{OWN_SCHEMA}.{view}"] = own_relation(text, view)
        create_own_views(self, relations)
        for view, text in self._altered.items():
            self.execute(f"drop view if exists {view}")
            if text:
                self.execute(f"create view {view} as select 'altered in PostgreSQL' as message")

    # ---- reading

    def sync(self, run_nos: Collection[int] | None = ()) -> None:
        if self.in_transaction:  # under the lock: what is here is current
            super().sync(run_nos)
            return
        self.reading([], run_nos or [], [])
        try:
            super().sync(run_nos)
        finally:
            self.done_reading()

    def reading(self, condition_nos: Collection[int], run_nos: Collection[int], profile_nos: Collection[int]) -> None:
        self._reads += 1
        if self._reads > 1 or self._depth:
            return
        try:
            self.remote.execute(f"begin {_SNAPSHOT}")
            numbers = (condition_nos, run_nos, profile_nos)
            before = self._meaning(*numbers)
            if self._pull() and self._meaning(*numbers) != before:
                raise StoreChanged(f"{self.path}: another connection changed it at the same time. Try again.")
        except BaseException:
            self.done_reading()
            raise

    def done_reading(self) -> None:
        self._reads -= 1
        if not self._reads and not self._depth:
            self.remote.abandon()

    def _meaning(self, *numbers: Collection[int]) -> list[tuple]:
        """Return the rows that identify these conditions, runs and profiles."""
        condition_nos, run_nos, profile_nos = numbers
        return self.rows(f"""
            select 'run', run_no, run_id, condition_no from registry.run where run_no in ({sql_list(run_nos)})
            union all select 'condition', condition_no, condition_id, corpus_no from registry.condition
            where condition_no in ({sql_list(condition_nos)})
            union all select 'profile', profile_no, profile_id, 0 from registry.profile
            where profile_no in ({sql_list(profile_nos)}) order by all""")

    def ask(self, sql: str):
        # the server parses it as one statement, and COPY accepts only queries
        with self.remote.transaction(f"{_SNAPSHOT} read only"):
            self.remote.check_functions(sql)
            return super().ask(sql.strip().removesuffix(";"))

    def _pull(self) -> bool:
        """Download changed tables into the local copy, in the caller's snapshot. Return whether any had changed."""
        there = dict(self.remote.rows("select relation, revision from registry.revision"))
        changed = [name for name, revision in there.items() if self._revisions.get(name) != revision]
        wanted = [name for name in ddl.tables() if name in changed and name not in self.elsewhere]
        if not changed:
            return False
        self.verified_owners.clear()
        self.remote.execute("set local max_parallel_workers_per_gather = 0")  # rows in their order
        self.execute("begin")
        try:
            self.execute("delete from base.decision")
            for name in wanted:
                columns = sql_identifiers(ddl.tables()[name].columns)
                self.remote.fetch(self, "pulled", f"select {columns} from {name}", _types(name))
                self.execute(f"delete from {name}")
                self.execute(f"insert into {name} ({columns}) select {columns} from pulled")
            self.execute("drop table if exists pulled")
            if _DEFINITIONS in wanted:
                self._copy_own_views()
        except BaseException:
            self.execute("rollback")
            raise
        self.execute("commit")
        for name in changed:
            self._known.pop(name, None)
        self._known.pop(_TEXTS, None)
        self._revisions = there
        return True

    # ---- writing

    @contextmanager
    def lock(self) -> Iterator[None]:
        if self._depth or self.read_only or not self._is_attached:
            self._depth += bool(self._depth)
            try:
                yield
            finally:
                self._depth -= bool(self._depth)
            return
        self._lock()
        try:
            self.sync()
            self._depth = 1
            yield
        finally:
            self._depth = 0
            self._unlock()

    def _lock(self) -> None:
        try:
            self.remote.execute(f"select pg_advisory_lock({LOCK})")
        except EngineUnavailable as error:
            if "lock timeout" in str(error):
                raise StoreLocked(f"{self.path}: another connection holds the write lock. Try again later.") from None
            raise

    def _unlock(self) -> None:
        try:
            self.remote.execute(f"select pg_advisory_unlock({LOCK})")
        except EngineUnavailable:
            pass  # the lock went with the connection

    @contextmanager
    def transaction(self, *, keep: bool = True) -> Iterator[None]:
        if not self._is_attached or not keep:
            with super().transaction(keep=keep):
                yield
            return
        if self.read_only:
            raise EngineUnavailable(
                f"{self.path}: it is read-only, or this user may not write. Request the loading role from the owner "
                f"of the store."
            )
        with self.lock():
            for name in [*ddl.tables(), _TEXTS]:
                if name not in self.elsewhere and name not in self._known:
                    self._known[name] = self._fingerprints(name)
            self.there = self.contents()
            try:
                with super().transaction():
                    yield
            finally:
                self.there = None
            self._forget_pushed()

    def _before_commit(self) -> None:
        if self._is_attached:
            with self.remote.transaction():
                self._push()

    def _push(self) -> None:
        """Write what changed in the local copy, in the transaction under way there."""
        if package := self.value("select min(package) from registry.package"):
            raise InvalidSetting(f"{self.path}: task package {package} needs a DuckDB store. Name one in a file.")
        changed = {}
        for name in [*ddl.tables(), _TEXTS]:
            if name in self.elsewhere:
                continue
            now, before = self._fingerprints(name), self._known[name]
            if keys := [key for key in now.keys() | before.keys() if now.get(key) != before.get(key)]:
                changed[name] = (keys, now)
        there, runs = self.there or {}, self.contents()
        replaced = [number for number in there.keys() | runs.keys() if there.get(number) != runs.get(number)]
        names = [*changed, *(["base.decision"] if replaced else [])]
        if not names:
            return
        revisions = self.remote.rows("select relation, revision from registry.revision order by relation for update")
        if dict(revisions) != self._revisions:
            raise StoreChanged(
                f"{self.path}: another connection changed it without the lock. Nothing was stored; try again."
            )
        for name, (keys, _) in changed.items():
            self._replace(name, keys)
        if _DEFINITIONS in changed:
            self._create_own_views()
        if replaced:
            self._replace("base.decision", replaced, runs.keys() & set(replaced))
        moved = dict(
            self.remote.rows(
                "update registry.revision set revision = revision + 1 where relation = any(%s) returning relation, "
                "revision",
                [names],
            )
        )
        self._pushed = (moved, {name: now for name, (_, now) in changed.items()})

    def _replace(self, name: str, keys: Sequence, copied: Collection | None = None) -> None:
        """Delete the rows of some owners there, and copy those of the local copy."""
        columns = _types(name)
        key = next(iter(columns))
        kind = "text" if columns[key] == "VARCHAR" else "bigint"
        self.remote.execute(f"delete from {name} where {key} = any(%s::{kind}[])", [list(keys)])
        chosen = list(keys if copied is None else copied)
        if not chosen:
            return
        selected = ", ".join(
            f"{escaped(sql_identifier(column))} as {sql_identifier(column)}"
            if kind == "VARCHAR"
            else sql_identifier(column)
            for column, kind in columns.items()
        )
        self.execute("create or replace temp table chosen as select unnest($keys) as key", {"keys": chosen})
        with TemporaryDirectory(prefix="tdtsql-") as folder:
            path = Path(folder) / "rows.tsv"
            n_row = self.value(
                f"copy (select {selected} from {name} where {key} in (select key from chosen)) to {quoted_path(path)} "
                "(format csv, header false, delimiter '\t', quote '', escape '', nullstr '\\N')"
            )
            if n_row:
                self.remote.copy_in(name, list(columns), path)
        self.execute("drop table chosen")

    def _forget_pushed(self) -> None:
        """Record what PostgreSQL holds now, and drop the local decisions."""
        moved, known = self.__dict__.pop("_pushed", ({}, {}))
        self._revisions |= moved
        self._known |= known
        if "base.decision" in moved:
            self.execute("delete from base.decision")
        for name in moved:
            # the planner's view of what was loaded; a warning where this user does not own the table
            self.remote.execute(f"analyze {name}")

    def _fingerprints(self, name: str) -> dict:
        """Return owner -> (rows, two hashes over them, whatever their order)."""
        columns = list(_types(name))
        values = sql_identifiers(columns)
        return {
            key: (count, one, other)
            for key, count, one, other in self.rows(
                f"select {columns[0]}, count(*), sum(hash({values})), bit_xor(hash('second', {values})) from {name} "
                f"group by 1"
            )
        }


def _types(name: str) -> dict[str, str]:
    """Return column -> DuckDB's type of a table."""
    if name == _TEXTS:
        return {"profile_no": "INTEGER", "profile_text": "VARCHAR"}
    table = ddl.tables()[name]
    return {column: table.type_of(column).upper() for column in table.columns}


def _no_rows(name: str) -> str:
    """Return a SELECT without rows, with the columns of a view that only DuckDB can read: here a kernel finds them."""
    with unpacked() as path:
        empty = Engine(str(path), read_only=True)
        try:
            types = empty.rows(
                "select column_name, data_type from registry.contract where relation = $name order by column_no",
                {"name": name},
            )
        finally:
            empty.close()
    columns = ", ".join(f"cast(null as {kind}) as {sql_identifier(column)}" for column, kind in types)
    return transpile(f"select {columns} where false", dialect("postgres"), name)


def _table_statements() -> list[str]:
    """Return the statements that create schemas and tables, with keys, indexes and comments."""
    statements = [
        statement
        for name, text in {**schema.SCHEMAS, OWN_SCHEMA: "User-defined metrics"}.items()
        for statement in (f"create schema {name}", f"comment on schema {name} is {sql_literal(text)}")
    ]
    for table in ddl.tables().values():
        tree = sqlglot.parse_one(table.portable_statement, read="duckdb")
        for column in tree.find_all(exp.ColumnDef):
            if column.kind and column.kind.this in exp.DataType.TEXT_TYPES:
                # the order of texts must not depend on the collation of the database
                column.append(
                    "constraints",
                    exp.ColumnConstraint(kind=exp.CollateColumnConstraint(this=exp.Identifier(this="C", quoted=True))),
                )
        statements.append(tree.sql("postgres", unsupported_level=ErrorLevel.RAISE, comments=False))
        statements += schema.table_comments(table)
        first = next(iter(table.columns))
        if not any(
            isinstance(node, exp.PrimaryKeyColumnConstraint)
            for node in next(tree.find_all(exp.ColumnDef)).find_all(exp.ColumnConstraintKind)
        ):
            statements.append(f"create index on {table.name} ({first})")
    statements.append(
        'create table ledger.profile_text (profile_no integer primary key, profile_text varchar collate "C" not null)'
    )
    statements += [
        statement.replace("comment on view", "comment on table")
        for statement in schema.view_comments(_TEXTS, catalog()[_TEXTS])
    ]
    return [*statements, _OWN]


def _view_statements() -> list[str]:
    """Return the statements that create every view of this installation, its alias and comments."""
    # profile_text is a table, with the texts that DuckDB writes
    return _statements_of({name: relation for name, relation in catalog().items() if name != _TEXTS})


def _statements_of(relations: Mapping[str, Relation]) -> list[str]:
    """Return the statements that create views, in build order, their aliases and comments."""
    statements = []
    for name, relation in relations.items():
        select = (
            _no_rows(name) if relation.header.only_duckdb else render_view(relation, dialect("postgres"), {}, relations)
        )
        statements += [f"create view {name} as\n{select}", *schema.view_comments(name, relation)]
    for alias, select in schema.alias_texts(relations).items():
        statements += [f"create view {alias} as {select}", *schema.view_comments(alias, newest_of(relations)[alias])]
    return statements
