"""New event (first story) detection output: one system's decisions on the stream.

    # description
    <System> <yes|no> <Nf> <recid|time|docno>
    <source file> <pointer> <decision> <score>

NIST's program refuses docno pointers here; they are accepted.

Code   Meaning
E220   no header of four fields
E221   the boundaries field is neither yes nor no
E222   a pointer type other than recid, time or docno
E223   the deferral period is not a whole number
W224   a deferral period other than 1, 10 or 100
E226   a record without four fields
E227   a decision other than yes or no
E228   a score that is not a number, NaN included
W229   an infinite score
E230   a story with two decisions
E231   a pointer that is not a position
E232   a pointer that is not greater than the previous one
E233   a source file in two blocks

Source: The 2004 TDT evaluation plan, B.5; TDT3eval v2.6 as read.
"""

from tdtsql.errors import Problems
from tdtsql.reader import field
from tdtsql.reader.decision import Output, read_output

DEFERRALS = (1, 10, 100)

_HEADER = "<system> <yes|no> <deferral> <recid|time|docno>"


def read_new_event_output(data: bytes, problems: Problems) -> Output:
    """Return the decisions of one new event output file."""
    return read_output(data, problems, header=_HEADER, first=220, task_fields=_deferral)


def check_deferral(line: int, column: int, text: str, problems: Problems, *, error: str, warning: str) -> int | None:
    """Return the deferral period; report ``error`` for no number and ``warning`` for an unusual one."""
    number = field.natural(text)
    if number is None:
        problems.add(
            error,
            "deferral period is not a whole number, expected 1, 10 or 100",
            "Correct the header.",
            line,
            column,
            text,
        )
    elif number not in DEFERRALS:
        problems.add(
            warning, "deferral period is unusual, expected 1, 10 or 100", "It is stored unchanged.", line, column, text
        )
    return number


def _deferral(line: int, text: str, fields: list[tuple[int, str]], problems: Problems) -> dict[str, object]:
    [deferral] = fields
    return {"deferral": check_deferral(line, *deferral, problems, error="E223", warning="W224")}
