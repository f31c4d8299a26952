"""A path is that file: no character of it makes it a pattern, and no folder's name becomes a column.

Next to each file lies one that the name matches as a pattern, with the opposite content: trial a has the lower score in
``RIGHT``, and the higher one in ``WRONG``.
"""

import bz2
import gzip
import os
from pathlib import Path

import duckdb
import pytest

from tdtsql.api import connect
from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import parquet_source, quoted_path, text_source
from tdtsql.errors import CannotWrite, InvalidInput, NotAStore, StoreLocked
from tdtsql.files.find import Inputs

RIGHT, WRONG = "trial_id,score\na,0\nb,1\n", "trial_id,score\na,1\nb,0\n"

pytestmark = pytest.mark.usefixtures("unscored")

#: names, and what they match as patterns
NAMES = {
    "s[1].csv": "s1.csv",
    "s?.csv": "sx.csv",
    "s*.csv": "sxy.csv",
    "**.csv": "x.csv",
    "[[].csv": "[.csv",
    "[!a].csv": "b.csv",
    "[].csv": "x.csv",
    "a'b;c.csv": "x.csv",
    '"%20#.csv': "x.csv",
    "{a,b}.csv": "a.csv",
    " blank .csv": "x.csv",
    "-dash.csv": "x.csv",
    "~.csv": "x.csv",
    "ключ.csv": "x.csv",
    "back\\slash.csv": "x.csv",
    "s3:x.csv": "x.csv",
}
FOLDERS = {"exp[1]": "exp1", "score=7": "plain", "trial_id=a": "plain", "a*": "ab", "run_id=x": "plain"}


@pytest.fixture(scope="module")
def store():
    with connect(":memory:") as store:
        store.add_corpus("k")
        store.add_condition(
            "v",
            corpus="k",
            task="verification",
            key={"trial_id": ["a", "b"], "label": ["target", "nontarget"]},
            scores="score",
            profile="voxsrc",
        )
        yield store


def _scores(store, path) -> list[float]:
    """Return the stored scores of trials a and b, of a run that is read from a file."""
    store.add_run("r", condition="v", decisions=path)
    return store.engine.column("select score from base.decision order by trial_no")


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.mark.sample(5)
@pytest.mark.parametrize(("name", "other"), NAMES.items())
def test_a_file_of_any_name_is_read_itself(store, tmp_path, name, other):
    _write(tmp_path / other, WRONG)

    assert _scores(store, _write(tmp_path / name, RIGHT)) == [0, 1]


@pytest.mark.parametrize(("name", "other"), FOLDERS.items())
def test_a_folder_of_any_name_is_a_folder(store, tmp_path, name, other):
    _write(tmp_path / other / "s.csv", WRONG)

    assert _scores(store, _write(tmp_path / name / "s.csv", RIGHT)) == [0, 1]


@pytest.mark.parametrize("name", ["s[1].parquet", "seed=1/s.parquet", "label=target/score=3/s*.parquet"])
def test_parquet_files_are_read_so_too(store, tmp_path, name):
    for text, path in ((WRONG, tmp_path / "s1.parquet"), (RIGHT, tmp_path / name)):
        _write(path.with_suffix(".csv"), text)
        fields = "split_part(text, ',', 1) as trial_id, try_cast(split_part(text, ',', 2) as double) as score"
        rows = f"select {fields} from {text_source([path.with_suffix('.csv')], 100)} offset 1"
        duckdb.sql(f"copy ({rows}) to {quoted_path(path)} (format parquet)")

    assert _scores(store, tmp_path / name) == [0, 1]


def test_a_file_of_several_is_known_by_its_path(tmp_path):
    paths = [_write(tmp_path / name, f"{number}\n") for number, name in enumerate(("a[1].txt", "a1.txt", "x=1/b?.txt"))]
    source = text_source(paths, 100)

    assert duckdb.sql(f"select filename, cast(text as int) as number from {source} order by 2").fetchall() == [
        (str(path.absolute()), number) for number, path in enumerate(paths)
    ]


def test_a_name_that_no_pattern_can_say_is_an_error(tmp_path):
    with pytest.raises(OSError, match="backslash"):
        parquet_source(tmp_path / "a\\[1].parquet")


def test_a_name_that_is_not_utf_8_is_an_error(store, tmp_path):
    path = os.fsdecode(os.fsencode(tmp_path) + b"/x\xff.csv")
    _write(Path(path), RIGHT)

    with pytest.raises(InvalidInput, match="E710 run files: the name of the file is not UTF-8"):
        store.add_run("r", condition="v", decisions=path)


@pytest.mark.parametrize(
    ("name", "data"), [("s.csv", gzip.compress(RIGHT.encode(), mtime=0)), ("s.csv.gz", RIGHT.encode())]
)
def test_gzip_is_known_by_its_content(store, tmp_path, name, data):
    """A browser unpacks a file and leaves its name."""
    (tmp_path / name).write_bytes(data)

    assert _scores(store, tmp_path / name) == [0, 1]


