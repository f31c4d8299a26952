"""The contract at the top of every view file: inputs, grain, columns and source.

A header is the first ``/* ... */`` of the file. Each field starts at the left
margin with ``name:``; its text continues in indented lines. ``columns`` and
``metrics`` have one entry per line, its parts separated by two or more blanks.
"""

import re
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from typing import Any

from tdtsql.errors import BrokenDefinition

FIELDS = (
    "title",
    "formula",
    "source",
    "inputs",
    "grain",
    "columns",
    "metrics",
    "edges",
    "class",
    "module",
    "portable",
    "volume",
    "fills",
    "owner",
    "after",
    "see also",
    "status",
)
REQUIRED = ("title", "source", "inputs", "grain", "columns", "class")
#: elementary functions that differ in the last bits from one libm to the next; sqrt is exact by IEEE 754
LIBM = frozenset(
    "exp ln log log2 log10 atan sin cos tan cot asin acos atan2 power pow degrees radians tanh cbrt gamma "
    "lgamma".split()
)
_COMMENT = re.compile(r"\s*/\*(.*?)\*/\s*", re.DOTALL)
_FIELD = re.compile(r"^([a-z][a-z ]*):(.*)$")
_GAP = re.compile(r"\s{2,}")
_KEY = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Column:
    """One output column: its name, its unit or range, and what it means."""

    name: str
    unit: str
    text: str

    @property
    def is_key(self) -> bool:
        return self.unit == "key"


@dataclass(frozen=True, slots=True)
class Published:
    """A column that is a metric of the public interface.

    The id of ``value as {measure}.se`` contains key columns of each row, and only rows whose ``n`` is not NULL
    have it.
    """

    metric: str  #: metric id, or a pattern for ids
    n: str  #: the column that counts what entered the number
    best: str  #: lowest, highest or none; {best}: as defined by the measure
    title: str
    column: str  #: the column of its values

    @property
    def keys(self) -> list[str]:
        """The key columns that are parts of its id."""
        return _KEY.findall(self.metric)

    @property
    def id_sql(self) -> str:
        """SQL of its id, of rows called ``kept``."""
        parts = [
            f"kept.{part}" if place % 2 else f"'{part}'" for place, part in enumerate(_KEY.split(self.metric)) if part
        ]
        return " || ".join(parts)

    @property
    def n_sql(self) -> str:
        """SQL of what counts what entered it, of rows called ``kept``; NULL where a row does not have the metric."""
        if not self.keys:
            return f"coalesce(kept.{self.n}, 0)"
        return f"case when kept.{self.column} is null and kept.{self.n} is not null then 0 else kept.{self.n} end"

    @property
    def is_any(self) -> bool:
        """Whether any name may be one of its ids, as of ``{measure}``."""
        return not _KEY.sub("", self.metric)

    def is_called(self, metric: str) -> bool:
        """Return whether a metric has this id, or an id of this pattern."""
        if metric == self.metric or not self.keys:
            return metric == self.metric
        parts = _KEY.split(self.metric)
        pattern = "".join(
            ("[0-9]+" if part == "k" else ".+") if place % 2 else re.escape(part) for place, part in enumerate(parts)
        )
        return re.fullmatch(pattern, metric, re.DOTALL) is not None


@dataclass(frozen=True, slots=True)
class Header:
    title: str
    fields: dict[str, str]
    inputs: tuple[str, ...]
    grain: tuple[str, ...]
    columns: tuple[Column, ...]
    metrics: tuple[Published, ...]

    @property
    def compiled(self) -> dict[str, Any]:
        """Itself as JSON has it."""
        found = dict(zip((one.name for one in fields(self)), astuple(self), strict=True))
        found["fields"] = {name: text for name, text in self.fields.items() if name not in ("columns", "metrics")}
        return found

    @property
    def is_large(self) -> bool:
        """True: many rows, cheap to compute (most: one per decision); the scorer never stores it."""
        return "volume" in self.fields

    @property
    def is_exact(self) -> bool:
        """True: bitwise identical on any machine; False: exp or atan, within 4 ulp."""
        return self.kind != "libm"

    @property
    def tasks(self) -> list[str]:
        """The tasks of a user-defined metric; no view of tdtsql or of a package lists any."""
        return self.fields.get("tasks", "").replace(",", " ").split()

    @property
    def kind(self) -> str:
        """exact, libm, or external: computed by the Python module of the field ``module``, and stored."""
        return self.fields["class"].split()[0].rstrip(":")

    @property
    def is_external(self) -> bool:
        return self.kind == "external"

    @property
    def reason(self) -> str:
        """Why the view is external, or what limits its class."""
        return " ".join(self.fields["class"].split()[1:])

    @property
    def only_duckdb(self) -> str:
        """Why no other engine can read the view; empty where it can."""
        return self.fields.get("portable", "").removeprefix("no, ")


