"""The engine reads clean tidy judgments itself: it must store and say what the reader does, and leave it what is
unusual.
"""

import gzip

import duckdb
import pytest

import tdtsql
from inside import corpus_loading
from tdtsql.errors import InvalidInput

pytestmark = pytest.mark.usefixtures("unscored")

STORIES = "story_id,position,language\ns1,1,eng\ns2,2,man\ns3,3,\ns4,4,eng\nß5,5,eng\n"
TOPICS = "topic_id\nt1\nt2\n"
HEADER = ["topic_id", "story_id", "label"]
ROWS = [["t1", "s1", "yes"], ["t1", "s2", "yes"], ["t2", "s3", "brief"], ["t2", "s1", "no"], ["t2", "s4", "YES"]]
CLEAN = {
    "plain": ROWS,
    "another order": ROWS[::-1],
    "a topic that is not listed": [["t9", "s1", "yes"], *ROWS, ["t8", "s1", "no"], ["t9", "s2", "yes"]],
    "stories that are not there": [["t1", "z9", "yes"], *ROWS, ["t7", "z1", "no"]],
    "words with blanks within": [*ROWS, ["t 3", "s1", "yes"]],
    "no topic of two languages": ROWS[2:],
}
UNUSUAL = {
    "no rows": [],
    "the same twice": [*ROWS, ROWS[0]],
    "judged in two ways": [*ROWS, ["t1", "s1", "no"]],
    "another label": [*ROWS, ["t1", "s3", "maybe"]],
    "no label": [["t1", "s1", ""]],
    "no topic": [["", "s1", "yes"]],
    "a blank before": [["t1", " s1", "yes"]],
    "a blank behind": [["t1 ", "s1", "yes"]],
    "a blank label": [["t1", "s1", "yes "]],
    "quoted": [["t1", '"s1"', "yes"]],
    "a quoted topic": [['"t1"', "s1", "yes"]],
    "a quote inside": [["t1", 's"1', "yes"]],
    "a field too many": [*ROWS, ["t1", "s3", "yes", "x"]],
    "a field too few": [*ROWS, ["t1", "s3"]],
    "an empty field too many": [*ROWS, ["t1", "s3", "yes", ""]],
    "an empty line": [*ROWS[:2], [], *ROWS[2:]],
    "letters beyond ASCII": [*ROWS, ["t1", "ß5", "yes"]],
    "a tab inside": [["t1", "s\t1", "yes"]],
}
TABLES = (
    "base.topic order by topic_no",
    "base.judgment order by judgment_set, rowid",
    "staging.tidy_judgment order by path, line",
    "registry.problem order by all",
    "(select kind, subject, detail from ledger.entry where kind <> 'define' order by entry_no desc limit 2)",
)


def written(rows, folder, *, name="judgments.csv", ending="\n", start="", header=HEADER):
    delimiter = "\t" if ".tsv" in name else ","
    data = (start + ending.join(delimiter.join(row) for row in [header, *rows]) + ending).encode()
    path = folder / name
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return path


@pytest.fixture(scope="module")
def stores():
    with tdtsql.connect(":memory:") as fast, tdtsql.connect(":memory:") as slow:
        yield {True: fast, False: slow}


@pytest.fixture
def outcome(stores, tmp_path, monkeypatch):
    """Return a function that loads a corpus with these judgments: what is said, what is stored, and whether the engine
    read them.
    """
    (tmp_path / "stories.csv").write_text(STORIES)
    (tmp_path / "topics.csv").write_text(TOPICS)
    original = corpus_loading.parse_judgments

    def load(path, *, fast, topics=True, **more):
        store, parsed = stores[fast], []
        listed = {"topics": tmp_path / "topics.csv"} if topics else {}
        with monkeypatch.context() as patch:
            patch.setattr(
                corpus_loading,
                "parse_judgments",
                (lambda *given: parsed.append(original(*given)) or parsed[-1]) if fast else lambda *_: None,
            )
            try:
                said = store.add_corpus("k", stories=tmp_path / "stories.csv", judgments=path, **listed, **more)
            except InvalidInput as refused:
                return [str(problem) for problem in refused.problems], None, parsed
        return (
            [str(problem) for problem in said],
            {table: store.engine.rows(f"select * from {table}") for table in TABLES},
            parsed,
        )

    return load


def same(outcome, path, *, is_clean, **more):
    *fast, parsed = outcome(path, fast=True, **more)
    *slow, _ = outcome(path, fast=False, **more)
    assert fast == slow
    assert all(parsed) == is_clean
    return fast


