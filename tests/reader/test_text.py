"""Bytes to lines: a text read whole gives what reading it line by line gives."""

import bz2
import gzip
import io
import lzma
import tracemalloc
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tdtsql.errors import Problems
from tdtsql.engine import packed
from tdtsql.files.text import is_readable, numbered_lines, plain_bytes

PIECES = st.lists(
    st.sampled_from(
        [b"a", b"\xc3\xa9", b"\xff", b"\0", b"\r", b"\n", b"\r\n", b" ", b"\xe2\x80\xa8", b"\x0b", b"\x85"]
    ),
    max_size=12,
)


def line_by_line(data: bytes) -> tuple[list[tuple[int, str]], list[tuple[str, int]]]:
    """Return the readable lines with their numbers, and (code, line) of the first of the others of each code."""
    lines, problems = [], []
    if b"\r" in data.rstrip() and b"\n" not in data.rstrip():
        return [], [("E006", 1)]  # carriage returns where lines should end
    for number, raw in enumerate(data.split(b"\n"), start=1):
        raw = raw[:-1] if raw.endswith(b"\r") else raw
        try:
            text = raw.decode()
        except UnicodeDecodeError:
            text = None
        code = "E004" if b"\0" in raw else "E003" if text is None else None
        if code is None:
            lines.append((number, text))
        elif code not in dict(problems):
            problems.append((code, number))
    return [] if ("E004", 1) in problems else lines, problems


@given(PIECES)
def test_lines_end_at_line_feeds_alone_and_bad_ones_are_left_out(pieces):
    data = b"x" + b"".join(pieces)  # never empty
    problems = Problems("f")

    lines = list(numbered_lines(data, problems))

    assert (lines, [(problem.code, problem.line) for problem in problems.found]) == line_by_line(data)


def test_a_byte_order_mark_and_windows_line_ends_are_no_text():
    assert list(numbered_lines(b"\xef\xbb\xbfone\r\ntwo\r\n", Problems("f"))) == [(1, "one"), (2, "two"), (3, "")]


def test_a_compressed_bomb_is_refused_before_it_fills_the_memory(monkeypatch):
    monkeypatch.setattr(packed, "HARMLESS", 2**24)
    bomb = gzip.compress(bytes(2**28), 9)
    problems = Problems("runs.gz")

    tracemalloc.start()
    try:
        assert plain_bytes(bomb, problems) is None
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert [(problem.code, problem.message) for problem in problems.found] == [
        ("E002", "not a complete gzip file: it expands to more than 200 times its size")
    ]
    assert peak < 2**27


def test_what_is_repeated_often_and_small_is_no_bomb():
    lines = b"t1 Q0 d1 1 0.5 run\n" * 500_000  # shrinks to a four hundredth

    assert plain_bytes(gzip.compress(lines), Problems("runs.gz")) == lines


TEXT = "".join(f"q1 Q0 d{number} 1 3.5 sys\n" for number in range(200))


def _zip(data: bytes) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as made:
        made.writestr("run.txt", data)
    return archive.getvalue()


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (gzip.compress(gzip.compress(TEXT.encode(), mtime=0), mtime=0), "compressed with gzip twice"),
        (bz2.compress(TEXT.encode()), "compressed with bzip2"),
        (lzma.compress(TEXT.encode()), "compressed with xz"),
        (b"\x28\xb5\x2f\xfd\x04\x58\xa1\x00", "compressed with zstd"),
        (_zip(TEXT.encode()), "a zip archive or a spreadsheet"),
        (TEXT.encode("utf-16"), "UTF-16"),
        (TEXT.encode("utf-16-le"), "UTF-16"),
        (TEXT.encode("utf-16-be"), "UTF-16"),
        (TEXT.encode("utf-32"), "UTF-32"),
        (b"PAR1\x15\x04\x15" + bytes(40), "a Parquet file"),
    ],
)
def test_what_is_no_utf_8_text_is_named_once(data, kind):
    for content in (data, gzip.compress(data)):
        problems = Problems("run.txt")

        assert list(numbered_lines(content, problems)) == []
        [problem] = problems.found
        assert problem.code == "E007" and problem.message.startswith(f"the file is {kind}, expected ")


@pytest.mark.parametrize("text", ["BZh is an id\n", "PAR1 Q0 d1 1 2 sys\n", "%PDF-1 Q0 d1 1 2 sys\n", "\ufeffid\n"])
def test_a_text_that_begins_so_is_a_text(text):
    problems = Problems("run.txt")

    assert next(iter(numbered_lines(text.encode(), problems)))[1] == text.strip("\n\ufeff") and not problems.found


def test_gzip_needs_no_ending():
    assert list(numbered_lines(gzip.compress(b"one\n"), Problems("run.txt"))) == [(1, "one"), (2, "")]


def test_another_encoding_is_one_problem_with_the_byte():
    problems = Problems("run.txt")

    assert list(numbered_lines(b"a\ncaf\xe9\n\xe9\n", problems)) == [(1, "a"), (4, "")]
    assert [str(problem) for problem in problems.found] == [
        "run.txt:2:4: E003 not utf-8 text (2 such lines) ('byte 0xE9'). Convert the file to utf-8."
    ]


def test_of_binary_data_nothing_is_read():
    problems = Problems("run.csv")

    assert list(numbered_lines(b"a\0,b\n1,2\n", problems)) == [] and not is_readable(problems)
    assert [(problem.code, problem.line) for problem in problems.found] == [("E004", 1)]
