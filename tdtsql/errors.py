"""The mistakes a user can make, one class each, and the problems a file can have.

Only the command line catches these. A problem is one defect of one input; it
is an error (code ``E...``: nothing is stored) or a warning (code ``W...``:
stored, counted, shown).
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Self, TypeVar

_T = TypeVar("_T")

#: characters that a terminal obeys and a reader does not see: controls of ASCII and Latin 1, ends of line and
#: paragraph, marks of the writing direction, halves of a character
_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff]"
)


def not_none(value: _T | None) -> _T:
    """Return a value that is never None here, because of what its caller made sure of.

    Raises:
        TypeError: it is None, which is a fault of this program.
    """
    if value is None:
        raise TypeError("unexpected None")
    return value


def escape_control(text: str, keep: str = "") -> str:
    """Return text with what a terminal would obey written out (``\\x1b``), so that an id can neither move the cursor
    nor hide; ``keep`` stays.
    """
    return _UNSEEN.sub(lambda found: found[0] if found[0] in keep else ascii(found[0])[1:-1], text)


@dataclass(frozen=True, slots=True)
class Problem:
    """One defect of one input file, with its location."""

    code: str  #: stable, ``E`` or ``W`` and three digits
    path: str  #: as the user wrote it
    line: int | None  #: 1 is the first line; None when the file as a whole is meant
    column: int | None  #: 1 is the first character
    message: str  #: what is wrong and what was expected, without a full stop
    value: str | None = None  #: the offending text
    advice: str = ""  #: what to do, one sentence
    n: int = 1  #: occurrences that it represents: itself and further ones of its file and code that were not stored
    run: str | None = None  #: the run that it is about, as its file names it; None: what is in the line, or the file

    @property
    def is_error(self) -> bool:
        return self.code.startswith("E")

    @property
    def location(self) -> str:
        return ":".join(str(part) for part in (self.path, self.line, self.column) if part is not None)

    def __str__(self) -> str:
        value = f" ({self.value!r})" if self.value is not None else ""
        advice = f" {self.advice}" if self.advice else ""
        return escape_control(f"{self.location}: {self.code} {self.message}{value}.{advice}")


#: errors stored per file and code; further ones are only counted, to bound memory
KEPT_OF_A_CODE = 1000
#: warnings stored per file and code, also in the store
KEPT_WARNINGS = 100_000


class ProblemList(list[Problem]):
    """Problems in the order they are found: of a file and code the first ``KEPT_OF_A_CODE`` errors (``KEPT_WARNINGS``
    warnings) and the last, which counts those between.
    """

    def __init__(self, problems: Iterable[Problem] = ()):
        super().__init__()
        self._n_kept: Counter = Counter()
        self._last: dict[tuple[str, str], Problem] = {}
        self.extend(problems)

    def append(self, problem: Problem) -> None:
        """Keep one more problem, or count it."""
        kind = problem.path, problem.code
        self._n_kept[kind] += 1
        if kind in self._last:
            last = self._last[kind]
            for name in ("line", "column", "message", "value", "advice"):
                object.__setattr__(last, name, getattr(problem, name))
            object.__setattr__(last, "n", last.n + problem.n)
            return
        if self._n_kept[kind] > (KEPT_OF_A_CODE if problem.is_error else KEPT_WARNINGS):
            problem = self._last[kind] = replace(problem)
        super().append(problem)

    def extend(self, problems: Iterable[Problem]) -> None:
        """Keep or count several problems."""
        for problem in problems:
            self.append(problem)

    def __iadd__(self, problems: Iterable[Problem]) -> Self:  # type: ignore[override, misc]  # as in list itself
        self.extend(problems)
        return self


class Problems:
    """Collects the problems of one input file, in the order they are found."""

    def __init__(self, path: str):
        self.path = path
        self.found: list[Problem] = ProblemList()

    def add(
        self,
        code: str,
        message: str,
        advice: str = "",
        line: int | None = None,
        column: int | None = None,
        value: object = None,
        *,
        run: str | None = None,
    ) -> None:
        """Record one problem; ``code`` says whether it is an error or a warning."""
        text = None if value is None else truncate(str(value))
        self.found.append(Problem(code, self.path, line, column, message, text, advice, run=run))

    def add_disjoint(
        self,
        n: int,
        what: str,
        where: str,
        value: object,
        example: object,
        *,
        line: int | None = None,
        code: str = "E870",
        advice: str | None = None,
    ) -> None:
        """Report a run that has nothing in common with what it is scored on (E870), with an id of each side."""
        self.add(
            code,
            f"none of the {n:,} {what} is among {where}, of which one is {example!r}",
            line=line,
            value=value,
            advice=advice or "Write the ids as the condition does, or name the condition of this run.",
        )

    @property
    def errors(self) -> list[Problem]:
        return [problem for problem in self.found if problem.is_error]

    @property
    def warnings(self) -> list[Problem]:
        return [problem for problem in self.found if not problem.is_error]


def format_value(value: object) -> str:
    """Return a value as a person reads it: six significant decimals, nothing for NULL."""
    if value is None:
        return ""
    if isinstance(value, float):
        return (
            f"{value:.6g}"
            if value and (abs(value) < 1e-4 or abs(value) >= 1e9)
            else f"{value:.6f}".rstrip("0").rstrip(".")
        )
    return str(value)


def counted(n: int, what: str = "field") -> str:
    """Return a number with its noun: ``1 field``, ``2 fields``, ``3 entries``."""
    return f"{n:,} {what}" if n == 1 else f"{n:,} {what[:-1]}ies" if what.endswith("y") else f"{n:,} {what}s"


def truncate(text: str, limit: int = 80) -> str:
    """Return ``text`` cut to ``limit`` characters, so that binary junk fits on a line."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


