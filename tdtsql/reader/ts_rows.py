"""Rows of the TREC Temporal Summarization files, as the track's programs split them.

The three years' programs split lines differently and name events differently.
A profile says which program's rules hold; without one the strict rules do:
columns are separated by tabs, and a bad row is an error.

    rules    columns          bad row   event id in a run
    ts2013   any white space  skipped   literally as in the nuggets file
    ts2014   tabs             skipped   a number n means TS14.n
    ts2015   tabs, trimmed    skipped   a prefix like TS15. is ignored everywhere
    strict   tabs             error     literally, else without the prefix

Text stays bytes: it is decoded as Latin-1, one character per byte, because match
offsets count bytes. ``text_of`` turns it into Unicode.

Code   Meaning
E500   a line with too few columns
W500   a bad row, skipped as the track's program does
E501   a value that is not a whole number
W501   a file without a header line
E502   a value that is not a number
W502   text that is not UTF-8
E503   an impossible length
W503   a blank line, skipped
W504   an empty text
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from tdtsql.errors import Problems
from tdtsql.files.text import has_line_feeds, plain_bytes

#: more words or characters than a sentence has; keeps sums of lengths within 64 bits
LONGEST_TEXT = 10**9

_WHOLE = re.compile(r"[ \t\n\r\v\f]*[+-]?[0-9]{1,18}[ \t\n\r\v\f]*")
_NUMBER = re.compile(
    r"[ \t\n\r\v\f]*"
    r"[+-]?([0-9]+(\.[0-9]*)?([eE][+-]?[0-9]+)?|\.[0-9]+([eE][+-]?[0-9]+)?|inf(inity)?|nan)"
    r"[ \t\n\r\v\f]*",
    re.IGNORECASE,
)
_SEPARATOR = re.compile("[\x1c-\x1f]")  # str.split() splits at these, bytes.split() does not
_PREFIX = re.compile(r"^TS[0-9]+\.")
#: SQL of what `bare_event` returns
BARE_EVENT = r"regexp_replace({}, '^TS[0-9]+\.', '')"
_BLANK = " \t\n\r\v\f"


@dataclass(frozen=True, slots=True)
class FileRules:
    """How the rows of a condition's files are to be read."""

    program: str | None = None  #: ts2013, ts2014, ts2015; None for the strict rules

    def __post_init__(self) -> None:
        if self.program not in (None, "ts2013", "ts2014", "ts2015"):
            raise ValueError(f"file_rules is {self.program!r}, expected ts2013, ts2014 or ts2015")

    @property
    def skips_bad_rows(self) -> bool:
        return self.program is not None

    def split(self, line: str) -> list[str]:
        if self.program == "ts2013":
            return split_blanks(line)
        return (line.strip(_BLANK) if self.program == "ts2015" else line).split("\t")

    def report_bad(
        self, problems: Problems, line: int, code: str, message: str, value: object = None, advice: str = ""
    ) -> None:
        """Report a row that cannot be used: an error, or skipped with a warning where the program skips it."""
        if self.skips_bad_rows:
            problems.add("W500", f"{message}; row skipped, as the {self.program} program does", "", line, None, value)
        else:
            problems.add(code, message, advice or "Fix or drop the row.", line, None, value)

    def judged_event(self, event: str) -> str:
        """Return the key of an event id found in the nuggets, updates or matches file."""
        return _PREFIX.sub("", event) if self.program == "ts2015" else event

    def run_event_keys(self, event: str) -> list[str]:
        """Return the keys that an event id of a run can mean, the first that exists counts."""
        if self.program == "ts2015":
            return [_PREFIX.sub("", event)]
        if self.program == "ts2014" and whole(event) is not None:
            return [f"TS14.{whole(event)}", event]
        return [event]


def bare_event(event: str) -> str:
    """Return the event id without a year's prefix (``TS14.11`` is 11)."""
    return _PREFIX.sub("", event)


def split_blanks(line: str) -> list[str]:
    """Split at ASCII white space, as the programs' ``split()`` does on bytes."""
    if line.isascii() and not _SEPARATOR.search(line):
        return line.split()
    return [part.decode("latin-1") for part in line.encode("latin-1").split()]


def whole(text: str) -> int | None:
    """Return the whole number that ``text`` writes, or None."""
    return int(text) if _WHOLE.fullmatch(text) else None


def number(text: str) -> float | None:
    """Return the number that ``text`` writes (inf and nan are numbers here), or None."""
    return float(text) if _NUMBER.fullmatch(text) else None


def text_of(raw: str) -> str:
    """Return bytes stored as Latin-1 as Unicode: decoded as UTF-8 if they are valid, as Latin-1 otherwise."""
    if raw.isascii():
        return raw
    try:
        return raw.encode("latin-1").decode("utf-8")
    except UnicodeDecodeError:
        return raw


def is_utf8(raw: str) -> bool:
    return raw.isascii() or text_of(raw) != raw


