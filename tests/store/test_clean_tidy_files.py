"""The engine parses clean tidy tracking files itself: it must store what the reader stores, and leave it what is
unusual.
"""

import gzip
from pathlib import Path

import duckdb
import pytest

import tdtsql
from tdtsql.errors import InvalidInput
from inside import decision_files

pytestmark = pytest.mark.usefixtures("unscored")

BUNDLE = Path(__file__).parents[2] / "fixtures" / "malformed" / "bundle" / "base_tdt" / "bundle.toml"
HEADER = ["topic_id", "story_id", "decision", "score"]
ROWS = [
    ["81001", "B1", "yes", "2.0"],
    ["81001", "B2", "NO", "-0.5"],
    ["81001", "A3", "no", "1e-300"],
    ["81001", "A4", "no", "-9e99"],
    ["81002", "B1", "No", ".25"],
    ["81002", "B2", "no", "0.1"],
    ["81002", "A3", "yes", "7"],
    ["81002", "A4", "no", "-0"],
]
CLEAN = {"plain": ROWS, "some left out": ROWS[:3], "in another order": ROWS[::-1]}
UNUSUAL = {
    "no rows": [],
    "unknown story": [*ROWS, ["81001", "Z9", "no", "0"]],
    "unknown topic": [*ROWS, ["81009", "B1", "no", "0"]],
    "underscore in a score": [["81001", "B1", "yes", "2_0"]],
    "text for a score": [["81001", "B1", "yes", "high"]],
    "infinite": [["81001", "B1", "yes", "inf"]],
    "nan": [["81001", "B1", "yes", "nan"]],
    "beyond": [["81001", "B1", "yes", "-1e100"]],
    "empty score": [["81001", "B1", "yes", ""]],
    "empty id": [["81001", "", "yes", "1"]],
    "quoted": [["81001", '"B1"', "yes", "1"]],
    "quote inside": [["81001", 'B"1', "yes", "1"]],
    "twice": [*ROWS, ROWS[0]],
    "maybe": [["81001", "B1", "maybe", "1"]],
    "blanks": [["81001", " B1", "yes ", " 1"]],
    "a field too many": [*ROWS, ["81001", "B1", "yes", "1", "2"]],
    "a field too few": [*ROWS, ["81001", "B1"]],
    "an empty field too many": [*ROWS[:2], ["81001", "A3", "no", "1", ""]],
    "a blank line": [*ROWS[:2], [], *ROWS[2:]],
}


def as_csv(rows, folder, delimiter=",", name="mine.csv", ending="\n"):
    path = folder / name
    text = ending.join(delimiter.join(row) for row in [HEADER, *rows]) + ending
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    return path


@pytest.fixture(scope="module")
def stores():
    with tdtsql.evaluate(BUNDLE) as fast, tdtsql.evaluate(BUNDLE) as slow:
        yield {True: fast, False: slow}


@pytest.fixture
def stored(stores, monkeypatch):
    """Return a function that adds a file as a run: what is then stored and said of it, and whether the engine parsed
    it.
    """

    def add(path, *, fast):
        store, parsed = stores[fast], []
        original = decision_files.parse_clean
        with monkeypatch.context() as patch:
            if fast:
                patch.setattr(
                    decision_files, "parse_clean", lambda *given: parsed.append(original(*given)) or parsed[-1]
                )
            else:
                patch.setattr(decision_files, "clean_table", lambda *_: None)
            try:
                store.add_run("mine", condition="c", decisions=path)
            except InvalidInput as refused:
                return [str(problem) for problem in refused.problems], parsed
        tables = [
            "select decision.* exclude (run_no) from base.decision as decision join registry.run as run on run.run_no "
            "= decision.run_no"
            " where run.run_id = 'mine' order by decision.rowid",
            "select run_id, format, n_row, content_sha256 from registry.run",
            "select * exclude (input_file_no) from registry.input_file where owner = 'run:c/mine'",
            "select * from registry.problem where owner = 'run:c/mine' order by all",
        ]
        return [repr(store.sql(table).fetchall()) for table in tables], parsed

    return add


