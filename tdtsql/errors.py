"""Errors that users can fix, one class each, and problems of input files.

Only the command line catches these. A problem is one defect of one input; it
is an error (code ``E...``: nothing is stored) or a warning (code ``W...``:
stored, counted, shown).
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Self, TypeVar

_T = TypeVar("_T")

#: a name, or several
Names = str | Iterable[str] | None

#: characters that control a terminal and are invisible: controls of ASCII and Latin 1, line and paragraph separators,
#: marks of the writing direction, lone surrogates
_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff]"
)


def not_none(value: _T | None) -> _T:
    """Return a value that the caller guarantees not to be None.

    Raises:
        TypeError: it is None, which is a fault of this program.
    """
    if value is None:
        raise TypeError("unexpected None")
    return value


def listed(*given: Names) -> list[str]:
    """Return arguments that are a name, several or None as a list of different names.

    Raises:
        WrongCall: not a text, nor texts; or an empty list, which a filter of the caller may have left.
    """
    found: list[object] = []
    for names in given:
        if names is not None:
            several = list(names) if isinstance(names, Iterable) and not isinstance(names, str) else [names]
            if not several:
                raise WrongCall("an empty list names nothing. Leave the argument out, or pass None, for all.")
            found += several
    for name in found:
        if not isinstance(name, str):
            raise WrongCall(f"{name!r} is not a name: expected a text, or a list of texts.")
    return list(dict.fromkeys(map(str, found)))


def only_name(argument: str, given: object) -> object:
    """Return the name of a list of one, and any other value unchanged: for arguments that take one
    name.

    Raises:
        WrongCall: several names, or not a text.
    """
    if given is None or isinstance(given, str):
        return given
    found = listed(given)  # type: ignore[arg-type]  # refused there
    if len(found) != 1:
        raise WrongCall(f"--{argument} takes one name, and {len(found)} are given ({first_few(found)}). Name one.")
    return found[0]


def is_name(value: object) -> bool:
    """Whether a value can name a corpus, condition or run: printable text, not empty, without blanks at the ends."""
    return isinstance(value, str) and value != "" and value.isprintable() and value == value.strip()


def check_run_name(name: object) -> None:
    """Raise WrongCall unless a value can name a run."""
    if not is_name(name):
        raise WrongCall(
            f"{name!r} cannot name a run: expected printable text that is not empty, without blanks at the ends. "
            f"Choose another name."
        )


def escape_control(text: str, keep: str = "") -> str:
    """Return text with control characters escaped (``\\x1b``), so that an id can neither move the cursor nor hide;
    ``keep`` lists exceptions.
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
    value: str | None = None  #: the invalid text
    advice: str = ""  #: how to fix it, one sentence
    n: int = 1  #: occurrences that it represents: itself and further ones of its file and code that were not stored
    run: str | None = None  #: its run, as named in the file; None: as given by the line, or the whole file

    @property
    def is_error(self) -> bool:
        return self.code.startswith("E")

    @property
    def is_rounded(self) -> bool:
        """Whether its value is an id that a spreadsheet has rounded: a number in scientific notation, as 1.2E+18."""
        return self.code != "W971" and bool(re.fullmatch(r"\d(\.\d+)?E\+\d{2}", self.value or ""))

    @property
    def location(self) -> str:
        return ":".join(str(part) for part in (self.path, self.line, self.column) if part is not None)

    def __str__(self) -> str:
        value = f" ({self.value!r})" if self.value is not None else ""
        advice = f" {self.advice}" if self.advice else ""
        if self.is_rounded:
            advice += " Scientific notation: a spreadsheet has rounded this id. Export its column as text."
        is_said = self.run is None or any(said in self.message for said in (f"'{self.run}'", f"run {self.run} "))
        run = "" if is_said else f"run '{self.run}': "
        return escape_control(f"{self.location}: {self.code} {run}{self.message}{value}.{advice}")


#: errors stored per file and code; further ones are only counted, to bound memory
KEPT_OF_A_CODE = 1000
#: warnings stored per file and code, also in the store
KEPT_WARNINGS = 100_000


