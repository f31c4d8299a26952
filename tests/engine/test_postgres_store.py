"""A store in PostgreSQL: its numbers are DuckDB's, several people work in it at once, and nothing is ever half
there.
"""

import math
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import tdtsql
from tdtsql.engine.quoting import sql_identifiers
from tdtsql.engine.postgres import Postgres, escaped
from tdtsql.errors import (
    BrokenDefinition,
    EngineUnavailable,
    ExportExists,
    InvalidQuery,
    InvalidSetting,
    NotAStore,
    StoreChanged,
    StoreLocked,
)
from tdtsql.definitions.table import tables
from tdtsql.build.dialect import dialect
from tdtsql.build.render import transpile
from inside import copy_store, postgres_store, registry, RESULTS, same, shipped_profiles

pytestmark = pytest.mark.engine

ROOT = Path(__file__).resolve().parents[2]

_NUMBERS = {
    "report.score": "condition_id, run_id, profile_id, subset, metric, weighting, n, version, value",
    "report.block_score": "condition_id, run_id, profile_id, subset, block_id, metric, version, value",
    "report.block_label": "condition_id, run_id, profile_id, block_id, metric, value",
    "report.det_point": "condition_id, run_id, profile_id, subset, weighting, block_id, point_no, n_block, threshold, "
    "p_miss, p_fa, p_miss_se, p_fa_se, c_det_norm",
    "report.score_distribution": "condition_id, run_id, profile_id, block_id, prior, n_on, n_off, fitted_threshold, "
    "best_threshold, best_cost_norm",
}


def numbers(store, relation, keys):
    columns = _NUMBERS[relation]
    return store.relation(
        f"select {columns} from {relation} order by {', '.join(columns.split(', ')[:keys])}"
    ).fetchall()


def assert_same_numbers(ours, theirs) -> int:
    """Hold every kept number of two stores against each other; returns how many rows there are."""
    libm = {
        row[0]
        for row in ours.relation(
            "select metric.metric from registry.metric as metric join registry.definition as definition on "
            "definition.relation = metric.relation "
            "where definition.class = 'libm'"
        ).fetchall()
    }
    n_row = 0
    for relation, keys in {
        "report.score": 8,
        "report.block_score": 7,
        "report.block_label": 5,
        "report.det_point": 7,
        "report.score_distribution": 5,
    }.items():
        place = _NUMBERS[relation].split(", ").index("metric") if "metric" in _NUMBERS[relation].split(", ") else None
        left, right = numbers(ours, relation, keys), numbers(theirs, relation, keys)
        assert len(left) == len(right), relation
        n_row += len(left)
        for one, other in zip(left, right, strict=True):
            if one == other:
                continue
            is_exact = place is None or one[place] not in libm
            assert all(a == b or same(a, b, exact=is_exact) for a, b in zip(one, other, strict=True)), (
                relation,
                one,
                other,
            )
    return n_row


def forget_numbers(store) -> None:
    """Make every number of a store stale."""
    with store.engine.lock(), store.engine.transaction():
        for table in RESULTS:
            store.engine.execute(f"delete from ledger.{table}")
        store.engine.execute("delete from ledger.computation")


def open_store(server, database, **options):
    return tdtsql.connect(server.address(database), **options)


def process(code: str, **environment) -> subprocess.Popen:
    """Start Python on ``code``, as another user of the store would."""
    return subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, **environment},
    )


@pytest.fixture
def copy(example, server):
    """Return a database with a store of the example."""
    return server.database(example[1])


# ---- numbers


def test_every_golden_case_has_duckdbs_numbers(golden_file, golden_database, server):
    with (
        tdtsql.connect(golden_file, read_only=True) as ours,
        open_store(server, server.database(golden_database)) as theirs,
    ):
        forget_numbers(theirs)
        assert theirs.relation("select count(*) from report.score").fetchall() == [(0,)]
        assert theirs.refresh() == ours.relation("select count(*) from ledger.current_computation").fetchall()[0][0]

        assert assert_same_numbers(ours, theirs) > 100_000


