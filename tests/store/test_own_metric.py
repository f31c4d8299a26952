"""Metrics of one's own: checked, stored, computed like any other, signed; a bad one is refused with its place."""

import shutil
import tomllib

import pytest

import tdtsql
from tdtsql.audit.effects import compare_versions, impact
from tdtsql.audit.signature import verify
from tdtsql.errors import InvalidSignature, UnknownName
from tdtsql.engine.parse_tree import PURE_FUNCTIONS
from tdtsql.definitions.template import template
from tdtsql.store.define import add_own, check_own
from tdtsql.store.sets import broken_sets, own_relations, verify_ledger
from tdtsql.store.registry import users_relations
from tdtsql.task import TASKS
from places import FIXTURES

FOLDER = FIXTURES / "own_metric"
GOOD = FOLDER / "balanced_accuracy__v1.sql"
BAD = tomllib.loads((FOLDER / "malformed" / "manifest.toml").read_text(encoding="utf-8"))
METRIC = "own:balanced_accuracy"

BUNDLE = f"""
metrics = ["{FOLDER.as_posix()}/balanced_accuracy__v1.sql"]
[corpus]
id = "k"
stories = "stories.csv"
topics = "topics.csv"
judgments = "judgments.csv"
[[condition]]
id = "c"
task = "tracking"
[[run]]
condition = "c"
files = ["runs.csv"]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("own")
    (folder / "bundle.toml").write_text(BUNDLE.replace(f'"{FOLDER.as_posix()}/', '"'))
    (folder / GOOD.name).write_text(GOOD.read_text())
    (folder / "stories.csv").write_text("story_id,position\n" + "".join(f"s{n},{n}\n" for n in range(1, 7)))
    (folder / "topics.csv").write_text("topic_id\nt1\nt2\n")
    (folder / "judgments.csv").write_text("topic_id,story_id,label\nt1,s1,yes\nt1,s2,yes\nt2,s3,yes\n")
    # t1: a hit and a miss of 2 targets, 1 false alarm of 4: (1/2 + 3/4) / 2 = 5/8; t2: (1 + 5/5) / 2 = 1
    (folder / "runs.csv").write_text(
        "run_id,topic_id,story_id,decision,score\n"
        "a,t1,s1,yes,1\na,t1,s2,no,0\na,t1,s3,yes,1\na,t2,s3,yes,1\nb,t1,s1,yes,1\nb,t1,s2,yes,1\nb,t2,s3,yes,1\n"
    )
    return folder


@pytest.fixture(scope="module")
def file(folder):
    """Return the store of the bundle; not to be changed."""
    tdtsql.evaluate(folder / "bundle.toml", folder / "made.duckdb").close()
    return folder / "made.duckdb"


@pytest.fixture(scope="module")
def store(file, tmp_path_factory):
    with tdtsql.connect(shutil.copy(file, tmp_path_factory.mktemp("store"))) as store:
        yield store


@pytest.fixture
def db(file, tmp_path):
    """Return a copy of the store, which a test may change."""
    return shutil.copy(file, tmp_path / "s.duckdb")


def test_the_mean_over_blocks_is_kept_and_signed(store):
    rows = store.score(metric=METRIC, run="a", subset="all").project("weighting, value, n").fetchall()

    assert rows == [("topic", (5 / 8 + 1) / 2, 2)]
    blocks = store.sql(f"select block_id, value from report.block_score where metric = '{METRIC}' and run_id = 'a'")
    assert sorted(blocks.fetchall()) == [("t1", 5 / 8), ("t2", 1.0)]
    [(short,)] = store.sql(
        f"select signature from report.score where metric = '{METRIC}' and run_id = 'a' and subset = 'all'"
    ).fetchall()
    [(closure,)] = store.sql("select closure_sha256 from registry.own_metric").fetchall()
    assert f"|sql:{closure[:8]}|" in short
    assert store.sql("select count(*) from own.balanced_accuracy").fetchall()[0][0] >= 4


def test_it_is_compared_explained_and_verified_like_any_other(store):
    compared = store.compare("a", "b", metric=METRIC).relation
    [row] = [dict(zip(compared.columns, row, strict=True)) for row in compared.fetchall()]

    assert row["difference"] == (3 / 8) / 2 and row["n_topic"] == 2
    long = tdtsql.signature(store, "a", METRIC, condition="c")
    assert long.startswith(f"{METRIC}:v1|w:topic|") and verify(long, store.engine)
    assert "detection_count" in str(store.explain("a", METRIC))
    assert broken_sets(store.engine) == []


def test_added_and_dropped_metrics_leave_every_number_current(db, tmp_path):
    """Its numbers are computed at once; those of the other metrics left report.* until the next score."""
    kept = "select count(*) filter (metric like 'own:%'), count(*) filter (metric not like 'own:%') from report.score"
    with tdtsql.connect(db) as store:
        [(n_own, n_other)] = store.engine.rows(kept)
        store.drop_metric(METRIC)
        assert store.engine.rows(kept) == [(0, n_other)]
        store.add_metric(GOOD)
        assert store.engine.rows(kept) == [(n_own, n_other)] and n_own > 0 and n_other > 0
        store.drop_metric(METRIC)
        assert verify_ledger(store.engine) == []  # its numbers are past ones of replaced computations
        with pytest.raises(UnknownName):
            store.drop_metric(METRIC)


def test_a_trial_of_a_metric_for_an_unknown_run(store):
    [metric], _ = check_own([("m", "balanced_accuracy__v1", GOOD.read_text())])

    assert {row[0] for row in store.try_metric(metric, ["a"])[1]} == {"a"}
    with pytest.raises(UnknownName, match="'zzz'"):
        store.try_metric(metric, ["zzz"])


def test_every_record_of_a_definition_is_compared_with_the_ledger(store):
    """What a metric is for, its closure, and how it is called and ordered, not its text alone."""
    for statement, said in {
        "update registry.own_metric set tasks = 'link'": "own.balanced_accuracy__v1 is not what was added",
        "update registry.own_metric set path = 'x.sql'": "own.balanced_accuracy__v1 is not what was added",
        "update registry.own_metric set closure_sha256 = repeat('0', 64)": "is not what was added",
        "update registry.published set best = 'lowest' where metric like 'own:%'": "registry.published: rows of own.b",
        "delete from registry.definition where owner = 'own'": "registry.definition: rows of own.balanced_accuracy__v1",
    }.items():
        store.engine.execute("begin")
        store.engine.execute(statement)
        found = verify_ledger(store.engine)
        store.engine.execute("rollback")
        assert any(said in line for line in found), (statement, found)
    assert verify_ledger(store.engine) == []


def test_a_signature_of_a_metric_that_the_store_lacks_names_it(store):
    long = tdtsql.signature(store, "a", METRIC, condition="c").replace("own:balanced", "own:other")

    with pytest.raises(InvalidSignature, match=r"own:other_accuracy is not in this store .*`tdtsql metric add FILE`"):
        verify(long, store.engine)


def test_a_misspelt_column_is_named_with_its_place_and_the_nearest():
    text = GOOD.read_text().replace("ratio(n_hit,", "ratio(n_hits,")

    _, [typo] = check_own([("m", "m__v1", text)])

    assert (typo.code, typo.line, typo.column) == ("E987", 22, 12)
    assert (typo.value, typo.advice) == ("n_hits", "Did you mean n_hit?")


def test_numbers_that_change_with_the_order_of_rows_are_refused(store):
    """The order of the window ends in a key, but in the rows of a join that key is not unique."""
    text = GOOD.read_text().replace(
        GOOD.read_text()[GOOD.read_text().index("select") :],
        """select run_no, profile_no, subset_no, one.block_no, cast(other.n_miss as double) as balanced_accuracy,
    one.n_trial