class ProblemList(list[Problem]):
    """Problems in order of detection: of a file and code the first ``KEPT_OF_A_CODE`` errors (``KEPT_WARNINGS``
    warnings) and the last, which has the number of those between.
    """

    def __init__(self) -> None:
        self._n_kept: Counter = Counter()
        self._last: dict[tuple[str, str], int] = {}

    def append(self, problem: Problem) -> None:
        """Store one more problem, or count it."""
        kind = problem.path, problem.code
        self._n_kept[kind] += 1
        if kind in self._last:
            at = self._last[kind]
            self[at] = replace(problem, n=self[at].n + problem.n)
            return
        if self._n_kept[kind] > (KEPT_OF_A_CODE if problem.is_error else KEPT_WARNINGS):
            self._last[kind] = len(self)
        super().append(problem)

    def __iadd__(self, problems: Iterable[Problem]) -> Self:  # type: ignore[override, misc]  # as in list itself
        """Store or count several problems."""
        for problem in problems:
            self.append(problem)
        return self

    extend = __iadd__  # type: ignore[assignment]


class Problems:
    """Collects the problems of one input file, in order of detection."""

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
        n: int = 1,
    ) -> None:
        """Record one problem, which represents ``n``; its ``code`` makes it an error or a warning."""
        text = None if value is None else truncate(str(value))
        self.found.append(Problem(code, self.path, line, column, message, text, advice, n, run))

    @property
    def errors(self) -> list[Problem]:
        return [problem for problem in self.found if problem.is_error]

    @property
    def warnings(self) -> list[Problem]:
        return [problem for problem in self.found if not problem.is_error]


def format_value(value: object) -> str:
    """Return a value for display: six significant digits, empty for NULL."""
    if value is None:
        return ""
    if isinstance(value, float):
        return (
            f"{value:.6g}"
            if value and (abs(value) < 1e-4 or abs(value) >= 1e9)
            else f"{value:.6f}".rstrip("0").rstrip(".")
        )
    return str(value)


def short_value(value: object) -> str:
    """Return a value with six significant digits, or NULL."""
    return "NULL" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def counted(n: int, what: str = "field") -> str:
    """Return a number with its noun: ``1 field``, ``2 fields``, ``3 entries``."""
    return f"{n:,} {what}" if n == 1 else f"{n:,} {what[:-1]}ies" if what.endswith("y") else f"{n:,} {what}s"


#: a verb of several things -> of one
_OF_ONE = {"are": "is", "have": "has", "do": "does", "count": "counts", "were": "was", "differ": "differs"}


def verb(n: int, many: str) -> str:
    """Return a verb that agrees with a number of things: ``are`` or, of one, ``is``."""
    return _OF_ONE[many] if n == 1 else many


def first_few(names: Sequence[str], most: int = 3) -> str:
    """Return names with commas between them, of many the first: ``a, b, c and 4 more``."""
    return ", ".join(names[:most]) + (f" and {len(names) - most:,} more" if len(names) > most else "")


def truncate(text: str, limit: int = 80) -> str:
    """Return ``text`` truncated to ``limit`` characters, so that binary data fit on a line."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


#: problems of one code and file that are printed in full
MOST_OF_A_CODE = 20


def shortened(problems: Iterable[Problem]) -> list[str]:
    """Return problems as lines, errors first, without duplicates, those of a file in the order of its lines, at most
    ``MOST_OF_A_CODE`` of a file and code in full; the others are counted.
    """
    unique = list(dict.fromkeys(problems))
    files = {path: at for at, path in enumerate(dict.fromkeys(problem.path for problem in unique))}
    ordered = sorted(
        unique,
        key=lambda problem: (
            not problem.is_error,
            files[problem.path],
            problem.line or math.inf,
            problem.column or 0,
        ),
    )
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


def tally(problems: Sequence[Problem]) -> str:
    """Return how many errors and warnings there are, in words."""
    n_error, n_warning = (sum(one.n for one in problems if one.is_error == kind) for kind in (True, False))
    return f"{counted(n_error, 'error')}, {counted(n_warning, 'warning')}"


def rejected(problems: Iterable[Problem], files: Collection[str]) -> str:
    """Return a sentence on which of several files have errors; empty for one file, and without errors."""
    known = set(files)
    n_error: Counter = Counter()
    for problem in problems:
        if problem.is_error and problem.path in known:
            n_error[problem.path] += problem.n
    if len(known) < 2 or not n_error:
        return ""
    named = first_few([f"{path} ({count})" for path, count in n_error.items()], 10)
    return escape_control(f"{len(n_error)} of {len(known)} files rejected (errors): {named}.")


#: audience of messages: python (arguments), cli (options) or web (field labels)
INTERFACE: ContextVar[str] = ContextVar("tdtsql-interface", default="python")
#: commands that messages recommend, and the methods of Python for them
_IN_PYTHON = {
    "tdtsql run list": "store.runs()",
    "tdtsql condition list": "store.conditions()",
    "tdtsql score": "store.score()",
    "tdtsql ask": "store.ask",
}


def worded(message: str, interface: str | None = None) -> str:
    """Return a message for an interface.

    Messages are written with options, ``--name``, ``--name VALUE`` or ``--name=value``. In Python these become
    arguments, in the web UI fields. Commands in backquotes stay, unless Python has a method for them.
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
    """An error that the user can fix; the message states what is wrong, where and how to fix it, for the current
    interface."""

    def __str__(self) -> str:
        return worded(super().__str__())

    def message_for(self, interface: str) -> str:
        """Return the message for an interface."""
        return worded(super().__str__(), interface)