def test_the_views_there_say_the_same_as_here(copy, server):
    with open_store(server, copy, read_only=True) as store:
        for relation in (
            "report.score",
            "report.block_score",
            "report.block_label",
            "report.det_point",
            "report.stale",
            "report.leaderboard",
            "report.condition",
        ):
            columns = ", ".join(store.relation(f"select * from {relation}").columns)
            theirs = store.sql(f"select {columns} from {relation}").order("all").fetchall()
            assert theirs == store.relation(f"select {columns} from {relation} order by all").fetchall(), relation


def test_wide_numbers_are_the_same_on_both(server):
    """Fixed-point numbers past 2^63, and doubles made of sums past 2^64, which DuckDB before 2.0.1 rounds in two
    steps.
    """
    queries = [
        (
            "select cast(floor(a.x * 1e15 + 5e-1) as decimal(38, 0)) as y from base.t as a",
            [math.sin(n) * 10.0 ** (n % 13) for n in range(400)],
        ),
        (
            "select cast(cast(1 as decimal(38, 0)) * a.x - cast(7 as decimal(38, 0)) * a.x as double) as y from "
            "base.t as a",
            [-(10 ** (15 + n % 9)) - n**7 * 31337 for n in range(400)],
        ),
    ]
    remote, local = Postgres(server.address("postgres")), tdtsql.connect(":memory:").engine
    for query, values in queries:
        kind = "double" if isinstance(values[0], float) else "decimal(38, 0)"
        rows = " union all ".join(f"select {n} as n, cast('{value}' as {kind}) as x" for n, value in enumerate(values))
        asked = [
            text.replace("base.t", f"({rows.replace('double', name)})")
            .replace("select cast", "select a.n as n, cast", 1)
            .replace("SELECT", "SELECT a.n as n,", 1)
            for text, name in (
                (query, "double"),
                (transpile(query, dialect("postgres"), "a query"), "double precision"),
            )
        ]
        theirs = [(n, float(y) if kind != "double" else int(y)) for n, y in sorted(remote.rows(asked[1]))]
        ours = [(n, float(y) if kind != "double" else int(y)) for n, y in sorted(local.rows(asked[0]))]
        assert theirs == ours
    remote.close()


# ---- what goes over


def test_texts_and_numbers_come_over_bit_for_bit(server, tmp_path):
    texts = [
        "",
        "\\N",
        "\\",
        "\\.",
        "a\tb",
        "a\n\\.\nb",
        "\r",
        "\r\n",
        '"',
        '""',
        "NULL",
        " ",
        "#",
        "a\\nb",
        "'",
        ",",
        "\x01\x0b\x0c",
        "é\u2028🎲",
        None,
    ]
    doubles = [math.inf, -math.inf, -0.0, 0.0, 5e-324, 1.7976931348623157e308, 0.1, 1 / 3, 123456789012345680.0, None]
    remote = Postgres(server.address(server.database()))
    local = tdtsql.connect(":memory:").engine
    local.execute("create table here (number integer, text varchar, value double, flag boolean, big bigint)")
    for number, text in enumerate(texts):
        local.execute(
            "insert into here values (?, ?, ?, ?, ?)",
            [
                number,
                text,
                doubles[number % len(doubles)],
                [True, False, None][number % 3],
                (-1) ** number * (2**63 - 1 - number),
            ],
        )
    local.execute(
        f"copy (select number, {escaped('text')}, value, flag, big from here) to '{tmp_path}/rows' (format csv, "
        f"header false, delimiter '\t', quote '', escape '', nullstr '\\N')"
    )
    remote.execute(
        "create table there (number integer, text varchar, value double precision, flag boolean, big bigint)"
    )
    remote.copy_in("there", ["number", "text", "value", "flag", "big"], tmp_path / "rows")
    types = {"number": "INTEGER", "text": "VARCHAR", "value": "DOUBLE", "flag": "BOOLEAN", "big": "BIGINT"}
    for given in (types, None):
        remote.fetch(local, "back", "select number, text, value, flag, big from there", given)
        rows = local.rows("select * from back order by number")
        assert rows == local.rows("select * from here order by number")
        assert [row[2] is not None and math.copysign(1, row[2]) for row in rows] == [
            row[2] is not None and math.copysign(1, row[2]) for row in local.rows("select * from here order by number")
        ]
    remote.close()


