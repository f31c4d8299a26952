"""Bytes to lines: a text read whole gives what reading it line by line gives."""

import gzip
import tracemalloc

from hypothesis import given
from hypothesis import strategies as st

from tdtsql.errors import Problems
from tdtsql.reader import text
from tdtsql.reader.text import numbered_lines, plain_bytes

PIECES = st.lists(
    st.sampled_from(
        [b"a", b"\xc3\xa9", b"\xff", b"\0", b"\r", b"\n", b"\r\n", b" ", b"\xe2\x80\xa8", b"\x0b", b"\x85"]
    ),
    max_size=12,
)


def line_by_line(data: bytes) -> tuple[list[tuple[int, str]], list[tuple[str, int]]]:
    """Return the readable lines with their numbers, and (code, line) of the others."""
    lines, problems = [], []
    if b"\r" in data.rstrip() and b"\n" not in data.rstrip():
        return [], [("E006", 1)]  # carriage returns where lines should end
    for number, raw in enumerate(data.split(b"\n"), start=1):
        raw = raw[:-1] if raw.endswith(b"\r") else raw
        try:
            text = raw.decode()
        except UnicodeDecodeError:
            text = None
        if b"\0" in raw:
            problems.append(("E004", number))
        elif text is None:
            problems.append(("E003", number))
        else:
            lines.append((number, text))
    return lines, problems


@given(PIECES)
def test_lines_end_at_line_feeds_alone_and_bad_ones_are_left_out(pieces):
    data = b"x" + b"".join(pieces)  # never empty
    problems = Problems("f")

    lines = list(numbered_lines(data, problems))

    assert (lines, [(problem.code, problem.line) for problem in problems.found]) == line_by_line(data)


def test_a_byte_order_mark_and_windows_line_ends_are_no_text():
    assert list(numbered_lines(b"\xef\xbb\xbfone\r\ntwo\r\n", Problems("f"))) == [(1, "one"), (2, "two"), (3, "")]


def test_a_compressed_bomb_is_refused_before_it_fills_the_memory(monkeypatch):
    monkeypatch.setattr(text, "HARMLESS", 2**24)
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