#: required fields of a file of ``sql/derived``; its columns are those of the table that it fills
REQUIRED_OF_DERIVED = ("title", "source", "inputs", "fills", "owner", "after", "class")


def parse(
    text: str, path: str, required: Sequence[str] = REQUIRED, known: Sequence[str] = FIELDS
) -> tuple[Header, str, int]:
    """Return the header of a view file, the SELECT below it, and the line on which that begins.

    Raises:
        BrokenDefinition: no header, an unknown or missing field, a line that
            does not have its parts.
    """
    fields, body = read_fields(text, path, known, required)
    if fields["class"].split()[0].rstrip(":") not in ("exact", "libm", "external"):
        raise BrokenDefinition(f"{path}: class is {fields['class']!r}, expected exact, libm or external: reason.")
    if fields["class"].startswith("external") != bool(fields.get("module")):
        raise BrokenDefinition(f"{path}: class external and the field module belong together. Add the other one.")
    header = Header(
        title=" ".join(fields["title"].split()),
        fields=fields,
        inputs=names_of(fields["inputs"]),
        grain=names_of(fields.get("grain", "")),
        columns=tuple(read_columns(fields.get("columns", ""), path)),
        metrics=tuple(_metrics(fields.get("metrics", ""), path)),
    )
    return header, body, text.count("\n", 0, text.rindex(body)) + 1


def read_fields(text: str, path: str, known: Sequence[str], required: Sequence[str]) -> tuple[dict[str, str], str]:
    """Return the fields of the comment that a file begins with, and the text below it.

    Raises:
        BrokenDefinition: no header, an unknown or missing field.
    """
    comment = _COMMENT.match(text)
    if not comment:
        raise BrokenDefinition(f"{path}: no header. Start the file with /* title: ... */.")
    fields = _fields(comment[1], path, known)
    for name in required:
        if not fields.get(name):
            raise BrokenDefinition(f"{path}: the header has no '{name}'. Add it; required are {', '.join(required)}.")
    return fields, text[comment.end() :].strip()


def _fields(comment: str, path: str, known: Sequence[str]) -> dict[str, str]:
    fields: dict[str, list[str]] = {}
    current: list[str] | None = None
    for line in comment.splitlines():
        start = _FIELD.match(line)
        if start and start[1] in known:
            current = fields.setdefault(start[1], [])
            current.append(start[2].strip())
        elif start:
            raise BrokenDefinition(
                f"{path}: the header has an unknown field '{start[1]}'. Known are {', '.join(known)}."
            )
        elif current is not None:
            current.append(line)
    return {name: "\n".join(lines).strip("\n") for name, lines in fields.items()}


def names_of(text: str) -> tuple[str, ...]:
    """Return the names of a list, separated by commas or blanks; ``none`` is an empty list."""
    return tuple(name for name in re.split(r"[,\s]+", text.strip()) if name and name != "none")


def read_columns(text: str, path: str) -> list[Column]:
    """Return the entries of ``columns``."""
    columns: list[Column] = []
    for line in text.splitlines():
        parts = _GAP.split(line.strip(), maxsplit=2)
        if line.strip() and line.startswith("    ") and not line.startswith("     "):
            if len(parts) < 2:
                raise BrokenDefinition(f"{path}: column line {line.strip()!r} has no unit. Write: name  unit  text.")
            columns.append(Column(parts[0], parts[1], parts[2] if len(parts) > 2 else ""))
        elif line.strip() and columns:
            last = columns.pop()
            columns.append(Column(last.name, last.unit, f"{last.text} {line.strip()}".strip()))
    return columns


def _metrics(text: str, path: str) -> list[Published]:
    published = []
    for line in filter(str.strip, text.splitlines()):
        parts = _GAP.split(line.strip(), maxsplit=3)
        if len(parts) != 4 or not parts[1].startswith("n=") or not parts[2].startswith("best="):
            raise BrokenDefinition(
                f"{path}: metric line {line.strip()!r}. Write: name  n=COLUMN  best=lowest|highest|none  title."
            )
        column, _, metric = parts[0].partition(" as ")
        published.append(Published(metric or column, parts[1][2:], parts[2][5:], parts[3], column))
    return published