#: problems of one code and file that are printed in full
MOST_OF_A_CODE = 20


def shortened(problems: Iterable[Problem]) -> list[str]:
    """Return problems as lines, errors first, equal ones once, at most ``MOST_OF_A_CODE`` of a file and code in full;
    the others are counted.
    """
    ordered = sorted(dict.fromkeys(problems), key=lambda problem: not problem.is_error)
    total: Counter = Counter()
    for problem in ordered:
        total[problem.path, problem.code] += problem.n
    seen: Counter = Counter()
    lines = []
    for problem in ordered:
        kind = problem.path, problem.code
        seen[kind] += problem.n
        if seen[kind] <= MOST_OF_A_CODE:
            lines.append(str(problem))
        elif seen[kind] == total[kind]:  # the last: where the others end
            lines.append(
                escape_control(
                    f"{problem.location}: {problem.code} is the last of {total[kind] - MOST_OF_A_CODE} more such lines."
                )
            )
    return lines


def rejected(problems: Iterable[Problem], files: Collection[str]) -> str:
    """Return which of several files have errors, and how many; empty for one file, and where none has any."""
    known = set(files)
    n_error: Counter = Counter()
    for problem in problems:
        if problem.is_error and problem.path in known:
            n_error[problem.path] += problem.n
    if len(known) < 2 or not n_error:
        return ""
    most = 10
    named = ", ".join(f"{path} ({count})" for path, count in list(n_error.items())[:most])
    others = f" and {len(n_error) - most} more" if len(n_error) > most else ""
    return escape_control(f"{len(n_error)} of {len(known)} files rejected (errors): {named}{others}.")


def renamed(old: str, new: str) -> str:
    """Return the note that a former name was used."""
    return f"`{old}` is now `{new}`; the old spelling works for one more release."


#: audience of messages: python (arguments), cli (options) or web (field labels)
INTERFACE: ContextVar[str] = ContextVar("tdtsql-interface", default="python")
#: commands that messages recommend, and what they are in Python
_IN_PYTHON = {
    "tdtsql run list": "store.runs()",
    "tdtsql condition list": "store.conditions()",
    "tdtsql score": "store.score()",
    "tdtsql ask": "store.ask",
}


def worded(message: str, interface: str | None = None) -> str:
    """Return a message in the words of an interface.

    Messages are written with options, ``--name``, ``--name VALUE`` or ``--name=value``; in Python these are arguments,
    in the web UI fields. Commands in backquotes stay, where Python has no method for them.
    """
    interface = interface or INTERFACE.get()

    def option(found: re.Match) -> str:
        if found["command"]:
            method = _IN_PYTHON.get(found["command"].strip("`")) if interface == "python" else None
            return f"`{method}`" if method else found["command"]
        name, value = found["name"], found["value"] or found["metavar"]
        if interface == "cli":
            return f"--{name}{f' {value}' if value else ''}"
        if interface == "web":
            return f"“{name.replace('-', ' ')}”{f' {value}' if value else ''}"
        argument = name.replace("-", "_")
        if found["metavar"]:
            return f"{argument}={value}"
        return f"{argument}={value!r}" if value else f"argument {argument}"

    return re.sub(
        r"(?P<command>`[^`]*`)|(?<![\w'-])--(?P<name>[a-z][a-z-]*)(?:=(?P<value>[a-z][\w-]*)| (?P<metavar>[A-Z]{2,}))?",
        option,
        message,
    )


