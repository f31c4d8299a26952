"""A store in Spark, local[2]: what it prints, beside what DuckDB prints of the same store.

Skipped, saying so, where pyspark or Java is not installed.
"""

import csv
import math
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import tdtsql
from tdtsql.cli.main import cli
from tdtsql.engine import spark as spark_module
from tdtsql.errors import EngineUnavailable, InvalidQuery, NotAStore, NotOnEngine
from tdtsql.definitions.catalogue import catalog, closure
from tdtsql.build.dialect import dialect
from tdtsql.build.render import transpile
from inside import export, open_scope, same

pytestmark = pytest.mark.engine

pytest.importorskip("pyspark", reason="pyspark is not installed (pip install 'tdtsql[spark]')")
if not shutil.which("java"):
    pytest.skip("Java is not installed (Debian: apt install openjdk-17-jre-headless)", allow_module_level=True)

EXAMPLE = Path(__file__).resolve().parents[2] / "fixtures" / "example" / "bundle.toml"

_LOGARITHM = (
    "Java's logarithm (StrictMath) is a unit off in some places, which tips a term of a mean that is kept in units of "
    "1e-15"
)
#: metric -> why Spark is more than a few units off
KNOWN = {"c_travel_norm": _LOGARITHM}


@pytest.fixture(scope="module")
def duck(tmp_path_factory):
    path = tmp_path_factory.mktemp("duck") / "example.duckdb"
    tdtsql.evaluate(EXAMPLE, db=path).close()
    return path


@pytest.fixture(scope="module")
def folder(duck, tmp_path_factory):
    folder = tmp_path_factory.mktemp("lake") / "export"
    with tdtsql.connect(duck) as store:
        export(store.engine, folder)
    return folder


@pytest.fixture(scope="module")
def lake(folder):
    """The store in Spark, scored."""
    with tdtsql.connect("spark-local[2]", data=folder) as store:
        assert store.refresh() == 29
        yield store


def printed(*arguments: object) -> str:
    done = CliRunner().invoke(cli, [str(argument) for argument in arguments])
    assert done.exit_code == 0, done.output
    return done.stdout


def differences(ours: list[tuple], theirs: list[tuple], exact: set[str], metric: int) -> list[tuple]:
    """Return pairs of rows that differ by more than their class allows."""
    return [
        pair
        for pair in zip(ours, theirs, strict=True)
        if pair[0] != pair[1]
        and not all(
            a == b
            or (
                isinstance(a, float)
                and pair[0][metric] not in exact
                and (same(a, b, exact=False) or (pair[0][metric] in KNOWN and math.isclose(a, b, rel_tol=1e-12)))
            )
            for a, b in zip(*pair, strict=True)
        )
    ]


def compare_stores(duck, lake) -> int:
    """Assert that two stores report the same; return how many rows that are."""
    exact = {
        row[0]
        for row in duck.engine.rows("""
        select metric.metric from registry.metric as metric
            join registry.definition as definition on definition.relation = metric.relation
        group by all having bool_and(definition.class = 'exact')""")
    }
    n_row = 0
    for relation, metric in (
        ("run_id, task, condition_id, profile_id, subset, metric, weighting, value, n, version from report.score", 5),
        ("run_id, task, condition_id, profile_id, subset, block_id, metric, value, version from report.block_score", 6),
        ("run_id, task, condition_id, profile_id, block_id, metric, value from report.block_label", 5),
    ):
        ours, theirs = (store.engine.rows(f"select {relation} order by all") for store in (duck, lake))
        assert differences(ours, theirs, exact, metric) == [], relation
        n_row += len(ours)
    points = [
        store.engine.rows(
            "select run_id, condition_id, profile_id, subset, weighting, block_id, threshold, p_miss, p_fa, "
            "p_miss_se, p_fa_se, c_det_norm, n_block "
            "from report.det_point order by all"
        )
        for store in (duck, lake)
    ]
    assert len(points[0]) == len(points[1])
    for one, other in zip(*points, strict=True):
        assert all(
            a == b or (isinstance(a, float) and same(a, b, exact=False)) for a, b in zip(one, other, strict=True)
        ), (one, other)
    return n_row + len(points[0])


@pytest.mark.smoke
def test_every_number_of_the_example_is_the_same(duck, lake):
    with tdtsql.connect(duck, read_only=True) as store:
        assert compare_stores(store, lake) > 30_000