def byte_lines(data: bytes, problems: Problems) -> Iterator[tuple[int, str]]:
    """Yield (line number from 1, bytes stored as Latin-1) of every line but those with NUL bytes (E004), and but blanks
    behind the last line end.
    """
    plain = plain_bytes(data, problems)
    if plain is None or not has_line_feeds(plain, problems):
        return
    text = plain.removeprefix(b"\xef\xbb\xbf").decode("latin-1")
    head, _, tail = text.rpartition("\n")
    for line, row in enumerate((text if tail.strip(_BLANK) else head).split("\n"), start=1):
        if "\0" in row:
            said = "the line holds NUL bytes: this is binary data, not text"
            problems.add("E004", said, "Name the text file.", line, row.index("\0") + 1)
        else:
            yield line, row


class Counted:
    """Collects problems of one kind and reports the first with the count."""

    def __init__(self, problems: Problems):
        self.problems = problems
        self._first: dict[tuple[str, str], tuple] = {}
        self._count = Counter[tuple[str, str]]()

    def add(self, code: str, message: str, *place: Any, **more: Any) -> None:
        """Count a problem, given as to `Problems.add`."""
        self._first.setdefault((code, message), (place, more))
        self._count[code, message] += 1

    def report(self) -> None:
        for (code, message), (place, more) in self._first.items():
            count = self._count[code, message]
            many = f"; {count} such rows" if count > 1 else ""
            self.problems.add(code, message + many, *place, **more)


class Rows:
    """The rows of one judgment file, with its header line dropped and its bad rows reported."""

    def __init__(self, data: bytes, problems: Problems, rules: FileRules, *, need: int, whole_columns: tuple[int, ...]):
        """``need`` columns at least; ``whole_columns`` (from 0) hold whole numbers, which distinguishes a header from
        data.
        """
        self.problems, self.rules, self.need, self.whole_columns = problems, rules, need, whole_columns
        self.counted = Counted(problems)
        self.bad = partial(rules.report_bad, problems)
        self.lines = byte_lines(data, problems)

    def __iter__(self) -> Iterator[tuple[int, list[str]]]:
        for number_, line in self.lines:
            line = line.removesuffix("\r")
            if not line.strip(_BLANK):
                self.counted.add("W503", "blank line, skipped", line=number_)
                continue
            parts = self.rules.split(line)
            if number_ == 1:
                if self._is_header(line, parts):
                    continue
                self.counted.add(
                    "W501",
                    "the first line is data, not a header; it is read (the programs of the track skip it)",
                    line=1,
                    value=line,
                )
            if len(parts) < self.need:
                self.bad(
                    number_,
                    "E500",
                    f"{len(parts)} columns, expected at least {self.need}",
                    value=line,
                    advice="Set the columns apart by tabs." if self.rules.program != "ts2013" else "",
                )
                continue
            yield number_, parts
        self.counted.report()

    def valid(self, *checks: tuple[Callable[..., Any], int, str]) -> Iterator[tuple]:
        """Yield line, columns and values of the rows whose values are valid.

        Args:
            checks: what checks a value (a method of this class), its column and its name.
        """
        for line, parts in self:
            values: list[Any] = []
            for check, column, name in checks:
                if (value := check(line, parts, column, name)) is None:
                    break
                values.append(value)
            else:
                yield (line, parts, *values)

    def _is_header(self, line: str, parts: list[str]) -> bool:
        fields = parts if len(parts) >= self.need else split_blanks(line)
        return not any(column < len(fields) and whole(fields[column]) is not None for column in self.whole_columns)

    def whole(self, line: int, parts: list[str], column: int, name: str) -> int | None:
        found = whole(parts[column])
        if found is None:
            self.bad(line, "E501", f"the {name} (column {column + 1}) is not an integer", value=parts[column])
        return found

    def number(self, line: int, parts: list[str], column: int, name: str) -> float | None:
        found = number(parts[column])
        if found is None:
            self.bad(line, "E502", f"the {name} (column {column + 1}) is not a number", value=parts[column])
        elif math.isnan(found) or math.isinf(found):
            self.problems.add(
                "E502",
                f"the {name} (column {column + 1}) is not finite",
                "Write a finite number.",
                line,
                value=parts[column],
            )
            return None
        return found

    def length(self, line: int, parts: list[str], column: int, name: str) -> int | None:
        found = self.whole(line, parts, column, name)
        if found is not None and not 0 <= found <= LONGEST_TEXT:
            wrong = "negative" if found < 0 else "longer than any text"
            self.problems.add(
                "E503",
                f"the {name} (column {column + 1}) is {wrong}",
                "Write the length in words or characters, 0 or more.",
                line,
                value=parts[column],
            )
            return None
        return found

    def text(self, line: int, parts: list[str], column: int) -> str:
        """Return the text columns joined by a blank, as bytes stored as Latin-1."""
        text = " ".join(parts[column:])
        if not text.strip(_BLANK):
            self.counted.add("W504", "empty text", line=line)
        elif not is_utf8(text):
            self.counted.add("W502", "the text is not valid UTF-8; it is read as Latin-1", line=line)
        return text


def blank_words(text: str) -> int:
    """Return the number of words as the 2014 and 2015 programs count them: blanks plus one."""
    return text.count(" ") + 1


def words(text: str) -> int:
    """Return the number of words of ``text``: maximal runs of what is not white space."""
    return len(text.encode("latin-1").split())