class TdtsqlError(Exception):
    """Something the user can fix; the message says what, where and how, in the words of the interface in use."""

    def __str__(self) -> str:
        return worded(super().__str__())

    def message_for(self, interface: str) -> str:
        """Return the message in the words of an interface."""
        return worded(super().__str__(), interface)


class WrongCall(TdtsqlError):
    """The call is wrong, whatever the data are: an unknown name, a value that is not allowed. The command ends
    with 2.
    """


class InvalidInput(TdtsqlError):
    """An input file has errors; nothing of it was stored."""

    def __init__(self, problems: Iterable[Problem], files: Collection[str] = ()):
        """Take the problems, and the names of the files that were read."""
        self.problems = list(problems)
        self.files = files
        super().__init__("\n".join(shortened(self.problems)))

    def __str__(self) -> str:
        return Exception.__str__(self)  # what files say stays as it is


class InvalidBundle(TdtsqlError):
    """The bundle file refers to something that does not exist or is not allowed."""


class StoreLocked(TdtsqlError):
    """Another process holds the store open for writing."""


class StoreChanged(TdtsqlError):
    """Another process changed the store between a request and its result."""


class MissingPackage(TdtsqlError, ImportError):
    """An optional package that this needs is not installed."""


class EngineUnavailable(TdtsqlError):
    """Another engine is not installed, not there, or did not let us in."""


class NotOnEngine(TdtsqlError):
    """This cannot be done on a store in another engine."""


class NotAStore(TdtsqlError):
    """The file is not a DuckDB database, or not one that tdtsql created."""


class UnknownName(WrongCall):
    """No run, condition, metric, profile or relation has that name."""


class AmbiguousName(WrongCall):
    """A name means several things, and all of them would be changed."""


class BrokenDefinition(TdtsqlError):
    """A SQL file breaks its header contract, or a frozen version was changed."""


class BrokenContract(TdtsqlError):
    """Rows of a store are not what the contract of their relation says."""


class ChangedContent(TdtsqlError):
    """Rows that were loaded are not what the ledger says was loaded."""


class InvalidArchive(TdtsqlError):
    """An archive is damaged, or its numbers do not come out again."""


class InvalidSignature(TdtsqlError):
    """A signature cannot be read, or the store has no such number."""


class NotPortable(TdtsqlError):
    """A view uses what the engine it should be rendered for cannot take."""


class InvalidQuery(WrongCall):
    """The SQL that the user typed does not run, or wants what it may not have."""


class MissingTopics(TdtsqlError):
    """Runs to be compared do not have the same topics, and no policy says what that means."""


class InvalidComparison(TdtsqlError):
    """What was asked to be compared cannot be: too few runs or topics, an unknown test."""


class InvalidCalibration(TdtsqlError):
    """Scores cannot be calibrated: nothing to fit on, or no fit is the best."""


class CannotWrite(InvalidComparison):
    """An output file cannot be written; what was there is unchanged."""


class InvalidSetting(InvalidComparison, InvalidCalibration, WrongCall):
    """A setting of a comparison or a calibration has a value that is not allowed."""


class InvalidRule(WrongCall):
    """A rule of a gate cannot be read, or would stop what is better."""


class InvalidNumbers(TdtsqlError):
    """Released numbers cannot be read, or are not those of their signatures."""


class OtherDefinitions(UserWarning):
    """A store is shown by its own views, which are not those installed."""


class ExportExists(TdtsqlError):
    """The folder to export to has something in it."""


def unknown_name_error(what: str, value: str, names: list[str], hint: str = "") -> UnknownName:
    """Return the error for an unknown name, with the nearest known one; ``hint`` says more instead."""
    import difflib

    near = difflib.get_close_matches(value, names, 1)
    hint = (
        f" {hint}"
        if hint
        else f" Did you mean {near[0]}?"
        if near
        else f" There are {', '.join(names[:12])}{' ...' if len(names) > 12 else ''}."
        if names
        else ""
    )
    return UnknownName(f"{what} '{value}' is unknown.{hint}")