def test_steps_that_stay_with_the_executors_give_the_same_numbers_and_are_computed_once(
    duck, folder, tmp_path, monkeypatch
):
    monkeypatch.setattr(spark_module, "SMALL_PASS", 0)
    monkeypatch.setattr(spark_module, "SMALL", 20)
    with (
        tdtsql.connect("spark-local[2]", data=folder, results=tmp_path / "results.duckdb") as store,
        tdtsql.connect(duck, read_only=True) as here,
    ):
        assert store.refresh() == 29
        assert compare_stores(here, store) > 30_000

        engine = store.engine
        [(condition_no, run_no)] = engine.rows(
            "select condition_no, min(run_no) from registry.run join registry.condition using (condition_no) "
            "where task = 'tracking' group by condition_no order by condition_no limit 1"
        )
        scope = open_scope(
            engine,
            [condition_no],
            [run_no],
            [
                row[0]
                for row in engine.rows(
                    f"select profile_no from registry.condition_profile where condition_no = {condition_no}"
                )
            ],
        )
        try:
            scope.build(closure(catalog(), ["metric.detection_det_cell__v1"]))
            # what the steps of this view were computed from: decisions are read by the first of them alone
            steps = {name: leaves(frame) for name, frame in engine.remote._large.items() if "det_cell" in name}
        finally:
            scope.close()
    [first] = [name for name in steps if name.endswith("_decided")]
    [second] = steps.keys() - {first}
    assert "LogicalRelation" in steps[first]
    assert "LogicalRDD" in steps[second] and "LogicalRelation" not in steps[second]


def leaves(frame) -> set[str]:
    """Return the kinds of relations that a frame begins with."""
    found = frame._jdf.queryExecution().analyzed().collectLeaves()
    return {found.apply(number).nodeName() for number in range(found.size())}


@pytest.fixture(scope="module")
def address(folder, lake):
    """An address whose results are there: others may read while the store is open."""
    copy = folder.parent / "results.duckdb"
    lake.engine._keep()
    lake.engine.execute("detach kept_results")
    shutil.copy(folder / "results.duckdb", copy)
    lake.engine._keeps = None
    return f"spark-local[2]?data={folder}&results={copy}"


@pytest.mark.parametrize(
    "command",
    [
        ["run", "list"],
        ["corpus", "list"],
        ["corpus", "show", "example"],
        ["run", "show", "osprey"],
        ["compare", "osprey", "kestrel", "--metric", "c_det_norm", "--condition", "trk-eng-1", "--profile", "tdt2004"],
        ["score", "osprey", "--metric", "n_hit"],
        ["adjudicate"],
        ["audit", "--verbose"],
        ["ledger", "verify"],
        ["explain", "osprey", "c_det_norm", "--condition", "trk-eng-1"],
    ],
    ids=" ".join,
)
def test_a_command_prints_what_it_prints_on_duckdb(command, duck, address):
    form = [] if command[0] == "explain" or command[-1] == "verify" else ["--format", "csv"]
    ours, theirs = (printed(*command, "--db", db, *form).splitlines() for db in (duck, address))
    # a signature names the engine
    theirs = [re.sub(r"[+, ]*Spark[- ][\d.]+", "", line) for line in theirs]
    if form:
        ours, theirs = (_unsigned(lines) for lines in (ours, theirs))
    if command == ["ledger", "verify"]:
        # a file has an entry of its own for what was made after its owner was loaded (labels, walks, emissions); a
        # folder is read with all of it
        ours, theirs = ([re.sub(r"^\d+ entries", "entries", line) for line in lines] for lines in (ours, theirs))
    assert theirs == ours
    assert len(ours) > 1 or command[-1] == "verify"


def _unsigned(lines: list[str]) -> list[list[str]]:
    """Return rows without the signature, which names the engine, and its hash."""
    rows = list(csv.reader(lines))
    return [row[:-1] for row in rows] if rows[0][-1] == "signature" else rows


def test_the_second_command_computes_nothing_and_starts_no_spark(address):
    done = subprocess.run(
        [sys.executable, "-m", "tdtsql", "score", "osprey", "--metric", "min_cost", "--db", address, "--format", "csv"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "JAVA_TOOL_OPTIONS": "-version"},
    )
    assert "min_cost" in done.stdout
    assert "JAVA_TOOL_OPTIONS" not in done.stderr  # Java would say that it picked it up


def test_queries_are_spark_sql_over_every_schema(lake):
    assert (
        lake.sql("select count(*) as n from base.decision").fetchall()
        == lake.relation(
            "select sum(n_row) from registry.run "
            "where condition_no in (select condition_no from registry.condition where task in ('tracking', "
            "'new_event', 'link'))"
        ).fetchall()
    )
    assert lake.sql(
        "select metric.run_id, c.condition_id from report.score as metric join registry.condition c using "
        "(condition_id) where metric = 'min_cost' "
        "order by 1"
    ).fetchall() == [("osprey", "htd-mul"), ("sparrow", "htd-mul")]
    # a view over decisions is computed for the question, and is that of DuckDB
    [[here]] = lake.sql("select sum(n_target) from metric.detection_count").fetchall()
    assert here and here > 0
    assert lake.sql("select named_struct('a', 1).a as a").fetchall() == [(1,)]
    with pytest.raises(InvalidQuery, match="DIVIDE_BY_ZERO"):
        lake.sql("select 1 / 0 as x")
    with pytest.raises(InvalidQuery, match="nowhere"):
        lake.sql("select * from nowhere")