# ---- paths of a bundle


def _found(folder: Path, patterns: str | list[str]) -> list[str]:
    inputs = Inputs(folder)
    found = [given for given, _ in inputs.resolve(patterns, "files")]
    return [f"{problem.code} {problem.message}" for problem in inputs.problems] or found


def test_in_a_bundle_the_name_of_one_file_is_that_file(tmp_path):
    for name in ("key1.csv", "key[1].csv", "run1.txt", "run2.txt", "only[1].txt"):
        _write(tmp_path / name, "")

    assert _found(tmp_path, "**.csv") == ["E710 files: file not found"]
    assert _found(tmp_path, "key[1].csv") == ["key[1].csv"]
    assert _found(tmp_path, "run[12].txt") == ["run1.txt", "run2.txt"]
    assert _found(tmp_path, ["run[12].txt"]) == ["run1.txt", "run2.txt"]
    assert _found(tmp_path, ["only[1].txt"]) == ["only[1].txt"]
    assert _found(tmp_path, ["key[[]1].csv"]) == ["key[1].csv"]


def test_a_pattern_that_is_also_the_name_of_a_file_is_an_error(tmp_path):
    for name in ("s1.csv", "s[1].csv", "t?.csv", "t1.csv"):
        _write(tmp_path / name, "")

    assert _found(tmp_path, ["s[1].csv"]) == [
        "E715 files: this is the name of a file, and as a pattern it matches 1 file, first s1.csv"
    ]
    assert _found(tmp_path, ["t?.csv"]) == [
        "E715 files: this is the name of a file, and as a pattern it matches 2 files, first t1.csv"
    ]


@pytest.mark.parametrize("name", ["a?b.duckdb", "f?/s.duckdb", "a\\b.duckdb", "\\s.duckdb"])
def test_a_store_whose_path_the_engine_reads_otherwise_is_refused(tmp_path, name):
    """It would write the log of a?b into a.wal?b (the store was damaged by its first change), and a\\b into a/b."""
    (tmp_path / name).parent.mkdir(exist_ok=True)
    with pytest.raises(NotAStore, match="question mark|backslash"):
        connect(tmp_path / name, create=True)
    assert [path.name for path in tmp_path.rglob("*")] == ([] if "/" not in name else ["f?"])


@pytest.mark.parametrize(
    "name",
    ["~.duckdb", "s3:x.duckdb", "md:x.duckdb", "sqlite:x.duckdb", ":memory:x", "file:x", "http:x", "spark[1].db"],
)
def test_a_relative_path_of_a_store_is_that_file(tmp_path, monkeypatch, name):
    """The engine would open a file of the home folder for ~, and look for an extension called s3 or md."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    duckdb.connect(tmp_path / name).close()

    Engine(name).close()

    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_store_that_this_process_has_open_with_other_settings_is_reported(tmp_path):
    with connect(tmp_path / "s.duckdb", create=True), pytest.raises(StoreLocked, match="this process has the store"):
        connect(tmp_path / "s.duckdb", read_only=True)


def test_a_compressed_key_is_named_as_such_and_not_taken_for_a_list_of_trials(tmp_path):
    """Bytes of bzip2 read as letters have as many fields as the format of another program."""
    (tmp_path / "key.csv").write_bytes(bz2.compress(b"trial_id,label\na,target\nb,nontarget\n"))
    with connect(":memory:") as store:
        store.add_corpus("k")
        with pytest.raises(InvalidInput, match="E007 the file is compressed with bzip2"):
            store.add_condition("v", corpus="k", task="verification", key=tmp_path / "key.csv", profile="voxsrc")


def test_a_path_that_is_not_utf8_is_refused_where_the_engine_writes(tmp_path):
    """`copy` and `evaluate --db` ended with "std::bad_cast", `export` with "This should not happen"."""
    odd = str(tmp_path / "x\udcfe.duckdb")
    with pytest.raises(NotAStore, match="must be UTF-8"):
        connect(odd, create=True)
    with pytest.raises(CannotWrite, match="must be UTF-8"):
        quoted_path(odd)
    assert list(tmp_path.iterdir()) == []


def test_a_pattern_whose_files_lie_a_folder_deeper_is_told(tmp_path):
    (tmp_path / "model" / "hub").mkdir(parents=True)
    (tmp_path / "model" / "hub" / "samples_y.jsonl").write_text("{}\n")
    inputs = Inputs(tmp_path)
    assert inputs.resolve(["model/samples_*.jsonl"], "run file") == []
    assert "'model/*/samples_*.jsonl'? It matches model/hub/samples_y.jsonl" in inputs.problems[0].advice


def test_an_absolute_pattern_is_a_missing_file(tmp_path):
    inputs = Inputs(tmp_path)
    assert inputs.resolve([str(tmp_path / "a" / "*.csv")], "run file") == []
    assert [(one.code, one.message) for one in inputs.problems] == [("E710", "run file: file not found")]
