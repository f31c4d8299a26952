"""An archive has the same bytes each time, any flipped byte is found, and its numbers come out again elsewhere."""

import random
import resource
import subprocess
import tracemalloc
import zipfile
from pathlib import Path

import duckdb
import pytest

import tdtsql
from tdtsql.errors import InvalidArchive
from tdtsql.audit.archive import pack, unpack, verify
from tdtsql.audit.container import SUMS, container, read, root as archive_root, sums_of

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"


@pytest.fixture(scope="module")
def packed(evaluated_once, tmp_path_factory):
    """Return an archive of Bagga's examples and its root."""
    folder = tmp_path_factory.mktemp("archive")
    with tdtsql.connect(evaluated_once(FIXTURES / "bagga" / "bundle.toml"), read_only=True) as store:
        first = pack(store.engine, folder / "one.zip")
        store.engine.execute("set threads = 1")
        second = pack(store.engine, folder / "two.zip")
    assert (folder / "one.zip").read_bytes() == (folder / "two.zip").read_bytes() and first == second
    return folder / "one.zip", first.root


def test_numbers_come_out_again_without_the_inputs(packed):
    path, root = packed

    found = verify(path, root=root)

    assert found.root == root and found.n_value > 500


def of_parquet(data, query, tmp_path, into=None):
    """Return the rows of a query of a Parquet file, as ``t``; ``into``: write them as Parquet instead."""
    (tmp_path / "t.parquet").write_bytes(data)
    with duckdb.connect() as connection:
        connection.execute(f"create table t as from '{tmp_path / 't.parquet'}'")
        if into is None:
            return connection.sql(query).fetchall()
        connection.execute(f"copy ({query}) to '{into}' (format parquet)")
        return into.read_bytes()


def test_it_can_be_read_without_tdtsql(packed, tmp_path):
    files = read(packed[0])
    [(n_score,)] = of_parquet(files["result/score.parquet"], "select count(signature) from t", tmp_path)
    assert n_score > 100
    paths = of_parquet(files["table/registry.input_file.parquet"], "select path from t", tmp_path)
    assert {("R1.csv",), ("R5.csv",)} <= set(paths)
    assert {
        "sql/versions.lock",
        "sql/profile/tdt2004.toml",
        "sql/metric/detection/rate__v1.sql",
        "environment.json",
    } <= files.keys()


@pytest.mark.full
def test_a_thousand_flipped_bytes_are_all_found(packed, tmp_path):
    path, _ = packed
    good = path.read_bytes()
    generator = random.Random(2004)
    # the ends, where the zip directory is, are small: half of the flips go there
    places = (
        [generator.randrange(len(good)) for _ in range(500)]
        + [len(good) - 1 - generator.randrange(20_000) for _ in range(490)]
        + list(range(10))
    )
    other = tmp_path / "flipped.zip"
    missed = []
    for place in places:
        bad = bytearray(good)
        bad[place] ^= 1 << generator.randrange(8)
        other.write_bytes(bytes(bad))
        try:
            read(other)
            missed.append(place)
        except InvalidArchive as error:
            assert str(error).startswith(f"{other}: ")
    assert missed == []


def test_what_is_packed_anew_with_another_number_is_named(packed, tmp_path):
    """Somebody who packs a changed table anew, with all hashes right, is found by computing again, or by the root."""
    path, root = packed
    files = read(path)
    other_number = "select * replace (case when rowid = 0 then 0.5 else value end as value) from t"
    files["result/score.parquet"] = of_parquet(
        files["result/score.parquet"], other_number, tmp_path, tmp_path / "other.parquet"
    )
    other = tmp_path / "forged.zip"
    other.write_bytes(container(files))

    with pytest.raises(
        InvalidArchive, match=r"result/score\.parquet does not say what the archive's tables hold \(2 rows\)"
    ):
        verify(other)
    with pytest.raises(InvalidArchive, match="the root is [0-9a-f]{16}, and [0-9a-f]{16} was expected"):
        verify(other, root=root)