def test_a_large_number_is_floored_exactly(lake):
    """FLOOR gives 64 bits in Spark: what is larger goes in two limbs, and its decimal has every digit of the double."""
    pyarrow = pytest.importorskip("pyarrow")
    numbers = [
        0.0,
        -0.3,
        1e-20,
        -1e-20,
        0.5,
        8.999999999999999e18,
        9e18,
        -9.3e18,
        2.0**63,
        2.0**64 + 4096,
        1.2345678901234567e25,
        -7.7e27,
        12345.678 * 1e15 + 0.5,
    ]
    remote = lake.engine.remote
    remote.put("numbers", pyarrow.table({"place": range(len(numbers)), "number": numbers}))
    select = transpile(
        "select numbers.place as place, cast(floor(numbers.number) as decimal(38, 0)) as whole from numbers as numbers",
        dialect("spark"),
        "numbers",
    )
    remote.fetch(lake.engine, "floored", select)
    remote.drop("view", "numbers")
    assert [int(whole) for [whole] in lake.engine.rows("select whole from floored order by place")] == [
        math.floor(number) for number in numbers
    ]


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("drop view base.story", "only a single SELECT"),
        ("set spark.sql.ansi.enabled = false", "only a single SELECT"),
        ("select 1; select 2", "only a single SELECT"),
        ("create table x as select 1", "only a single SELECT"),
        ("insert into x select 1", "only a single SELECT"),
        ("select java_method('java.lang.System', 'getenv', 'HOME')", "java_method calls Java methods"),
        ("select `reflect`('java.lang.System', 'getenv', 'HOME')", "reflect"),
        ("select system.builtin.reflect('java.lang.System', 'getenv', 'HOME')", "reflect"),
        ("select transform(a) using 'cat' from (select 1 as a)", "TRANSFORM|does not run"),
        ("select * from text.`/etc/passwd`", "would be a file"),
        ("select * from parquet.`/etc/passwd`", "would be a file"),
        ("select * from text.`/etc/passwd` join report.score", "would be a file"),
        ("select (select max(value) from csv.`/etc/passwd`)", "would be a file"),
        ("select from where", r"Line 1, Col: 17\.$"),
    ],
)
def test_an_untrusted_query_can_only_select(lake, query, says):
    with pytest.raises(InvalidQuery, match=says) as told:
        lake.engine.run_user_query(query)
    assert str(told.value).isprintable()
    with pytest.raises(InvalidQuery, match=says):
        lake.sql(query)


def test_nothing_is_loaded_through_spark(lake, tmp_path):
    for change in (
        lambda: lake.evaluate(EXAMPLE),
        lambda: lake.drop_run("osprey"),
        lambda: lake.drop_corpus("example"),
        lambda: lake.add_run("mine", condition="trk-eng-1", decisions=tmp_path),
    ):
        with pytest.raises(NotOnEngine, match="tdtsql export"):
            change()


def test_an_unreachable_master_is_said_at_once(folder):
    with (
        tdtsql.connect("spark://127.0.0.1:9", data=folder, read_only=True) as store,
        pytest.raises(EngineUnavailable, match="cannot be reached|already"),
    ):
        store.sql("select count(*) from base.decision")


@pytest.mark.parametrize(
    ("address", "error", "says"),
    [
        ("spark-local[0]", EngineUnavailable, r"spark-local\[N\]"),
        ("spark-local[2]?data=/nowhere", NotAStore, "folder not found"),
        ("spark-local[2]", NotAStore, "data=FOLDER"),
        ("spark://me:hunter2@host:7077?data=/nowhere", EngineUnavailable, "no user and no password"),
        (
            "spark://host:7077?data=/nowhere&fs.s3a.secret.key=hunter2",
            EngineUnavailable,
            "data=FOLDER and results=FILE, not fs",
        ),
        ("spark-local[2]?data=s3a://AKIA:hunter2@bucket/x", NotAStore, "has a key in it"),
    ],
)
def test_an_address_that_cannot_be(address, error, says):
    with pytest.raises(error, match=says) as told:
        tdtsql.connect(address)
    assert "hunter2" not in str(told.value)