class WrongCall(TdtsqlError):
    """The call is wrong for any data: an unknown name, or a value that is not allowed. The command exits with 2."""


class InvalidInput(TdtsqlError):
    """An input file has errors; nothing was stored."""

    def __init__(self, problems: Iterable[Problem], files: Collection[str] = ()):
        """Store the problems, and the names of the files that were read."""
        self.problems = list(problems)
        self.files = files
        super().__init__("\n".join(shortened(self.problems)))

    def __str__(self) -> str:
        return Exception.__str__(self)  # messages about files do not depend on the interface


class StoreLocked(TdtsqlError):
    """Another process has the store open for writing."""


class StoreChanged(TdtsqlError):
    """Another process changed the store between a request and its result."""


class MissingPackage(TdtsqlError, ImportError):
    """A required optional package is not installed."""


class EngineUnavailable(TdtsqlError):
    """The installed DuckDB is too old; the store is open to be read only, or is closed."""


class NotAStore(TdtsqlError):
    """The file is not a DuckDB database, or not one that tdtsql created."""


class UnknownName(WrongCall):
    """No run, condition, metric, profile or relation has that name."""


class AmbiguousName(WrongCall):
    """A name matches several things, and all of them would be changed."""


class BrokenDefinition(TdtsqlError):
    """A SQL file breaks its header contract, or a frozen version was changed."""


class BrokenContract(TdtsqlError):
    """Rows of a store violate the contract of their relation."""


class ChangedContent(TdtsqlError):
    """Loaded rows differ from those recorded in the ledger."""


class InvalidArchive(TdtsqlError):
    """An archive is damaged, or its numbers are not reproduced."""


class InvalidSignature(TdtsqlError):
    """A signature is invalid, or the store has no such number."""


class NotPortable(TdtsqlError):
    """A view uses SQL that the target engine does not support."""


class InvalidQuery(WrongCall):
    """The user's SQL is invalid, or accesses what it must not."""


class MissingTopics(TdtsqlError):
    """The compared runs have different topics, and no policy for missing ones is set."""


class InvalidComparison(TdtsqlError):
    """The comparison is not possible: too few runs or topics, an unknown test."""


class InvalidCalibration(TdtsqlError):
    """Scores cannot be calibrated: no data to fit on, or no optimal fit."""


class CannotWrite(InvalidComparison):
    """An output file cannot be written; the previous file is unchanged."""


class InvalidSetting(InvalidComparison, InvalidCalibration, WrongCall):
    """A setting of a comparison or a calibration has a value that is not allowed."""


class InvalidRule(WrongCall):
    """A rule of a gate is invalid, or would reject an improvement."""


class OtherDefinitions(UserWarning):
    """A store is displayed by its own views, which differ from those installed."""


class ExportExists(TdtsqlError):
    """The folder of the export is not empty."""


def meant(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """Return a proposal of the known name that a name may be a typing mistake for; ``otherwise`` without one."""
    import difflib

    near = difflib.get_close_matches(name, known, 1)
    return f"Did you mean {near[0]}?" if near else otherwise


def unknown_name_error(what: str, value: str, names: list[str]) -> UnknownName:
    """Return the error for an unknown name, with the nearest known one."""
    some = f"There are {first_few(names, 12)}." if names else ""
    return UnknownName(f"{what} '{value}' is unknown. {meant(value, names, some)}".rstrip())


def check_known(what: str, value: str | None, names: Collection[str]) -> None:
    """Raise UnknownName, with the nearest one, unless a value is None or one of these names."""
    if value is not None and value not in names:
        raise unknown_name_error(what, value, list(names))