from metric.detection_count__v1 as one
join metric.detection_count__v1 as other using (run_no, profile_no, subset_no)
qualify row_number() over (partition by run_no, profile_no, subset_no, one.block_no order by one.block_no) = 1
""",
    )
    files = [("tied__v1.sql", "tied__v1", text.replace("balanced_accuracy", "tied"))]

    assert check_own(files)[1] == []
    _, [said] = check_own(files, store.engine)
    assert str(said).startswith("tied__v1.sql:20:1: E985 tied depends on the order of rows"), said


def test_another_view_in_their_schema_is_one_that_the_user_added(store):
    """Archives, copies and exports name it, as those in other schemas; they left it out without a word."""
    store.engine.execute("begin")
    store.engine.execute("create view own.extra as select 1 as one")
    found = users_relations(store.engine)
    store.engine.execute("rollback")

    assert found == [("view", "own", "extra")] and users_relations(store.engine) == []


@pytest.mark.sample(1)
@pytest.mark.parametrize("view", ["balanced_accuracy", "balanced_accuracy__v1"])
def test_a_view_that_was_replaced_or_dropped_in_the_store_is_reported(db, view):
    """The view without a version is asked by people: it is compared as the one with its version is."""
    with tdtsql.connect(db) as store:
        text = store.engine.value("select sql from duckdb_views() where schema_name = 'own' and view_name = ?", [view])
        first, second, *others = store.engine.column(f"select column_name from (describe own.{view})")
        swapped = ", ".join((second, first, *others))
        store.engine.execute(f"create or replace view own.{view} ({swapped}) as {text.partition(' AS ')[2]}")
        assert (f"own:{view}", f"view own.{view} is not its definition") in broken_sets(store.engine)

        store.engine.execute(
            f"create or replace view own.{view} as select 1 as run_no, 1 as profile_no, 0 as subset_no, 1 as block_no, "
            "1.0 as balanced_accuracy, 1 as n_trial"
        )
        assert (f"own:{view}", f"view own.{view} is not its definition") in broken_sets(store.engine)

        store.engine.execute(f"drop view own.{view}")
        assert (f"own:{view}", f"view own.{view} does not exist") in broken_sets(store.engine)


def test_versions_are_compared_on_the_stored_runs(db):
    """Of a, t1 was (1/2 + 3/4) / 2 and is (1/2 + 2 * 3/4) / 3; all others were 1 and are 1."""
    second = GOOD.read_text().replace("n_nontarget)) / 2 as", "n_nontarget) * 2) / 3 as")
    with tdtsql.connect(db) as store:
        with store.engine.transaction():
            add_own(store.engine, [("v2.sql", "balanced_accuracy__v2", second)])
        old, new = own_relations(store.engine).values()
        [(metric, weighting, n_value, n_changed, largest, run, tau)] = compare_versions(store.engine, old, new)

    assert (metric, weighting, run, tau) == (METRIC, "block", "a", 1.0)
    assert largest == pytest.approx(2 / 3 - 5 / 8) and 0 < n_changed * 4 == n_value


def test_the_impact_of_changed_definitions_is_listed(db):
    with tdtsql.connect(db) as store:
        assert impact(store.engine) == []
        store.engine.execute(
            "update registry.definition set token_sha256 = 'x' where relation = 'metric.detection_count__v1'"
        )
        store.engine.execute("delete from registry.definition where relation = 'metric.detection_rate__v1'")
        store.engine.execute("update registry.definition set relation = 'metric.x' where relation = 'base.trial__v1'")
        found = {row[0]: (*row[1:3], row[4]) for row in impact(store.engine)}

    assert found["metric.detection_count__v1"] == ("direct", "", 2) and found["metric.x"] == ("gone", "", 0)
    assert found["metric.detection_rate__v1"] == ("new", "", 2)
    assert found["own.balanced_accuracy__v1"] == ("indirect", "metric.detection_count__v1", 2)


def test_the_template_of_each_task_passes_the_check():
    files = [(f"{task}.sql", f"of_{task}__v1", template(f"of_{task}", task)) for task in TASKS]

    found, problems = check_own(files)

    assert [str(problem) for problem in problems] == [] and len(found) == len(TASKS)


@pytest.mark.parametrize("name", BAD)
def test_is_refused_with_its_place(name):
    text = (FOLDER / "malformed" / f"{name}.sql").read_text(encoding="utf-8")

    found, problems = check_own([(f"{name}.sql", BAD[name]["name"], text)])

    assert found == []
    places = [(problem.code, problem.line) for problem in problems]
    assert (BAD[name]["code"], BAD[name].get("line")) in places or (
        "line" not in BAD[name] and BAD[name]["code"] in dict(places)
    ), [str(problem) for problem in problems]
    assert all(problem.line and problem.column for problem in problems)


def test_a_metric_of_every_measure_of_items_is_told_to_choose_one():
    text = template("mine", "items").replace("run_no, block_no", "run_no, measure_no, block_no")

    _, problems = check_own([("mine.sql", "mine__v1", text)])

    [said] = [str(problem) for problem in problems if "grain needs" in str(problem)]
    assert "E986" in said and "of one measure: choose that by its name" in said and "mine.sql:18:1: " in said


def test_every_allowed_function_is_one_of_the_engine_and_pure():
    with tdtsql.connect(":memory:") as store:
        rows = store.engine.rows("select distinct function_name, stability from duckdb_functions() where internal")
    stability = dict(rows)
    syntax = {"coalesce", "ifnull", "nullif", "decimal"}
    windows = {"row_number", "rank", "dense_rank", "lead", "lag"}

    assert PURE_FUNCTIONS - syntax - windows <= stability.keys()
    assert {name for name in PURE_FUNCTIONS if stability.get(name) == "VOLATILE"} == set()