def test_the_folder_is_checked(folder, tmp_path):
    import duckdb

    copy = shutil.copytree(folder, tmp_path / "copy", ignore=shutil.ignore_patterns("results.duckdb"))
    (copy / "registry" / "run.parquet").unlink()
    with pytest.raises(NotAStore, match=r"not what `tdtsql export` writes: registry/run.parquet is missing"):
        tdtsql.connect("spark-local[2]", data=copy)
    duckdb.sql("select 1 as run_no, 'x' as colour").write_parquet(str(copy / "registry" / "run.parquet"))
    with pytest.raises(NotAStore, match=r"another version of tdtsql, with other columns in registry.run \(.*colour"):
        tdtsql.connect("spark-local[2]", data=copy)
    shutil.copy(folder / "registry" / "run.parquet", copy / "registry" / "run.parquet")
    shutil.rmtree(copy / "base" / "decision" / "condition=trk-eng-1" / "run=osprey")
    with pytest.raises(
        NotAStore, match=r"condition=trk-eng-1/run=osprey is missing, but registry/run.parquet lists the run"
    ):
        tdtsql.connect("spark-local[2]", data=copy)
    (copy / "base" / "block.parquet").write_bytes(b"PAR1 no")
    with pytest.raises(NotAStore, match="block.parquet"):
        tdtsql.connect("spark-local[2]", data=copy)


def test_a_folder_that_only_spark_can_read(folder, lake):
    """The same folder by its URI, as if it were in object storage: everything comes through Spark."""
    with tdtsql.connect("spark-local[2]", data=f"file://{folder}", read_only=True) as store:
        assert not store.engine.is_local
        for table in ("registry.run", "base.story", "base.vertex", "base.run_update", "base.vertex_travel"):
            assert store.engine.rows(f"select * from {table} order by all") == lake.engine.rows(
                f"select * from {table} order by all"
            ), table
        assert (
            store.sql("select count(*) from base.decision").fetchall()
            == lake.sql("select count(*) from base.decision").fetchall()
        )


def test_a_run_written_straight_into_the_folder(folder, lake, tmp_path):
    """The decisions of osprey under another name, without run and segment: the same numbers; then a bad one."""
    import duckdb

    copy = shutil.copytree(folder, tmp_path / "copy", ignore=shutil.ignore_patterns("results.duckdb"))
    for condition in ("trk-eng-1", "link-mul-10"):
        new = copy / "base" / "decision" / f"condition={condition}" / "run=our own%2F1"
        new.mkdir()
        duckdb.sql(
            f"select block_no, trial_no, is_yes, score from "
            f"'{copy}/base/decision/condition={condition}/run=osprey/part.parquet'"
        ).write_parquet(str(new / "a.parquet"))
    (copy / "base" / "decision" / "condition=trk-eng-1" / "run=zero").mkdir()
    duckdb.sql(
        f"select block_no, trial_no, is_yes, '-0.0'::double as score from "
        f"'{copy}/base/decision/condition=trk-eng-1/run=osprey/part.parquet'"
    ).write_parquet(str(copy / "base" / "decision" / "condition=trk-eng-1" / "run=zero" / "a.parquet"))
    keys = "condition_id, profile_id, subset, metric, weighting"
    with tdtsql.connect("spark-local[2]", data=copy, results=tmp_path / "r.duckdb") as store:
        thresholds = (
            "select distinct cast(threshold as varchar) from report.det_point where run_id = 'zero' and threshold is "
            "not null"
        )
        store.refresh()
        assert store.sql(thresholds).fetchall() == [("0.0",)]
        rows = {
            run: store.score(run)
            .aggregate(f"{keys}, any_value(value) as value", keys)
            .filter("condition_id in ('trk-eng-1', 'link-mul-10')")
            .order(keys)
            .fetchall()
            for run in ("osprey", "our own/1")
        }
        assert rows["osprey"] == rows["our own/1"]
        assert len(rows["osprey"]) > 1000
        assert store.refresh() == 0
    with tdtsql.connect("spark-local[2]", data=copy, results=tmp_path / "r.duckdb") as store:
        assert store.refresh() == 0
    bad = copy / "base" / "decision" / "condition=trk-eng-1" / "run=bad"
    bad.mkdir()
    duckdb.sql(
        "select 1::int as block_no, 1::int as trial_no, true as is_yes, 1e0::double as score from range(2) union all "
        "select 999, 999999, null, 'nan'::double"
    ).write_parquet(str(bad / "part.parquet"))
    with tdtsql.connect("spark-local[2]", data=copy, results=tmp_path / "r.duckdb") as store:
        with pytest.raises(
            NotAStore,
            match=r"run=bad: rows 1 without a value, 1 with a score that is not finite, 1 of a block .* 1 on a trial "
            r".*, 1 given twice",
        ):
            store.refresh()
        assert store.engine.value("select count(*) from report.score where run_id = 'bad'") == 0
    shutil.rmtree(bad)
    with tdtsql.connect("spark-local[2]", data=copy, results=tmp_path / "r.duckdb") as store:
        assert store.refresh() == 0
