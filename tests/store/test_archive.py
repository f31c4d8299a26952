"""Archives: the same bytes for two people, every flipped byte and every forged file or row found, what a release says
it holds, and what differs between two.
"""

import json
import random
import resource
import shutil
import subprocess
import tomllib
import tracemalloc
import zipfile
from contextlib import suppress
from pathlib import Path

import duckdb
import pytest
from gate_case import write_gate_bundle

import tdtsql
from tdtsql.audit.archive import loaded, pack, texts, unpack, verify
from tdtsql.audit.archive_diff import differences, every
from tdtsql.audit.container import SUMS, container, read, root, sums_of
from tdtsql.errors import InvalidArchive

#: names of stories, and what the run said of them, stand in no public file
STORY = "S03"
JUNK = b"PAR1" + b"x" * 40 + b"PAR1"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with the store old.duckdb and its archives whole.zip (tag first) and public.zip."""
    folder = tmp_path_factory.mktemp("release")
    with tdtsql.evaluate(write_gate_bundle(folder / "old", "old"), folder / "old.duckdb") as store:
        pack(store.engine, folder / "whole.zip", tag="first")
        store.engine.execute("set threads = 1")
        pack(store.engine, folder / "again.zip", tag="first")
        pack(store.engine, folder / "public.zip", public=True)
    return folder


@pytest.fixture(scope="module")
def verified(folder):
    """Return what the verification of whole.zip finds, whose root was kept."""
    return verify(folder / "whole.zip", root=root(read(folder / "whole.zip")))


def packed(bundle, out, **options):
    """Evaluate a bundle and pack its store."""
    with tdtsql.evaluate(bundle) as store:
        return pack(store.engine, out, **options)


def table(files, name, tmp_path):
    """Return the rows of a table in an archive."""
    (tmp_path / "table.parquet").write_bytes(files[f"table/{name}.parquet"])
    return duckdb.sql(f"select * from '{tmp_path / 'table.parquet'}'").fetchall()


def change_rows(files, name, statement, tmp_path):
    """Change the rows of a file of an archive by SQL on a table ``t``."""
    path = tmp_path / "written.parquet"
    path.write_bytes(files[name])
    with duckdb.connect() as connection:
        connection.execute(f"create table t as select * from '{path}'")
        before = connection.sql("describe t").fetchall(), connection.sql("from t").fetchall()
        connection.execute(statement)
        assert (connection.sql("describe t").fetchall(), connection.sql("from t").fetchall()) != before
        connection.execute(f"copy (select * from t order by all) to '{path}' (format parquet, compression zstd)")
    files[name] = path.read_bytes()


def follow_tables(files, tmp_path):
    """Write the numbers and words of a public archive as its tables give them, as a careful forger does."""
    part = tmp_path / "part.parquet"
    with suppress(InvalidArchive), loaded(tmp_path / "x.zip", files) as engine:
        for name in [name for name in files if name.startswith("result/")]:
            engine.execute(f"copy (from report.{name[7:-8]} order by all) to '{part}' (format parquet)")
            files[name] = part.read_bytes()
        files.update(texts(engine, None, "public"))


def forged(path, tmp_path, change):
    """Return an archive with other files, packed anew with all hashes right."""
    files = read(path)
    change(files)
    (tmp_path / "forged.zip").write_bytes(container(files))
    return tmp_path / "forged.zip"


# ---- the same bytes


def test_numbers_come_out_again_without_the_inputs_and_the_bytes_are_the_same(folder, verified):
    assert (folder / "whole.zip").read_bytes() == (folder / "again.zip").read_bytes()
    assert verified.n_value > 200


@pytest.mark.full
def test_two_people_pack_the_same_bytes_whatever_they_did_before(tmp_path):
    """The second one evaluated another output first, corrected it, and added a run and dropped it again: other numbers
    inside, the same evaluation.
    """
    first, second = (write_gate_bundle(tmp_path / name, "old") for name in ("here", "there"))
    packed(first, tmp_path / "first.zip", tag="one")
    good = shutil.copy(second.with_name("system.csv"), tmp_path / "good.csv")
    shutil.copy(write_gate_bundle(tmp_path / "wrong", "drop").with_name("system.csv"), second.parent)
    with tdtsql.evaluate(second) as store:
        store.add_run("third", condition="c1", decisions=str(good))
        store.refresh()
        store.drop_run("third")
        shutil.copy(good, second.with_name("system.csv"))
        store.evaluate(second)
        pack(store.engine, tmp_path / "second.zip", tag="one")
        assert store.engine.value("select count(*) from ledger.entry where kind = 'drop'") == 2

    assert (tmp_path / "first.zip").read_bytes() == (tmp_path / "second.zip").read_bytes()


def test_a_store_that_was_changed_is_not_packed(folder, tmp_path):
    """What the ledger of an archive says is made from the tables: it must not say of changed rows that they were
    loaded.
    """
    with tdtsql.connect(shutil.copy(folder / "old.duckdb", tmp_path / "changed.duckdb")) as store:
        store.engine.execute("update base.decision set score = score + 1")
        said = r"run:c1/system: base\.decision does not hold what was loaded .* It is not archived"
        with pytest.raises(InvalidArchive, match=said):
            pack(store.engine, tmp_path / "out.zip")
    assert not (tmp_path / "out.zip").exists()


# ---- what is not as it was packed


@pytest.mark.full
def test_a_thousand_flipped_bytes_are_all_found(folder, tmp_path):
    good = (folder / "whole.zip").read_bytes()
    generator = random.Random(2004)
    # the ends, where the zip directory is, are small: half of the flips go there
    places = [generator.randrange(len(good)) for _ in range(500)]
    places += [len(good) - 1 - generator.randrange(20_000) for _ in range(490)] + list(range(10))
    other = tmp_path / "flipped.zip"
    for place in places:
        bad = bytearray(good)
        bad[place] ^= 1 << generator.randrange(8)
        other.write_bytes(bytes(bad))
        with pytest.raises(InvalidArchive, match=r"flipped\.zip: "):
            read(other)


#: (archive, what is changed, how: new bytes of a file (None: it goes), or SQL on the rows of a table, what is said)
FORGED = [
    ("whole", "sql/", None, r"sql/audit/b3_f1_bounded\.sql is not in it \(and \d+ more\)\. It was packed by"),
    ("whole", "sql/versions.lock", b"{}", r"sql/versions\.lock is not what this installation has"),
    ("whole", "sql/report/score.sql", b"select 1", r"sql/report/score\.sql is not what this installation has"),
    ("whole", "../../evil", b"x", r"'\.\./\.\./evil' does not belong into an archive"),
    ("whole", "table/more.parquet", b"x", r"'table/more\.parquet' does not belong into an archive"),
    ("public", "table/base.decision.parquet", b"x", r"'table/base\.decision\.parquet' does not belong into an archive"),
    ("whole", "environment.json", b"[]", r"environment\.json does not say what it was packed with"),
    ("whole", "environment.json", b"[" * 100_000, r"environment\.json does not say what it was packed with"),
    ("whole", "result/score.parquet", None, r"result/score\.parquet is not in it"),
    ("whole", "result/score.parquet", JUNK, r"its tables cannot be those of a store"),
    ("whole", "table/base.decision.parquet", None, r"table/base\.decision\.parquet is not in it"),
    ("whole", "table/base.decision.parquet", b"", r"table/base\.decision\.parquet cannot be read"),
    ("whole", "table/base.decision.parquet", JUNK, r"table/base\.decision\.parquet cannot be read"),
    ("whole", "release.json", b"[" * 100_000, r"release\.json does not say what the archive is"),
    ("whole", "RELEASE.md", b"other words", r"RELEASE\.md does not say what the archive's tables hold"),
    # rows
    *tomllib.loads(Path(__file__).with_name("forged.toml").read_text(encoding="utf-8"))["forged"],
]  # fmt: skip


@pytest.mark.sample(9)
@pytest.mark.parametrize(("archive", "name", "how", "said"), FORGED)
def test_a_forged_file_or_row_is_refused_though_all_hashes_are_right(folder, tmp_path, archive, name, how, said):
    """Of a public archive the forger writes the numbers anew, too, as the tables then give them."""

    def change(files):
        if not isinstance(how, str):
            for file in [file for file in files if file.startswith(name)] if how is None else [name]:
                files.pop(file, None)
                files.update({} if how is None else {file: how})
            return
        change_rows(files, f"{name if '/' in name else f'table/{name}'}.parquet", how, tmp_path)
        if archive == "public":
            follow_tables(files, tmp_path)

    with pytest.raises(InvalidArchive, match=rf"forged\.zip: {said}"):
        verify(forged(folder / f"{archive}.zip", tmp_path, change))


def test_the_helpers_write_archives_that_are_sound_and_the_root_tells(folder, tmp_path, verified):
    other = forged(folder / "public.zip", tmp_path, lambda files: follow_tables(files, tmp_path))
    assert verify(other).reach
    with pytest.raises(InvalidArchive, match="the root is [0-9a-f]{16}, and [0-9a-f]{16} was expected"):
        verify(other, root=verified.root)


@pytest.mark.full
def test_a_table_of_more_rows_than_its_bytes_hold_is_refused_before_it_is_read(folder, tmp_path):
    """3 million equal rows take 1 kB of Parquet; inserted, thousands of times that."""
    part = tmp_path / "part.parquet"
    duckdb.execute(
        "copy (select cast(1 as integer) as condition_no, cast(1 as integer) as block_no, cast(1 as integer) "
        f"as story_no from range(3000000)) to '{part}' (format parquet, row_group_size 3000000)"
    )
    bomb = {"table/base.training_story.parquet": part.read_bytes()}
    path = forged(folder / "whole.zip", tmp_path, lambda files: files.update(bomb))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for refused in (lambda: verify(path), lambda: unpack(path, tmp_path / "s.duckdb")):
        with pytest.raises(InvalidArchive, match=r"training_story.parquet declares 3,000,000 rows in [\d,]+ bytes"):
            refused()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 150_000  # kB


def test_a_zip_bomb_is_refused_before_it_is_read(tmp_path):
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("result/score.parquet", bytes(2**27))

    tracemalloc.start()
    try:
        with pytest.raises(InvalidArchive, match="its files are more than 100 times its size"):
            verify(tmp_path / "bomb.zip")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert peak < 2**24


@pytest.mark.full
def test_sha256sum_checks_a_folder_of_its_files(folder, tmp_path):
    path = tmp_path / "files"
    with zipfile.ZipFile(folder / "whole.zip") as archive:
        archive.extractall(path)
    names = [line.split("  ")[1] for line in (path / SUMS).read_text().splitlines()]
    checked = subprocess.run(["sha256sum", "-c", "--strict", "--quiet", SUMS], cwd=path)
    printed = subprocess.run(["sha256sum", SUMS], cwd=path, capture_output=True, text=True).stdout

    assert checked.returncode == 0 and printed.split()[0] == verify(path).root == verify(folder / "whole.zip").root
    assert names == sorted(names) and len(names) > 300 and read(path) == read(folder / "whole.zip")
    (path / "more").write_text("x")
    with pytest.raises(InvalidArchive, match=r"files: more was added: SHA256SUMS does not list it"):
        read(path)


@pytest.mark.parametrize(
    ("listing", "message"),
    [
        (b"", r"a was added: SHA256SUMS does not list it"),
        (b"\xff\n", r"SHA256SUMS is damaged"),
        (b"one\n", r"SHA256SUMS is damaged"),
        (b"0" * 64 + b"  a\n", r"a is not what was packed \(listed 00000000"),
        (sums_of({"a": b"1"}) + b"\n", r"SHA256SUMS is damaged"),
        (sums_of({"a": b"1"}) * 2, r"SHA256SUMS is not what was packed \(first at byte 68\)"),
        (sums_of({"a": b"1", "b": b"2"}), r"b is listed in SHA256SUMS and not there"),
    ],
)
def test_a_list_that_says_something_else_is_refused(tmp_path, listing, message):
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr(SUMS, listing)
        archive.writestr("a", b"1")
    with pytest.raises(InvalidArchive, match=message):
        read(tmp_path / "x.zip")


@pytest.mark.parametrize("data", [b"", b"junk" * 100])
def test_what_is_no_archive(data, tmp_path):
    (tmp_path / "x.zip").write_bytes(data)
    with pytest.raises(InvalidArchive, match="not an archive"):
        read(tmp_path / "x.zip")


def test_the_root_tells_names_and_order_apart():
    files = (
        {"a": b"1", "b": b"2"},
        {"a": b"2", "b": b"1"},
        {"ab": b"12"},
        {"a": b"1", "b": b"2", "c": b""},
        {"a": b"1"},
    )
    assert len({root(one) for one in files}) == 5


# ---- what it holds


def test_a_release_says_what_it_holds(folder, verified):
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
    assert verified.words == words


def test_a_public_archive_has_neither_decisions_nor_texts_and_says_how_far_it_is_verified(folder, tmp_path):
    files, whole = read(folder / "public.zip"), read(folder / "whole.zip")
    tables = [name[6:-8] for name in files if name.startswith("table/")]
    secret = (*("base.decision base.story base.judgment base.topic registry.problem ledger.result_det_point").split(),)

    assert {*secret, "ledger.result_label"}.isdisjoint(tables)
    assert not any(name.startswith("staging.") for name in tables)
    for name in tables:
        assert not any(value == STORY for row in table(files, name, tmp_path) for value in row), name
    for name in ("result/score.parquet", "result/block_score.parquet"):
        assert files[name] == whole[name]
    assert "result/block_label.parquet" in whole and "result/block_label.parquet" not in files
    assert table(files, "ledger.entry", tmp_path) == table(whole, "ledger.entry", tmp_path)

    found = verify(folder / "public.zip")
    again, total = (int(word.replace(",", "")) for word in found.reach[3].split()[:3:2])
    assert len(found.reach) == 5 and total == found.n_value and total > again > total / 2
    assert "the counts themselves, and" in found.reach[4] and "min_c_det" in found.reach[4]


# ---- what differs


def of(rows, kind):
    return [row[1:3] for row in rows if row[0] == kind]


def test_archives_that_hold_the_same_and_one_without_a_topic(folder, tmp_path):
    public = differences(folder / "whole.zip", folder / "public.zip")
    assert public == [("release", "", "first -> no tag", "")]

    def without_a_topic(files):
        change_rows(files, "table/base.block.parquet", "delete from t where block_id = 'T3'", tmp_path)
        other = "update t set content_sha256 = repeat('1', 64)"
        change_rows(files, "table/registry.condition.parquet", other, tmp_path)

    rows = differences(folder / "whole.zip", forged(folder / "whole.zip", tmp_path, without_a_topic))
    assert of(rows, "condition") == [("c1", "topic T3 removed")]


@pytest.mark.full
def test_judgments_that_changed_are_counted_and_are_the_cause(folder, tmp_path):
    bundle = write_gate_bundle(tmp_path / "judged", "old")
    path = bundle.with_name("judgments.csv")
    path.write_text(path.read_text().replace("T0,S00,yes", "T0,S10,yes").replace("T1,S01,yes", "T1,S01,brief"))
    packed(bundle, tmp_path / "judged.zip", tag="first")

    rows = differences(folder / "whole.zip", tmp_path / "judged.zip")

    labels = "T0 S00: yes -> none; T0 S10: none -> yes; T1 S01: yes -> brief"
    assert ("judgments", "gate", "1 added, 1 removed, 1 changed", labels) in rows
    listed = every("judgment", folder / "whole.zip", tmp_path / "judged.zip")[1]
    changed = [("T0", "S00", "yes", None), ("T0", "S10", None, "yes"), ("T1", "S01", "yes", "brief")]
    assert [row[2:] for row in listed] == changed
    assert {row[0] for row in rows} == {"judgments", "corpus", "condition", "number"}
    assert {row[3] for row in rows if row[0] == "number"} == {"condition or judgments"}


@pytest.mark.full
def test_profiles_runs_and_definitions_that_changed(folder, tmp_path):
    bundle = write_gate_bundle(tmp_path / "more", "old")
    mine = '[profile.mine]\nbase = "tdt2004"\nc_fa = 0.2\n'
    bundle.write_text(bundle.read_text().replace('["tdt2004"]', '["mine"]') + mine)
    packed(bundle, tmp_path / "more.zip")
    bundle.write_text(bundle.read_text().replace("c_fa = 0.2", "c_fa = 0.3").replace('id = "system"', 'id = "other"'))
    packed(bundle, tmp_path / "again.zip")

    rows = differences(tmp_path / "more.zip", tmp_path / "again.zip")
    assert ("profile", "mine", "c_fa: 0.2 -> 0.3", "") in rows
    assert of(rows, "run") == [("c1/system", "renamed to other")]
    assert {row[3] for row in rows if row[0] == "number"} == {"profile"}

    def other_definition(files):
        for name, statement in {
            "table/registry.definition": "update t set token_sha256 = repeat('1', 64) "
            "where relation = 'metric.detection_rate__v1'",
            "table/registry.task_definition": "update t set sha256 = repeat('2', 64) where task = 'tracking'",
            "result/score": "update t set value = 0.75 where value = 0.5",
        }.items():
            change_rows(files, f"{name}.parquet", statement, tmp_path)
        files["environment.json"] = files["environment.json"].replace(b'"duckdb":"', b'"duckdb":"9')

    rows = differences(folder / "whole.zip", forged(folder / "whole.zip", tmp_path, other_definition))
    assert [row[:2] for row in rows if row[0] == "definition"] == [("definition", "metric.detection_rate__v1")]
    assert [row[1] for row in rows if row[0] == "version"] == ["duckdb"]
    assert {row[3] for row in rows if row[0] == "number"} == {"definitions"}