def test_a_long_text_comes_over(server):
    remote, local = Postgres(server.address("postgres")), tdtsql.connect(":memory:").engine
    remote.fetch(local, "long", "select repeat('x', 5000000) as text union all select 'y'")

    assert local.rows("select length(text) from long order by 1") == [(1,), (5_000_000,)]
    remote.close()


@pytest.mark.smoke
def test_a_store_goes_there_and_back(example, server, tmp_path):
    with (
        tdtsql.connect(tmp_path / "back.duckdb") as back,
        open_store(server, server.database()) as there,
        tdtsql.connect(example[0], read_only=True) as source,
    ):
        copy_store(source.engine, there.engine)
        copy_store(there.engine, back.engine)
        for name, table in tables().items():
            query = (
                f"select {sql_identifiers(table.columns)} from {name} "
                f"{'where item <> $$catalog$$' if name == 'registry.made_with' else ''} order by all"
            )
            assert back.relation(query).fetchall() == source.relation(query).fetchall(), name
        with pytest.raises(ExportExists, match="is not empty"):
            copy_store(source.engine, there.engine)


# ---- a user's queries


def test_a_query_has_its_types(copy, server):
    with open_store(server, copy, read_only=True) as store:
        relation = store.sql(
            "select count(*) as n, sum(run_no) as total, avg(run_no) as mean, 1.5::numeric(4, 2) as price, null::text "
            "as nothing, "
            "date '2004-10-01' as day, run_no > 0 as flag, 2 as n from registry.run group by run_no > 0 -- all of them"
        )

        assert relation.columns == ["n", "total", "mean", "price", "nothing", "day", "flag", "n_1"]
        assert [str(kind) for kind in relation.types] == [
            "BIGINT",
            "BIGINT",
            "DOUBLE",
            "DECIMAL(4,2)",
            "VARCHAR",
            "DATE",
            "BOOLEAN",
            "INTEGER",
        ]


@pytest.mark.parametrize(
    "query",
    [
        "delete from registry.run",
        "drop table base.decision",
        "select 1; select 2",
        "select 1) to program 'touch /tmp/x' --",
        "",
        "set work_mem = '1GB'",
        "with gone as (delete from registry.run returning *) select * from gone",
        "select nonsense",
        "copy registry.run to stdout",
        "select $1",
        "select 1/0",
        "create temp table mine as select 1",
        "commit",
        "vacuum",
        "select lo_create(0)",
        "select set_config('search_path', 'x', false)",
        "select pg_advisory_lock(1)",
        'select "lo_create" (0)',
        "select pg_catalog.lo_create/* /* */ */(0)",
        "select lo_create -- here\n(0)",
        'select U&"lo\\005fcreate"(0)',
        "select E'\\'', lo_create(0), ''",
        "select nextval('mine')",
        "select query_to_xml('delete from registry.run', true, true, '')",
        "explain analyze delete from registry.run",
        "select 1); delete from registry.run; select (1",
        "select set_config('transaction_read_only', 'off', false)",
        "select pg_notify('a', 'b')",
    ],
)
def test_a_query_changes_nothing(query, copy, server):
    with open_store(server, copy) as store:
        before = store.sql("select count(*) as n from registry.run").fetchall()
        with pytest.raises(InvalidQuery):
            store.engine.run_user_query(query)

        assert store.sql("select count(*) as n from registry.run").fetchall() == before
        assert store.engine.remote.rows("select count(*) from pg_largeobject_metadata") == [(0,)]


def test_functions_that_only_compute_are_taken(copy, server):
    with open_store(server, copy) as store:
        assert store.sql(
            "select upper('a') as a, abs(-1) as b, random() >= 0 as c, /* upper */ now() is not null as d"
        ).fetchall() == [("A", 1, True, True)]


# ---- several people


