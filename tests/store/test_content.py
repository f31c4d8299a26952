"""The content hash of rows: the same for the same rows in any order, another for any other rows."""

import hashlib
import random
import struct
import subprocess
import sys
from itertools import pairwise

import pytest

import tdtsql
from tdtsql.files.row_hash import content, contents
from tdtsql.store.profiles import shipped_profiles
from tdtsql.engine.arrow import columns
from tdtsql.errors import InvalidQuery

DECISIONS = [
    (1, block, trial, trial % 5, trial % 3 == 0, trial / 7 - block) for block in (1, 2, 5) for trial in range(1, 40)
]


@pytest.fixture(scope="module")
def empty():
    with tdtsql.connect(":memory:") as store:
        yield store.engine


@pytest.fixture
def engine(empty):
    """Return the engine of an empty store: what a test writes is taken back."""
    with empty.transaction(keep=False):
        yield empty


def write(engine, rows, run_no=1):
    engine.execute("delete from base.decision where run_no = ?", [run_no])
    for row in rows:
        engine.execute("insert into base.decision values (?, ?, ?, ?, ?, ?)", [run_no, *row[1:]])
    return content(engine, "base.decision", {"run_no": run_no})


def test_it_is_that_of_its_definition(engine):
    """Written out by hand: per column sha256 of the values, of the lengths of texts, of the places of NULL."""
    engine.execute("insert into base.topic values (1, 2, 'b', null, null, 1, null), (1, 1, 'ä', 'x', null, null, null)")

    def column(name, values, lengths=b"", nulls=b""):
        return [name, *(hashlib.sha256(part).hexdigest() for part in (values, lengths, nulls))]

    fields = [
        "2",
        *column("topic_no", struct.pack("<2i", 1, 2)),
        *column("topic_id", "äb".encode(), struct.pack("<2q", 2, 1)),
        *column("title", b"x", struct.pack("<2q", 1, 0), struct.pack("<q", 1)),
        *column("languages", b"", bytes(16), struct.pack("<2q", 0, 1)),
        *column("is_multilingual", struct.pack("<2i", 0, 1), nulls=struct.pack("<q", 0)),
        *column("is_complete", bytes(8), nulls=struct.pack("<2q", 0, 1)),
    ]
    whole = hashlib.sha256(b"".join(b"%d:%s" % (len(field), field.encode()) for field in fields)).hexdigest()

    assert content(engine, "base.topic", {"corpus_no": 1}) == (2, whole)


def test_order_of_rows_and_number_of_the_run_do_not_count(engine):
    ordered = write(engine, DECISIONS)
    shuffled = list(DECISIONS)
    random.Random(1).shuffle(shuffled)

    assert ordered.n_row == len(DECISIONS)
    assert write(engine, shuffled) == ordered
    assert write(engine, shuffled, run_no=7) == ordered
    for n_thread in (1, 4):
        engine.execute(f"set threads = {n_thread}")
        assert content(engine, "base.decision", {"run_no": 7}) == ordered


@pytest.mark.parametrize("is_mixed", [False, True])
def test_contents_of_several_owners_are_those_of_each(engine, is_mixed):
    topics = [
        (corpus_no, topic_no, f"{topic_no:03}{'ä' * (topic_no % 3)}", None if topic_no % 2 else "x", None, None, None)
        for corpus_no in (1, 2, 4, 7)
        for topic_no in range(1, 9 * corpus_no)
    ]
    if is_mixed:
        random.Random(1).shuffle(topics)
    for topic in topics:
        engine.execute("insert into base.topic values (?, ?, ?, ?, ?, ?, ?)", list(topic))

    assert contents(engine, "base.topic", "corpus_no", [1, 2, 3, 7]) == {
        number: content(engine, "base.topic", {"corpus_no": number}) for number in (1, 2, 7)
    }


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    "change",
    [
        "update base.decision set is_yes = not is_yes where block_no = 2 and trial_no = 4",
        "update base.decision set score = score * (1 + 2.220446049250313e-16) where block_no = 2 and trial_no = 4",
        "update base.decision set block_no = 3 where block_no = 2",
        "update base.decision set score = case trial_no when 3 then (select score from base.decision where trial_no = "
        "4 and block_no = 1) "
        "when 4 then (select score from base.decision where trial_no = 3 and block_no = 1) else score end where "
        "block_no = 1",
        "delete from base.decision where block_no = 5 and trial_no = 39",
        "insert into base.decision from base.decision limit 1",
        "delete from base.decision",
    ],
)
def test_any_other_rows_have_another_hash(engine, change):
    before = write(engine, DECISIONS)
    engine.execute(change)

    assert content(engine, "base.decision", {"run_no": 1}).sha256 != before.sha256


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("ab", "c"), ("a", "bc")),
        (("", "x"), (None, "x")),
        (("NULL", None), (None, "NULL")),
        (("a\nb", None), ("a", "\nb")),
        (("1:a", "b"), ("1", ":ab")),
    ],
)
def test_texts_do_not_run_into_each_other(engine, one, other):
    hashes = []
    for title, languages in (one, other):
        engine.execute("delete from base.topic")
        engine.execute("insert into base.topic values (1, 1, 't', ?, ?, null, null)", [title, languages])
        hashes.append(content(engine, "base.topic").sha256)

    assert hashes[0] != hashes[1]


def test_columns_can_be_left_out(engine):
    engine.execute("insert into base.topic values (1, 1, 't', 'one', null, null, null)")
    before = content(engine, "base.topic", leave_out=["title"])
    engine.execute("update base.topic set title = 'two'")

    assert content(engine, "base.topic", leave_out=["title"]) == before
    assert content(engine, "base.topic") != before


@pytest.mark.parametrize(
    "query",
    [
        "i::integer",
        "i::bigint",
        "i / 7.0",
        "i % 3 = 0",
        "'é' || i",
        "case when i % 4 = 1 then i::integer end",
        "case when i % 5 > 1 then 'x' || i end",
        "case when i % 6 = 0 then i % 4 = 0 end",
        "null::double",
        "null::varchar",
        "''",
    ],
)
@pytest.mark.sample(2)
def test_columns_come_as_they_are_over_many_pieces(engine, query):
    """300,000 rows come in several pieces (from DuckDB 2.0 on); each value, and each NULL, is the one that the engine's
    own list has.
    """
    wanted = [row[0] for row in engine.rows(f"select {query} from range(300000) t(i) order by i")]
    got = []
    for piece in columns(engine, f"select {query} as x from (from range(300000) t(i) order by i)"):
        column = piece["x"]
        if column.ends is None:
            values = column.values.tolist()
        else:
            data, ends = column.values.tobytes(), (column.ends - column.ends[0]).tolist()
            values = [data[begin:end].decode() for begin, end in pairwise(ends)]
        absent = [False] * len(values) if column.absent is None else column.absent.tolist()
        got += [None if is_absent else value for value, is_absent in zip(values, absent, strict=True)]
    assert got == wanted


def test_rows_in_bulk_need_no_pyarrow():
    code = (
        "import sys; sys.modules['pyarrow'] = None; import tdtsql; from tdtsql.files.row_hash import content; "
        "print(content(tdtsql.connect(':memory:').engine, 'registry.profile').n_row)"
    )
    assert subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip() == str(len(shipped_profiles()))


def test_a_type_that_is_not_read_in_bulk_is_said(engine):
    with pytest.raises(InvalidQuery, match="a type that is not read in bulk"):
        list(columns(engine, "select [1] as x"))