@pytest.mark.parametrize(
    ("case", "shape"),
    [
        *((case, "judgments.csv") for case in CLEAN | UNUSUAL),
        *(
            (case, f"judgments.{kind}")
            for case in ("plain", "a tab inside", "a field too few")
            for kind in ("tsv", "csv.gz")
        ),
    ],
)
@pytest.mark.sample(6)
def test_the_engine_stores_and_says_what_the_reader_does(case, shape, tmp_path, outcome):
    rows = (CLEAN | UNUSUAL)[case]
    is_clean = case in CLEAN if "\t" not in "".join(map("".join, rows)) else False

    same(outcome, written(rows, tmp_path, name=shape), is_clean=is_clean)


def test_what_is_said_and_stored_of_clean_judgments(tmp_path, outcome):
    """Judgments on s1 and s2 make t1 a topic of two languages; s3 has none, so t2 is one of one."""
    said, stored = same(outcome, written([*ROWS, ["t2", "z1", "yes"], ["t3", "s1", "no"]], tmp_path), is_clean=True)

    assert [line.split(": ", 1)[1].split(" ")[0] for line in said] == ["W803", "W805", "W714"]
    assert [row[2:] for row in stored[TABLES[0]]] == [
        ("t1", None, None, 1, None),
        ("t2", None, None, 0, None),
        ("t3", None, None, None, None),
    ]
    assert [row[2:] for row in stored[TABLES[1]]] == [
        (1, 1, "yes"),
        (1, 2, "yes"),
        (2, 3, "brief"),
        (2, 1, "no"),
        (2, 4, "yes"),
        (3, 1, "no"),
    ]
    assert [row[2:] for row in stored[TABLES[2]]][-2:] == [(7, "t2", "z1", "yes"), (8, "t3", "s1", "no")]


@pytest.mark.parametrize(
    ("text", "is_clean"),
    [
        ({"ending": "\r\n"}, True),
        ({"start": "\ufeff"}, False),
        ({"start": "\n"}, False),
        ({"header": ["label", "topic_id", "story_id"]}, True),
        ({"header": ["topic_id", "story_id", "labels"]}, False),
        ({"header": ["topic_id", "story_id"]}, False),
    ],
)
def test_texts_of_other_forms(text, is_clean, tmp_path, outcome):
    rows = ROWS if text.get("header", HEADER)[0] != "label" else [[label, topic, story] for topic, story, label in ROWS]

    same(outcome, written(rows, tmp_path, **text), is_clean=is_clean)


@pytest.mark.parametrize("kind", ["varchar", "integer"])
def test_parquet_too(kind, tmp_path, outcome):
    path = tmp_path / "judgments.parquet"
    values = ", ".join(
        f"(cast('{number}' as {kind}), '{story}', '{label}')" for number, (_, story, label) in enumerate(ROWS)
    )
    duckdb.connect().execute(f"copy (select * from (values {values}) as line(topic_id, story_id, label)) to '{path}'")

    same(outcome, path, is_clean=kind == "varchar", topics=False)


def test_a_second_set_of_judgments(tmp_path, outcome):
    (tmp_path / "second").mkdir()
    second = written([["t1", "s1", "no"], ["t1", "z9", "yes"], ["t6", "s2", "yes"]], tmp_path / "second")

    _, stored = same(outcome, written(ROWS, tmp_path), is_clean=True, judgments_2=second)

    assert [row[1:] for row in stored[TABLES[1]] if row[1] == 2] == [(2, 1, 1, "no"), (2, 3, 2, "yes")]


def test_the_same_file_again_keeps_the_corpus_and_leaves_nothing_behind(tmp_path, outcome, stores):
    path = written(ROWS, tmp_path)
    outcome(path, fast=True)
    before = stores[True].engine.rows("select count(*) from ledger.entry")

    outcome(path, fast=True)

    assert stores[True].engine.rows("select count(*) from ledger.entry") == before
    assert not [
        name
        for [name] in stores[True].engine.rows("select table_name from duckdb_tables() where temporary")
        if "read" in name
    ]


def test_judgments_of_a_corpus_without_stories(tmp_path):
    """All are on stories outside the loaded files; their topics are topics all the same."""
    with tdtsql.connect(":memory:") as store:
        said = store.add_corpus("k", judgments=written(ROWS, tmp_path))

        assert [problem.code for problem in said] == ["W803"] * len(ROWS)
        assert store.relation("select topic_id from base.topic order by topic_no").fetchall() == [("t1",), ("t2",)]
        assert store.relation("select count(*) from base.judgment").fetchall() == [(0,)]