_ADD = """
import sys, tdtsql
with tdtsql.connect({address!r}) as store:
    pairs = store.relation("select id_1, id_2 from base.link_pair as pair "
        "join registry.condition as condition using (condition_no) "
                           "where condition_id = 'link-mul-10' order by trial_no").fetchall()
    for run in {runs!r}:
        seed = sum(map(ord, run))
        rows = [(one, other, "yes" if (number * seed) % 3
            else "no", ((number * seed) % 101) / 7) for number, (one, other) in enumerate(pairs)]
        import pandas
        store.add_run(run, condition="link-mul-10", decisions=pandas.DataFrame(rows, columns=["story_id_1",
            "story_id_2", "decision", "score"]))
        store.refresh()
"""


def test_two_processes_add_runs_at_once(example, copy, server, tmp_path):
    names = [["first", "second", "third"], ["fourth", "fifth"]]
    started = [process(_ADD.format(address=server.address(copy), runs=runs)) for runs in names]
    assert [(child.wait(300), child.stdout.read()) for child in started] == [(0, ""), (0, "")]
    alone = tmp_path / "alone.duckdb"
    alone.write_bytes(example[0].read_bytes())
    child = process(_ADD.format(address=str(alone), runs=names[0] + names[1]))
    assert (child.wait(300), child.stdout.read()) == (0, "")
    with tdtsql.connect(alone) as ours, open_store(server, copy) as theirs:
        assert theirs.refresh() == 0
        assert assert_same_numbers(ours, theirs)
        assert [
            row[0]
            for row in theirs.relation(
                "select run_id from registry.run where run_id like '%th' or run_id in ('first', 'second', 'third') "
                "order by 1"
            ).fetchall()
        ] == ["fifth", "first", "fourth", "second", "third"]
        assert server.psql("select count(*), count(distinct run_no) from base.decision", copy) == "{}|{}\n".format(
            *ours.relation("select count(*), count(distinct run_no) from base.decision").fetchall()[0]
        )


def test_two_people_make_a_store_at_once(server):
    name = server.database()
    code = "import tdtsql; print(tdtsql.connect({!r}).relation('select count(*) from registry.profile').fetchall())"
    started = [process(code.format(server.address(name))) for _ in range(3)]

    assert {child.communicate(timeout=300)[0] for child in started} == {f"[({len(shipped_profiles())},)]\n"}


def test_a_reader_sees_the_old_state_whole(copy, server, monkeypatch):
    """In the middle of another's load, the tables, the views and a curve are those from before."""
    seen = []
    with open_store(server, copy, read_only=True) as reader, open_store(server, copy) as writer:

        def look():
            return (
                reader.score(run="osprey").fetchall(),
                reader.det_curve("osprey", condition="trk-eng-1").fetchall(),
                reader.sql("select count(*) as n from base.decision").fetchall(),
                reader.sql("select run_id from registry.run order by run_no").fetchall(),
            )

        before = look()
        replace = postgres_store.CopyOfPostgres._replace

        def slow(self, name, *rest):
            replace(self, name, *rest)
            if name in ("registry.run", "base.decision"):
                seen.append(look())

        monkeypatch.setattr(postgres_store.CopyOfPostgres, "_replace", slow)
        writer.drop_run("osprey", "trk-eng-1")
        monkeypatch.undo()

        assert len(seen) == 2
        assert all(state == before for state in seen)
        assert len(reader.sql("select run_id from registry.run").fetchall()) == len(before[3]) - 1
        with pytest.raises(tdtsql.errors.UnknownName):
            reader.refresh()
            reader.det_curve("osprey", condition="trk-eng-1")


def test_numbers_of_an_old_copy_are_not_mixed_with_new_tables(copy, server):
    with open_store(server, copy, read_only=True) as reader, open_store(server, copy) as writer:
        writer.drop_run("osprey", "trk-eng-1")
        with pytest.raises(StoreChanged, match="at the same time. Try again"):
            reader.det_curve("osprey", condition="trk-eng-1")
        assert reader.det_curve("kestrel", condition="trk-eng-1").fetchall()