@pytest.mark.parametrize("shape", ["mine.csv", "mine.tsv", "mine.csv.gz"])
@pytest.mark.parametrize("case", CLEAN | UNUSUAL)
@pytest.mark.sample(4)
def test_the_fast_way_stores_and_says_what_the_reader_does(case, shape, tmp_path, stored):
    path = as_csv((CLEAN | UNUSUAL)[case], tmp_path, "\t" if ".tsv" in shape else ",", shape)
    fast, parsed = stored(path, fast=True)
    slow, _ = stored(path, fast=False)
    assert fast == slow
    assert bool(parsed[0][0]) == (case in CLEAN)


@pytest.mark.sample(1)
@pytest.mark.parametrize("ending", ["\r\n", "\n"])
def test_lines_of_either_ending_are_the_same(ending, tmp_path, stored):
    path = as_csv(ROWS, tmp_path, ending=ending)
    assert stored(path, fast=True)[0] == stored(path, fast=False)[0]


@pytest.mark.sample(1)
@pytest.mark.parametrize("score", ["double", "float", "decimal(18, 3)", "varchar"])
@pytest.mark.parametrize("rows", [ROWS, ROWS[:2] + ROWS[:1]], ids=["plain", "twice"])
def test_parquet_too(score, rows, tmp_path, stored):
    path = tmp_path / "mine.parquet"
    given = [[*row[:3], "0.125" if abs(float(row[3])) > 1e9 else row[3]] for row in rows]
    values = ", ".join(
        f"('{topic}', '{story}', '{decision}', cast('{number}' as {score}))" for topic, story, decision, number in given
    )
    duckdb.connect().execute(
        f"copy (select * from (values {values}) as line(topic_id, story_id, decision, score)) to '{path}'"
    )
    fast, parsed = stored(path, fast=True)
    slow, _ = stored(path, fast=False)
    assert fast == slow
    assert bool(parsed[0][0]) == (score != "decimal(18, 3)" and rows is ROWS)


@pytest.mark.parametrize("name", ["mine.parquet", "mine.csv.gz"])
def test_a_broken_file_is_refused_and_not_a_crash(name, tmp_path, stored):
    path = as_csv(ROWS, tmp_path)
    broken = tmp_path / name
    broken.write_bytes(b"PAR1" + path.read_bytes()[:40] + b"\x1f\x8bPAR1")
    fast, parsed = stored(broken, fast=True)
    assert fast == stored(broken, fast=False)[0] and not parsed[0][0] and "E0" in fast[0]


#: task -> (key, of its condition; name, header and rows of the two files)
FILES_OF_TASK = {
    "partition": ("gold", "item_id,cluster_id\na,1\nb,1\n", "item_id,cluster_id\na,x\nb,x\n"),
    "verification": ("key", "trial_id,label\na,target\nb,nontarget\n", "trial_id,score\na,1\nb,0\n"),
}


@pytest.mark.parametrize("odd", ["key.csv", "run.csv"])
@pytest.mark.parametrize("task", FILES_OF_TASK)
def test_an_empty_field_too_many_is_told(task, odd, stores, tmp_path):
    """The engine would take it for none."""
    of, *texts = FILES_OF_TASK[task]
    profile = 'profile = ["bosaris"]' if task == "verification" else ""
    for name, text in zip(("key.csv", "run.csv"), texts, strict=True):
        (tmp_path / name).write_text(text[:-1] + ",\n" if name == odd else text)
    (tmp_path / "b.toml").write_text(
        f'[corpus]\nid = "odd"\n[[condition]]\nid = "odd"\ntask = "{task}"\n{of} = "key.csv"\n{profile}\n[[run]]\nid = '
        f'"r"\ncondition = "odd"\nfiles = ["run.csv"]\n'
    )

    with pytest.raises(InvalidInput) as refused:
        stores[True].evaluate(tmp_path / "b.toml")

    assert [(problem.code, problem.path, problem.line) for problem in refused.value.problems] == [("E304", odd, 3)]
