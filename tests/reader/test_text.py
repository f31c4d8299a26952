"""Bytes to lines: a text read whole gives what reading it line by line gives."""

from hypothesis import given
from hypothesis import strategies as st

from tdtsql.errors import Problems
from tdtsql.reader.text import numbered_lines

PIECES = st.lists(st.sampled_from([b"a", b"\xc3\xa9", b"\xff", b"\0", b"\r", b"\n", b"\r\n", b" ", b"\xe2\x80\xa8", b"\x0b", b"\x85"]), max_size=12)


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