def test_who_writes_waits_for_the_other(copy, server, monkeypatch):
    with open_store(server, copy) as first, open_store(server, copy) as second:
        done = threading.Event()

        def drop():
            second.drop_run("kestrel", "trk-eng-1")
            done.set()

        with first.engine.lock():
            other = threading.Thread(target=drop)
            other.start()
            assert not done.wait(1)
            first.drop_run("osprey", "trk-eng-1")
        assert done.wait(60)
        other.join()
        first.refresh()
        second.refresh()
        assert (
            first.relation("select run_id, condition_no from registry.run order by all").fetchall()
            == second.relation("select run_id, condition_no from registry.run order by all").fetchall()
        )
        monkeypatch.setenv("PGOPTIONS", "-c lock_timeout=300")
        with (
            open_store(server, copy) as third,
            first.engine.lock(),
            pytest.raises(StoreLocked, match="another connection holds the write lock"),
        ):
            third.drop_run("sparrow", "trk-eng-1")


def test_who_writes_without_the_lock_is_noticed(copy, server):
    with open_store(server, copy) as store:
        before = server.psql("select count(*) from registry.run", copy)
        with (
            pytest.raises(StoreChanged, match="without the lock. Nothing was stored"),
            store.engine.lock(),
            store.engine.transaction(),
        ):
            registry.drop_run(store.engine, 1)
            server.psql("update registry.revision set revision = revision + 1 where relation = 'base.block'", copy)
        assert server.psql("select count(*) from registry.run", copy) == before
        assert str(store.relation("select count(*) from registry.run").fetchall()[0][0]) == before.strip()
        store.drop_run("osprey", "trk-eng-1")
        store.refresh()


def test_a_task_package_needs_a_file(copy, server):
    said = "task package toy needs a DuckDB store. Name one in a file"
    with open_store(server, copy) as store:
        with pytest.raises(InvalidSetting, match=said), store.engine.change():
            store.engine.execute("insert into registry.package values ('toy', '1', 'toy', '', '')")
        assert store.engine.value("select count(*) from registry.package") == 0


def test_a_push_that_fails_keeps_nothing_on_either_side(copy, server, monkeypatch):
    with open_store(server, copy) as store:
        tables_before = server.psql("select sum(revision) from registry.revision", copy)
        numbers_before = numbers(store, "report.score", 8)
        monkeypatch.setattr(Postgres, "copy_in", lambda *_: (_ for _ in ()).throw(EngineUnavailable("no room")))
        with pytest.raises(EngineUnavailable, match="no room"):
            store.drop_run("osprey", "trk-eng-1")
        monkeypatch.undo()

        assert server.psql("select sum(revision) from registry.revision", copy) == tables_before
        assert numbers(store, "report.score", 8) == numbers_before
        store.drop_run("osprey", "trk-eng-1")
        assert numbers(store, "report.score", 8) != numbers_before


_KILLED = """
import os, signal, tdtsql
from tdtsql.remote import postgres as postgres_store
replace = postgres_store.CopyOfPostgres._replace
def dying(self, name, *rest):
    replace(self, name, *rest)
    if name == "base.decision":
        os.kill(os.getpid(), signal.SIGKILL)
postgres_store.CopyOfPostgres._replace = dying
"""


def test_a_client_killed_in_the_middle_of_a_push_leaves_what_was(copy, server):
    def state():
        return [
            server.psql(f"select md5(string_agg(t::text, ';' order by t::text)) from {name} as t", copy)
            for name in tables()
        ]

    before = state()
    child = process(_KILLED + _ADD.format(address=server.address(copy), runs=["lost"]))
    assert child.wait(300) == -signal.SIGKILL

    assert state() == before
    child = process(_ADD.format(address=server.address(copy), runs=["found"]))
    assert (child.wait(300), child.stdout.read()) == (0, "")
    assert server.psql("select run_id from registry.run where run_id in ('lost', 'found')", copy) == "found\n"


def test_a_server_that_goes_away_is_told_and_nothing_is_kept(copy, server):
    with open_store(server, copy) as store:
        before = server.psql("select count(*) from registry.run", copy)
        with (
            pytest.raises(EngineUnavailable, match="connection was lost"),
            store.engine.lock(),
            store.engine.transaction(),
        ):
            registry.drop_run(store.engine, 1)
            server.psql(
                f"select pg_terminate_backend(pid) from pg_stat_activity where datname = '{copy}' and "
                f"application_name = 'tdtsql'"
            )
        assert server.psql("select count(*) from registry.run", copy) == before


