"""The content hash of rows: the same for the same rows in any order, another for any other rows."""

import hashlib
import random
import struct

import pytest

import tdtsql
from inside import content
import tdtsql.intake.content as module

DECISIONS = [(1, block, trial, trial % 5, trial % 3 == 0, trial / 7 - block) for block in (1, 2, 5) for trial in range(1, 40)]


@pytest.fixture
def engine():
    with tdtsql.connect(":memory:") as store:
        yield store.engine


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

    fields = ["2", *column("topic_no", struct.pack("<2i", 1, 2)), *column("topic_id", "äb".encode(), struct.pack("<2q", 1, 1)),
              *column("title", b"x", struct.pack("<2q", 1, 0), struct.pack("<q", 1)), *column("languages", b"", bytes(16), struct.pack("<2q", 0, 1)),
              *column("is_multilingual", struct.pack("<2i", 0, 1), nulls=struct.pack("<q", 0)),
              *column("is_complete", bytes(8), nulls=struct.pack("<2q", 0, 1))]
    whole = hashlib.sha256(b"".join(b"%d:%s" % (len(field), field.encode()) for field in fields)).hexdigest()

    assert content(engine, "base.topic", {"corpus_no": 1}) == (2, whole)


def test_order_of_rows_size_of_pieces_and_number_of_the_run_do_not_count(engine, monkeypatch):
    ordered = write(engine, DECISIONS)
    shuffled = list(DECISIONS)
    random.Random(1).shuffle(shuffled)

    assert ordered.n_row == len(DECISIONS)
    assert write(engine, shuffled) == ordered
    assert write(engine, shuffled, run_no=7) == ordered
    for piece in (1, 40, 80, 10**6):
        monkeypatch.setattr(module, "_PIECE", piece)
        assert content(engine, "base.decision", {"run_no": 1}) == ordered
    for n_thread in (1, 4):
        engine.execute(f"set threads = {n_thread}")
        assert content(engine, "base.decision", {"run_no": 7}) == ordered


@pytest.mark.parametrize("change", [
    "update base.decision set is_yes = not is_yes where block_no = 2 and trial_no = 4",
    "update base.decision set score = score * (1 + 2.220446049250313e-16) where block_no = 2 and trial_no = 4",
    "update base.decision set block_no = 3 where block_no = 2",
    "update base.decision set score = case trial_no when 3 then (select score from base.decision where trial_no = 4 and block_no = 1) "
    "when 4 then (select score from base.decision where trial_no = 3 and block_no = 1) else score end where block_no = 1",
    "delete from base.decision where block_no = 5 and trial_no = 39",
    "insert into base.decision from base.decision limit 1",
    "delete from base.decision",
])
def test_any_other_rows_have_another_hash(engine, change):
    before = write(engine, DECISIONS)
    engine.execute(change)

    assert content(engine, "base.decision", {"run_no": 1}).sha256 != before.sha256


@pytest.mark.parametrize(("one", "other"), [
    (("ab", "c"), ("a", "bc")), (("", "x"), (None, "x")), (("NULL", None), (None, "NULL")), (("a\nb", None), ("a", "\nb")), (("1:a", "b"), ("1", ":ab")),
])
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