def forged(packed, tmp_path, change):
    """Return an archive in which files were changed and everything was packed anew, with all hashes right."""
    files = read(packed[0])
    change(files)
    other = tmp_path / "forged.zip"
    other.write_bytes(container(files))
    return other


def table(files, name, statement, tmp_path):
    """Change a table of an archive by SQL on a table ``t``."""
    part = tmp_path / "part.parquet"
    part.write_bytes(files[name])
    with duckdb.connect() as connection:
        connection.execute(f"create table t as select * from read_parquet('{part}')")
        connection.execute(statement)
        connection.execute(f"copy t to '{part}' (format parquet)")
    files[name] = part.read_bytes()


JUNK = b"PAR1" + b"x" * 40 + b"PAR1"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda files: [files.pop(name) for name in list(files) if name.startswith("sql/")],
            r"sql/audit/b3_f1_bounded\.sql is not in it \(and \d+ more\)\. It was packed by this version",
        ),
        (
            lambda files: files.update({"sql/versions.lock": b"{}"}),
            r"sql/versions\.lock is not what this installation has",
        ),
        (
            lambda files: files.update(
                {"sql/profile/tdt2004.toml": files["sql/profile/tdt2004.toml"].replace(b"0.02", b"0.03")}
            ),
            r"sql/profile/tdt2004\.toml is not what this",
        ),
        (
            lambda files: files.update({"sql/report/score.sql": b"select 1"}),
            r"sql/report/score\.sql is not what this installation has",
        ),
        (lambda files: files.update({"../../evil": b"x"}), r"'\.\./\.\./evil' does not belong into an archive"),
        (
            lambda files: files.update({"table/more.parquet": b"x"}),
            r"'table/more\.parquet' does not belong into an archive",
        ),
        (
            lambda files: files.update({"environment.json": b"[]"}),
            r"environment\.json does not say what it was packed with",
        ),
        (
            lambda files: files.update({"environment.json": b"[" * 100_000}),
            r"environment\.json does not say what it was packed with",
        ),
        (lambda files: files.pop("result/score.parquet"), r"result/score\.parquet is not in it"),
        (lambda files: files.update({"result/score.parquet": JUNK}), r"its tables cannot be those of a store"),
        (lambda files: files.pop("table/base.decision.parquet"), r"table/base\.decision\.parquet is not in it"),
        (
            lambda files: files.update({"table/base.decision.parquet": b""}),
            r"table/base\.decision\.parquet cannot be read",
        ),
        (
            lambda files: files.update({"table/base.decision.parquet": JUNK}),
            r"table/base\.decision\.parquet cannot be read",
        ),
        (
            lambda files: files.update({"table/base.decision.parquet": files["table/base.topic.parquet"]}),
            r"table/base\.decision\.parquet cannot be read",
        ),
    ],
)
@pytest.mark.sample(6)
def test_an_archive_packed_anew_with_other_files_is_refused(packed, tmp_path, change, message):
    with pytest.raises(InvalidArchive, match=rf"forged\.zip: {message}"):
        verify(forged(packed, tmp_path, change))


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("name", "statement", "message"),
    [
        (
            "staging.tidy_story",
            "delete from t",
            r"corpus:bagga: staging\.tidy_story does not hold what was loaded \(\d+ rows, [0-9a-f]{8}; now no rows\)",
        ),
        ("registry.definition", "delete from t", r"registry\.definition.*rows were edited"),
        (
            "registry.profile",
            "update t set c_miss = 0.5 where profile_id = 'f4de'",
            r"registry\.profile: f4de has other values than were loaded",
        ),
        (
            "base.decision",
            "update t set score = score + 1 where run_no = 1",
            r"run:large/R1: base\.decision does not hold what was loaded",
        ),
        (
            "base.block",
            "update t set block_id = 'x' || block_id where block_no = 1",
            r"(results\.json does not say|condition:large: base\.block does not hold)",
        ),
        ("ledger.entry", "delete from t where entry_no = 2", r"ledger\.entry 2 is missing"),
        ("registry.made_with", "update t set value = '0' where item = 'tdtsql'", r"registry\.made_with is not what"),
        (
            "base.decision",
            "alter table t rename trial_no to other; alter table t rename segment_no to trial_no; "
            "alter table t rename other to segment_no",
            r"run:large/R1: base\.decision does not hold what was loaded",
        ),
        (
            "registry.run",
            "delete from t where run_id = 'R1'",
            r"base\.decision: \d+ rows of run_no \d+, which registry",
        ),
        ("registry.input_file", "update t set n_byte = 1", r".* input files .*registry\.input_file"),
        ("ledger.result_block", "delete from t where rowid = 1", r".* stored scores .*ledger\.result_block"),
        ("registry.package", "insert into t values ('p', '1', 'x', '{}', '0')", r"registry\.package does not say what"),
        (
            "registry.definition",
            "insert into t values ('metric.x', 'p', 't', 1, 'exact', '0', '0')",
            r"registry\.definition has rows of p, which is not in this store",
        ),
    ],
)
def test_an_archive_packed_anew_with_other_rows_is_refused(packed, tmp_path, name, statement, message):
    with pytest.raises(InvalidArchive, match=rf"forged\.zip: {message}"):
        verify(forged(packed, tmp_path, lambda files: table(files, f"table/{name}.parquet", statement, tmp_path)))