# ---- what lies there


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            "do $do$ begin execute 'create or replace view report.stale as ' || rtrim(pg_get_viewdef('report.stale'), "
            "';') || ' limit 0'; end $do$",
            "view report.stale differs from its definition",
        ),
        ("drop view report.stale cascade", "view report.stale is missing"),
        ("create view report.mine as select 1 as one", "view report.mine was added"),
        ("alter table base.story add column mine integer", "base.story has other columns"),
        ("alter table staging.boundary alter line type integer", "table staging.boundary differs from its definition"),
        (
            "create function base.f() returns trigger language plpgsql as 'begin return null; end'; create trigger t "
            "before insert on base.decision for each row execute function base.f()",
            "trigger t on base.decision was added",
        ),
    ],
)
def test_what_was_altered_is_named(change, said, copy, server):
    server.psql(change, copy)
    with pytest.raises((BrokenDefinition, NotAStore), match=said):
        open_store(server, copy)


def test_other_databases_are_no_stores(server):
    name = server.database()
    with pytest.raises(NotAStore, match="the store does not exist"):
        open_store(server, name, read_only=True)
    server.psql("create schema report; create table report.mine (a integer)", name)
    with pytest.raises(NotAStore, match="schemas of other things that are called report"):
        open_store(server, name)


def test_another_versions_store_is_brought_up_to_date_by_its_owner(copy, server):
    server.psql(
        "update registry.made_with set value = 'other' where item = 'definitions'; drop view report.leaderboard; "
        "delete from registry.made_object where object = 'view report.leaderboard'; "
        "update registry.revision set revision = revision + 1 where relation = 'registry.made_with'",
        copy,
    )
    server.psql(
        "create role guest login; grant usage on schema registry, staging, base, metric, report, ledger to guest; "
        "grant select, insert, delete on all tables in schema registry, staging, base, metric, report, ledger to guest",
        copy,
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PGUSER", "guest")
        with pytest.raises(NotAStore, match="let the store's owner open it"):
            open_store(server, copy)
    with open_store(server, copy) as store:
        assert store.sql("select count(*) as n from report.leaderboard").fetchall()[0][0] > 10
        assert store.engine.value("select count(*) from ledger.entry where kind = 'define'") == 2
    server.psql("drop owned by guest; drop role guest", copy)


# ---- who may do what


def documented_statements() -> str:
    """Return the statements of the documentation that make the two roles."""
    text = (ROOT / "docs" / "how-to" / "team.md").read_text(encoding="utf-8")
    return re.search(r"```sql\n(-- the two roles.*?)```", text, re.DOTALL)[1]


def test_roles_of_the_documentation_read_and_load(copy, server, monkeypatch, tmp_path):
    server.psql(documented_statements(), copy)
    server.psql(
        "create role rita login in role tdt_reader; create role lars login in role tdt_loader; create role nobody "
        "login; "
        f"revoke connect on database {copy} from public; grant connect on database {copy} to nobody",
        copy,
    )
    try:
        monkeypatch.setenv("PGUSER", "nobody")
        with pytest.raises(EngineUnavailable, match="may not read the store"):
            open_store(server, copy)

        monkeypatch.setenv("PGUSER", "lars")
        child = process(_ADD.format(address=server.address(copy), runs=["from-lars"]))
        assert (child.wait(300), child.stdout.read()) == (0, "")
        with open_store(server, copy) as loader:
            assert not loader.engine.read_only
            loader.drop_run("kestrel", "link-mul-10")
            forget_numbers(loader)

        monkeypatch.setenv("PGUSER", "rita")
        with open_store(server, copy) as reader:
            assert reader.engine.read_only
            assert reader.refresh() == 0
            assert reader.relation("select count(*) from report.stale").fetchall()[0][0] > 20
            assert reader.score().fetchall() == []
            assert reader.det_curve("from-lars").fetchall()
            assert ("from-lars",) in reader.sql("select run_id from registry.run").fetchall()
            with pytest.raises(EngineUnavailable, match="loading role"):
                reader.drop_run("from-lars")

        monkeypatch.setenv("PGUSER", "lars")
        with open_store(server, copy) as loader:
            assert loader.refresh() > 20
        monkeypatch.setenv("PGUSER", "rita")
        with open_store(server, copy) as reader:
            assert reader.relation("select count(*) from report.stale").fetchall() == [(0,)]
            assert reader.score(run="from-lars").fetchall()
            assert reader.compare("osprey", "sparrow", condition="trk-eng-1", profile="tdt2004").fetchall()
            reader.report(tmp_path / "page.html")
    finally:
        monkeypatch.setenv("PGUSER", "postgres")
        server.psql(
            "drop owned by tdt_reader, tdt_loader, nobody; drop role rita, lars, nobody, tdt_reader, tdt_loader", copy
        )


SECRET = "plantedSecret7"
USER = "planteduser7"


@pytest.mark.parametrize(
    "case", ["in the address", "in a query", "wrong", "unreachable", "no database", "malformed", "right"]
)
def test_no_password_and_no_user_is_told(case, example, server, tmp_path):
    """Over every way in, whatever goes wrong: not in the output, the trace, the ledger, an archive."""
    base = server.address(example[1])
    if not server.psql(f"select 1 from pg_roles where rolname = '{USER}'"):
        server.with_password(USER, SECRET)
        server.psql(
            f"grant usage on schema registry, staging, base, metric, report, ledger to {USER}; "
            f"grant select, insert, delete, update on all tables in schema registry, staging, base, metric, report, "
            f"ledger to {USER}",
            example[1],
        )
    address = {
        "in the address": base.replace("//", f"//{USER}:{SECRET}@"),
        "in a query": f"{base}?user={USER}&password={SECRET}",
        "wrong": base,
        "unreachable": re.sub(r":\d+/", ":1/", base).replace("//", f"//{USER}@"),
        "no database": base.rsplit("/", 1)[0] + "/nonsense7",
        "malformed": f"postgresql://{USER}:{SECRET}@[host:x/y",
        "right": base,
    }[case]
    environment = {**os.environ, "PGUSER": USER, "PGPASSWORD": SECRET + ("x" if case == "wrong" else "")}
    commands = [
        ["score", "--trace"],
        ["sql", "query", "select nonsense", "--trace"],
        ["sql", "query", "select 1 as one", "--trace"],
        ["ledger", "list"],
        ["run", "drop", "nobody", "--trace"],
        ["archive", "pack", str(tmp_path / "packed.zip"), "--trace"],
        ["metric", "impact"],
    ]
    for arguments in commands if case == "right" else commands[:3]:
        done = subprocess.run(
            [sys.executable, "-m", "tdtsql", *arguments, "--db", address],
            capture_output=True,
            text=True,
            cwd=ROOT,
            env=environment,
        )
        assert SECRET not in done.stdout + done.stderr
        assert USER not in done.stdout + done.stderr, done.stderr[-2000:]
        assert "Traceback" not in done.stderr
        assert case == "right" or done.returncode == 1
    for file in tmp_path.iterdir():
        assert SECRET.encode() not in file.read_bytes()
        assert USER.encode() not in file.read_bytes()
    assert (
        server.psql(
            f"select count(*) from ledger.entry where detail like '%{SECRET}%' or detail like '%{USER}%'", example[1]
        )
        == "0\n"
    )


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("postgresql://me:secret@host/db", "password in it"),
        ("postgresql://[bad", "cannot be read"),
        ("postgresql://127.0.0.1:1/db", "cannot be reached"),
    ],
)
def test_addresses_that_lead_nowhere(address, said):
    pytest.importorskip("psycopg", reason="psycopg is not installed (pip install 'tdtsql[postgres]')")
    with pytest.raises(EngineUnavailable, match=said) as caught:
        tdtsql.connect(address)

    assert "secret" not in str(caught.value)


def test_without_the_extra_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(EngineUnavailable, match=r"tdtsql\[postgres\]"):
        tdtsql.connect("postgresql://host/db")
