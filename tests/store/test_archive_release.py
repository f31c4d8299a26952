"""Releases of an evaluation: what they say they hold, the same bytes for two people, public ones without decisions, and
what differs between two.
"""

import json
import shutil
import zipfile
from pathlib import Path

import duckdb
import lanes
import pytest
from click.testing import CliRunner
from gate_case import write_gate_bundle

import tdtsql
from tdtsql.audit.archive import pack, verify
from tdtsql.audit.container import container, read
from tdtsql.audit.archive_diff import differences, every
from tdtsql.audit.release import described
from tdtsql.cli.main import cli
from tdtsql.errors import InvalidArchive

BAGGA = Path(__file__).resolve().parents[2] / "fixtures" / "bagga" / "bundle.toml"
#: names of stories, and what the run said of them, stand in no public file
STORY = "S03"


def packed(store, out, **options):
    """Pack a store file; returns what was packed."""
    with tdtsql.connect(store, read_only=True) as opened:
        return pack(opened.engine, out, **options)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with the store old.duckdb and its archives whole.zip (tag first) and public.zip."""
    folder = tmp_path_factory.mktemp("release")
    tdtsql.evaluate(write_gate_bundle(folder / "old", "old"), folder / "old.duckdb").close()
    packed(folder / "old.duckdb", folder / "whole.zip", tag="first")
    packed(folder / "old.duckdb", folder / "public.zip", public=True)
    return folder


# ---- the same bytes


@pytest.mark.full
def test_two_people_pack_the_same_bytes_whatever_they_did_before(tmp_path):
    """The second one evaluated another output first, corrected it, and added a run and dropped it again: other numbers
    inside, the same evaluation.
    """

    def bundle(place, answer):
        path = write_gate_bundle(place, answer)
        shutil.copy(place / "system.csv", place / "other.csv")
        path.write_text(
            path.read_text() + '[[run]]\nid = "other"\ncondition = "c1"\nfiles = ["other.csv"]\nformat = "tidy"\n'
        )
        return path

    with tdtsql.evaluate(bundle(tmp_path / "here", "old"), tmp_path / "first.duckdb"):
        pass
    second = bundle(tmp_path / "there", "old")
    write_gate_bundle(tmp_path / "wrong", "drop")
    good = shutil.move(tmp_path / "there" / "system.csv", tmp_path / "good.csv")
    shutil.copy(tmp_path / "wrong" / "system.csv", tmp_path / "there" / "system.csv")
    with tdtsql.evaluate(second, tmp_path / "second.duckdb") as store:
        store.add_run("third", condition="c1", decisions=str(good))
        store.refresh()
        store.drop_run("third")
        shutil.copy(good, tmp_path / "there" / "system.csv")
        store.evaluate(second)

    for name in ("first", "second"):
        packed(tmp_path / f"{name}.duckdb", tmp_path / f"{name}.zip", tag="one")

    assert (tmp_path / "first.zip").read_bytes() == (tmp_path / "second.zip").read_bytes()
    with duckdb.connect(str(tmp_path / "second.duckdb"), read_only=True) as connection:
        assert connection.sql("select count(*) from ledger.entry where kind = 'drop'").fetchall() == [
            (2,)
        ]  # its own ledger tells the story


@pytest.mark.full
def test_a_store_that_was_changed_is_not_packed(folder, tmp_path):
    """What the ledger of an archive says is made from the tables: it must not say of changed rows that they were
    loaded.
    """
    store = shutil.copy(folder / "old.duckdb", tmp_path / "changed.duckdb")
    with duckdb.connect(str(store)) as connection:
        connection.execute("update base.decision set score = score + 1")

    with pytest.raises(
        InvalidArchive, match=r"run:c1/system: base\.decision does not hold what was loaded .* It is not archived"
    ):
        packed(store, tmp_path / "out.zip")
    assert not (tmp_path / "out.zip").exists()


# ---- what it holds, in words


def test_a_release_says_what_it_holds(folder):
    files = read(folder / "whole.zip")
    words, release = files["RELEASE.md"].decode(), json.loads(files["release.json"])

    assert words.startswith("# Release first\n\nCorpora, judgments, decisions and numbers.")
    assert "1 condition, 1 run, " in words
    assert "* c1: tracking over corpus gate (20 stories), 10 topics; profiles tdt2004; runs system; judgments " in words
    assert "* c1/system: 40 rows in format tidy from 1 file; run " in words
    assert "* tdt2004: The 2004 TDT task definition and evaluation plan" in words
    assert f"* tdtsql {tdtsql.__version__}; DuckDB {duckdb.__version__}" in words
    assert (release["tag"], release["form"], list(release["versions"]["definitions"])) == (
        "first",
        "whole",
        ["tracking"],
    )
    assert verify(folder / "whole.zip").words == words


def test_a_version_is_named_once_however_many_runs_it_computed(evaluated_once):
    with tdtsql.connect(evaluated_once(BAGGA), read_only=True) as store:
        versions = described(store.engine, "first", "whole")["versions"]
        assert store.engine.value("select count(*) from ledger.computation") > 1

    assert (versions["tdtsql"], versions["duckdb"]) == ([tdtsql.__version__], [duckdb.__version__])


@pytest.mark.full
@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("release.json", lambda data: data.replace(b'"first"', b'"third"'), r"RELEASE\.md does not say"),
        (
            "RELEASE.md",
            lambda data: data.replace(b"40 rows", b"41 rows"),
            r"RELEASE\.md does not say what the archive's tables hold",
        ),
        (
            "release.json",
            lambda data: data.replace(b'"n_row":40', b'"n_row":41'),
            r"release\.json does not say what the archive's tables hold",
        ),
        (
            "release.json",
            lambda data: data.replace(b'"whole"', b'"secret"'),
            r"release\.json does not say what the archive is",
        ),
        ("release.json", lambda data: b"[" * 100_000, r"release\.json does not say what the archive is"),
    ],
)
def test_words_that_are_not_those_of_the_tables_are_named(folder, tmp_path, name, change, said):
    with pytest.raises(InvalidArchive, match=said):
        verify(forged(folder / "whole.zip", tmp_path, lambda files: files.update({name: change(files[name])})))


# ---- public


def test_a_public_archive_has_neither_decisions_nor_texts(folder, tmp_path):
    files = read(folder / "public.zip")
    tables = [name[6:-8] for name in files if name.startswith("table/")]

    assert {
        "base.decision",
        "base.story",
        "base.judgment",
        "base.topic",
        "registry.problem",
        "ledger.result_det_point",
        "ledger.result_label",
    }.isdisjoint(tables)
    assert not any(name.startswith("staging.") for name in tables)
    for name in tables:
        assert not any(value == STORY for row in table(files, name, tmp_path) for value in row), name
    for name in ("release.json", "RELEASE.md"):
        assert STORY not in files[name].decode()
    whole = read(folder / "whole.zip")
    for name in ("result/score.parquet", "result/block_score.parquet"):
        assert files[name] == whole[name]
    assert "result/block_label.parquet" in whole and "result/block_label.parquet" not in files
    assert table(files, "ledger.entry", tmp_path) == table(read(folder / "whole.zip"), "ledger.entry", tmp_path)


def test_it_is_verified_as_far_as_it_reaches_and_says_how_far(folder, monkeypatch):
    told = []
    monkeypatch.setattr(
        "tdtsql.audit.archive.verify", lambda *given, **more: told.append(verify(*given, **more)) or told[0]
    )

    result = CliRunner().invoke(cli, ["archive", "verify", str(folder / "public.zip")])

    [found] = told
    assert len(found.reach) == 5
    again, total = (int(word.replace(",", "")) for word in found.reach[3].split()[:3:2])
    assert total == found.n_value and total > again > total / 2
    assert (
        "the counts themselves, and" in found.reach[4]
        and "min_c_det" in found.reach[4]
        and "p_miss" not in found.reach[4].split()
    )
    assert (result.exit_code, "It is public" in result.stderr, found.reach[3] in result.stderr) == (0, True, True)


@pytest.mark.full
@pytest.mark.parametrize(
    ("name", "statement", "said"),
    [
        (
            "ledger.result_block",
            "update t set value = value + 1 where metric = 'n_hit'",
            r"c1/system under tdt2004: .*, from the counts of its topics is stored as",
        ),
        (
            "ledger.result_score",
            "update t set value = value / 2 where metric = 'c_det_norm' and weighting = 'topic'",
            r"c_det_norm, subset \d+, from the counts of its topics",
        ),
        (
            "ledger.result_score",
            "update t set n = n + 1 where metric = 'p_miss'",
            r"p_miss, subset \d+, from the counts",
        ),
        (
            "registry.run",
            "update t set content_sha256 = repeat('0', 64)",
            r"(registry\.run does not hold|hash of the run)",
        ),
        (
            "registry.profile",
            "update t set c_miss = 2 where profile_id = 'tdt2004'",
            r"registry\.profile: tdt2004 has other values",
        ),
        (
            "registry.input_file",
            "update t set sha256 = repeat('0', 64)",
            r"its input files or problems in the registry are not those",
        ),
        ("base.block", "update t set block_id = block_id || 'x'", r"base\.block does not hold"),
        ("ledger.entry", "update t set detail = replace(detail, 'tidy', 'tsv')", r"ledger\.entry \d+ .* was edited"),
        ("ledger.computation", "update t set n_value = n_value + 1", r"computation 1 .* is not what ledger\.entry"),
    ],
)
def test_a_public_archive_packed_anew_with_other_rows_is_refused(folder, tmp_path, name, statement, said):
    """The forger writes the numbers anew too, as the tables then give them."""

    def change(files):
        write_table(files, name, statement, tmp_path)
        follow_tables(files, tmp_path)

    with pytest.raises(InvalidArchive, match=said):
        verify(forged(folder / "public.zip", tmp_path, change))


def test_a_table_more_does_not_belong_into_a_public_archive(folder, tmp_path):
    more = read(folder / "whole.zip")["table/base.decision.parquet"]

    with pytest.raises(InvalidArchive, match=r"'table/base\.decision\.parquet' does not belong into an archive"):
        verify(
            forged(folder / "public.zip", tmp_path, lambda files: files.update({"table/base.decision.parquet": more}))
        )


# ---- what differs


@pytest.mark.full
def test_what_changed_and_why(folder, tmp_path):
    """A run that finds one story less in each topic: 10 of 40 decisions are others."""
    tdtsql.evaluate(write_gate_bundle(tmp_path / "drop", "drop"), tmp_path / "drop.duckdb").close()
    packed(tmp_path / "drop.duckdb", tmp_path / "drop.zip", tag="second")

    rows = differences(folder / "whole.zip", tmp_path / "drop.zip")

    assert rows[0] == ("release", "second", "first -> second", "")
    assert [row[:2] for row in rows if row[0] == "run"] == [("run", "c1/system")]
    assert {row[0] for row in rows} == {"release", "run", "number"}  # one run keeps its rank
    [run] = [row for row in rows if row[0] == "run"]
    assert run[2] == "system.csv changed, 20 -> 10 rows" or "system.csv changed" in run[2]
    [cost] = [row for row in rows if row[1] == "c1/system, tdt2004"]
    assert cost[3] == "run" and cost[2].endswith("metrics: c_det_norm 0.5 -> 0.75 (all, topic)")
    table = CliRunner().invoke(cli, ["archive", "diff", str(folder / "whole.zip"), str(tmp_path / "drop.zip")])
    assert "Cause of every number: run." in table.output and "because" not in table.output
    _, numbers = every("number", folder / "whole.zip", tmp_path / "drop.zip")
    [mean] = [row for row in numbers if row[3:7] == ("all", "topic", None, "c_det_norm")]
    assert mean[7:] == (0.5, 0.75, "run")
    [topic] = [row for row in numbers if row[3:7] == ("all", None, "T3", "p_miss")]
    assert topic[7:] == (0.5, 0.75, "run")


def test_a_topic_that_went_without_a_reason_is_named(folder, tmp_path):
    def without_a_topic(files):
        write_table(files, "base.block", "delete from t where block_id = 'T3'", tmp_path)
        write_table(files, "registry.condition", "update t set content_sha256 = repeat('1', 64)", tmp_path)

    rows = differences(folder / "whole.zip", forged(folder / "whole.zip", tmp_path, without_a_topic))
    assert [row[1:3] for row in rows if row[0] == "condition"] == [("c1", "topic T3 removed")]


@pytest.mark.full
def test_judgments_that_changed_are_counted_and_are_the_cause(folder, tmp_path):
    bundle = write_gate_bundle(tmp_path / "judged", "old")
    path = tmp_path / "judged" / "judgments.csv"
    path.write_text(path.read_text().replace("T0,S00,yes", "T0,S10,yes").replace("T1,S01,yes", "T1,S01,brief"))
    tdtsql.evaluate(bundle, tmp_path / "judged.duckdb").close()
    packed(tmp_path / "judged.duckdb", tmp_path / "judged.zip", tag="first")

    rows = differences(folder / "whole.zip", tmp_path / "judged.zip")

    labels = "T0 S00: yes -> none; T0 S10: none -> yes; T1 S01: yes -> brief"
    assert ("judgments", "gate", "1 added, 1 removed, 1 changed", labels) in rows
    listed = every("judgment", folder / "whole.zip", tmp_path / "judged.zip")[1]
    assert [row[2:] for row in listed] == [
        ("T0", "S00", "yes", None),
        ("T0", "S10", None, "yes"),
        ("T1", "S01", "yes", "brief"),
    ]
    assert {row[0] for row in rows} == {"judgments", "corpus", "condition", "number"}
    assert {row[3] for row in rows if row[0] == "number"} == {"condition or judgments"}


@pytest.mark.full
def test_ranks_before_and_after_and_withdrawn_runs_with_their_reason(tmp_path):
    """The second run has no decision yes; then the first one is withdrawn."""
    bundle = write_gate_bundle(tmp_path / "two", "old")
    lines = (bundle.parent / "system.csv").read_text().replace("yes", "no")
    (bundle.parent / "other.csv").write_text(lines)
    run = '[[run]]\nid = "other"\ncondition = "c1"\nfiles = ["other.csv"]\nformat = "tidy"\n'
    bundle.write_text(bundle.read_text() + run)
    with tdtsql.evaluate(bundle, tmp_path / "two.duckdb") as store:
        pack(store.engine, tmp_path / "one.zip", tag="one")
        store.withdraw_run("system", reason="trained on the test topics")
        pack(store.engine, tmp_path / "two.zip", tag="two")
        said = ["c1: system is withdrawn (trained on the test topics)."]
        assert store.compare("other", "system").remarks == said
        assert store.gate("other", "system", fail_if="c_det_norm > +1").remarks[0] == said[0]

    rows = [row[:3] for row in differences(tmp_path / "one.zip", tmp_path / "two.zip") if row[0] in ("run", "rank")]
    assert rows == [
        ("run", "c1/system", "withdrawn: trained on the test topics"),
        ("rank", "c1/other, tdt2004", "2 -> 1 of 1 (c_det_norm 1 -> 1)"),
        ("rank", "c1/system, tdt2004", "1 -> none of 1 (c_det_norm 0.5 -> 0.5)"),
    ]
    words = verify(tmp_path / "two.zip").words
    assert "1 condition, 2 runs (1 withdrawn)" in words and "; runs other; judgments " in words
    [line] = [line for line in words.splitlines() if line.endswith("; withdrawn: trained on the test topics")]
    assert line.startswith("* c1/system: 40 rows") and words.index("## Withdrawn runs") < words.index(line)


@pytest.mark.full
def test_profiles_runs_and_definitions_that_changed(folder, tmp_path):
    bundle = write_gate_bundle(tmp_path / "more", "old")
    bundle.write_text(
        bundle.read_text().replace('["tdt2004"]', '["mine"]') + '[profile.mine]\nbase = "tdt2004"\nc_fa = 0.2\n'
    )
    tdtsql.evaluate(bundle, tmp_path / "more.duckdb").close()
    packed(tmp_path / "more.duckdb", tmp_path / "more.zip")
    bundle.write_text(bundle.read_text().replace("c_fa = 0.2", "c_fa = 0.3").replace('id = "system"', 'id = "other"'))
    tdtsql.evaluate(bundle, tmp_path / "again.duckdb").close()
    packed(tmp_path / "again.duckdb", tmp_path / "again.zip")

    rows = differences(tmp_path / "more.zip", tmp_path / "again.zip")
    assert ("profile", "mine", "c_fa: 0.2 -> 0.3", "") in rows
    assert [row[1:3] for row in rows if row[0] == "run"] == [("c1/system", "renamed to other")]
    assert {row[3] for row in rows if row[0] == "number"} == {"profile"}

    def other_definition(files):
        write_table(
            files,
            "registry.definition",
            "update t set token_sha256 = repeat('1', 64) where relation = 'metric.detection_rate__v1'",
            tmp_path,
        )
        write_table(
            files, "registry.task_definition", "update t set sha256 = repeat('2', 64) where task = 'tracking'", tmp_path
        )
        files["environment.json"] = files["environment.json"].replace(b'"duckdb":"', b'"duckdb":"9')
        write_table(files, "score", "update t set value = 0.75 where value = 0.5", tmp_path, folder="result")

    changed = forged(folder / "whole.zip", tmp_path, other_definition)
    rows = differences(folder / "whole.zip", changed)
    assert [row[:2] for row in rows if row[0] == "definition"] == [("definition", "metric.detection_rate__v1")]
    assert [row[1] for row in rows if row[0] == "version"] == ["duckdb"]
    assert {row[3] for row in rows if row[0] == "number"} == {"definitions"}


def test_a_public_archive_differs_in_its_release_alone(folder):
    assert differences(folder / "whole.zip", folder / "public.zip") == [("release", "", "first -> no tag", "")]


# ---- helpers


def forged(path, tmp_path, change):
    """Return an archive with other files, packed anew with all hashes right."""
    files = read(path)
    change(files)
    (tmp_path / "forged.zip").write_bytes(container(files))
    return tmp_path / "forged.zip"


def table(files, name, tmp_path):
    """Return the rows of a table in an archive."""
    (tmp_path / "table.parquet").write_bytes(files[f"table/{name}.parquet"])
    return duckdb.sql(f"select * from '{tmp_path / 'table.parquet'}'").fetchall()


def write_table(files, name, statement, tmp_path, folder="table"):
    """Change the rows of a table in an archive."""
    path = tmp_path / "written.parquet"
    path.write_bytes(files[f"{folder}/{name}.parquet"])
    with duckdb.connect() as connection:
        connection.execute(f"create table t as select * from '{path}'")
        before = connection.sql("select * from t").fetchall()
        connection.execute(statement)
        assert connection.sql("select * from t").fetchall() != before
        connection.execute(f"copy (select * from t order by all) to '{path}' (format parquet, compression zstd)")
    files[f"{folder}/{name}.parquet"] = path.read_bytes()


def follow_tables(files, tmp_path):
    """Write the derived files of an archive as its tables give them."""
    from tdtsql.audit.archive import RESULTS, _load, _parquet, _released

    try:
        engine = _load(tmp_path / "x.zip", files)
    except Exception:
        return
    files.update(_parquet(engine, {name: f"{RESULTS[name]} order by all" for name in RESULTS if name in files}))
    files.update(_released(engine, None, "public"))
    engine.close()


@pytest.mark.full
def test_the_helpers_write_archives_that_are_sound(folder, tmp_path):
    assert verify(forged(folder / "public.zip", tmp_path, lambda files: follow_tables(files, tmp_path))).reach
    assert zipfile.is_zipfile(tmp_path / "forged.zip")


def test_what_is_given_of_the_counts_has_the_columns_of_their_view(folder):
    """Computed again is from the kept counts in place of the view: it must have all that the view has, in the same
    order.
    """
    from tdtsql.audit.archive import _load
    from tdtsql.audit.public_archive import _COUNTS, recompute
    from tdtsql.definitions.catalogue import catalog

    engine = _load(folder / "public.zip", read(folder / "public.zip"))
    recompute(engine)
    for name in _COUNTS:
        assert [row[0] for row in engine.rows(f"describe {name}")] == [
            column.name for column in catalog()[name].header.columns
        ]
    engine.close()


@pytest.mark.full
def test_a_public_archive_has_scores_of_items_with_one_sample_and_verifies_them(tmp_path):
    (tmp_path / "bundle.toml").write_text(
        '[corpus]\nid = "k"\n[[condition]]\nid = "c"\ntask = "items"\nk = [1]\n'
        '[[run]]\ncondition = "c"\nfiles = ["items.csv"]\n'
    )
    (tmp_path / "items.csv").write_text(
        "run_id,item_id,score,epoch\nonce,a,1,1\nonce,b,0,1\ntwice,a,1,1\ntwice,a,0,2\n"
    )
    with tdtsql.evaluate(tmp_path / "bundle.toml") as store:
        pack(store.engine, tmp_path / "public.zip", public=True)
    files = read(tmp_path / "public.zip")

    assert len(table(files, "base.item_score", tmp_path)) == 2  # those of the run without a second epoch
    assert verify(tmp_path / "public.zip").n_value > 0

    statements = ("update t set given_score = 1 where given_score = 0", "delete from t")
    for statement in statements[: lanes.number(default=1, full=2)]:

        def change(files, statement=statement):
            write_table(files, "base.item_score", statement, tmp_path)
            follow_tables(files, tmp_path)

        with pytest.raises(InvalidArchive, match=r"c/once .*base\.item_score"):
            verify(forged(tmp_path / "public.zip", tmp_path, change))