@pytest.mark.full
def test_a_table_of_more_rows_than_its_bytes_hold_is_refused_before_it_is_read(packed, tmp_path):
    """3 million equal rows take 1 kB of Parquet; inserted, thousands of times that."""

    def bomb(files):
        part = tmp_path / "part.parquet"
        with duckdb.connect() as connection:
            connection.execute(
                "copy (select cast(1 as integer) as condition_no, cast(1 as integer) as block_no, cast(1 as integer) "
                f"as story_no from range(3000000)) to '{part}' (format parquet, row_group_size 3000000)"
            )
        files["table/base.training_story.parquet"] = part.read_bytes()

    path = forged(packed, tmp_path, bomb)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for refused in (lambda: verify(path), lambda: unpack(path, tmp_path / "s.duckdb")):
        with pytest.raises(InvalidArchive, match=r"training_story.parquet declares 3,000,000 rows in [\d,]+ bytes"):
            refused()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 150_000  # kB


@pytest.mark.full
def test_sha256sum_checks_a_folder_of_its_files(packed, tmp_path):
    path, root = packed
    with zipfile.ZipFile(path) as archive:
        archive.extractall(tmp_path / "files")
    listing = tmp_path / "files" / SUMS
    names = [line.split("  ")[1] for line in listing.read_text().splitlines()]

    checked = subprocess.run(["sha256sum", "-c", "--strict", "--quiet", SUMS], cwd=tmp_path / "files")
    printed = subprocess.run(["sha256sum", SUMS], cwd=tmp_path / "files", capture_output=True, text=True).stdout

    assert checked.returncode == 0 and printed.split()[0] == root
    assert names == sorted(names) and len(names) > 300
    assert read(tmp_path / "files") == read(path)
    assert verify(tmp_path / "files", root=root).root == root
    (tmp_path / "files" / "more").write_text("x")
    with pytest.raises(InvalidArchive, match=r"files: more was added: SHA256SUMS does not list it"):
        read(tmp_path / "files")


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


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not an archive"),
        (b"junk" * 100, "not an archive"),
    ],
)
def test_what_is_no_archive(data, message, tmp_path):
    path = tmp_path / "x.zip"
    path.write_bytes(data)

    with pytest.raises(InvalidArchive, match=message):
        read(path)


def test_the_root_tells_names_and_order_apart():
    roots = {
        archive_root(files)
        for files in (
            {"a": b"1", "b": b"2"},
            {"a": b"2", "b": b"1"},
            {"ab": b"12"},
            {"a": b"1", "b": b"2", "c": b""},
            {"a": b"1"},
        )
    }
    assert len(roots) == 5


def test_a_zip_bomb_is_refused_before_it_is_read(packed, tmp_path):
    bomb = tmp_path / "bomb.zip"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("result/score.parquet", bytes(2**27))

    tracemalloc.start()
    try:
        with pytest.raises(InvalidArchive, match="its files are more than 100 times its size"):
            verify(bomb)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert peak < 2**24
