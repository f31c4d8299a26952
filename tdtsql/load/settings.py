"""The bundle: one TOML file that names everything an evaluation needs.

Code   Meaning
E700   not a TOML file
E701   an unknown key
E702   a required key is missing
E703   a value of the wrong kind
E704   a value that is not one of those allowed
E705   a duplicate id
E706   a run refers to a condition that does not exist
E707   keys that exclude each other
E711   a profile that does not exist, or is invalid (checked in the store)
"""

import math
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tdtsql.toml_file import toml_beside
from tdtsql.errors import Problems, is_name, meant
from tdtsql.task import TASKS, find_task, formats, formats_of
from tdtsql.tasks.declaration import NAME, WRITTEN_AS, Task


_TEXTS, _NUMBERS, _REASONS = "list of texts", "list of numbers", "table of texts"
_LABEL = "printable text without blanks at the ends"

_SAID = toml_beside(__file__)
TOP, CORPUS, RUN = (_SAID["keys"][name] for name in ("top", "corpus", "run"))


def run_options() -> tuple[str, ...]:
    """Return the options of the readers of runs, of every task in use."""
    return tuple(keys_of("run_keys", None))


def keys_of(of: str, task: Task | None) -> dict[str, str]:
    """Return ``condition_keys`` or ``run_keys`` of a task, of an unknown one those of every task."""
    return {key: kind for one in ([task] if task else TASKS.values()) for key, kind in getattr(one, of).items()}


def _choices(task: Task | None) -> dict[str, Sequence[str]]:
    """Return the values of those keys of a task that have few."""
    if task is None:
        return {}
    return {**task.choices, **{key: formats_of(task.name) for key, kind in task.keys.items() if kind == "format"}}


@dataclass(frozen=True, slots=True)
class Bundle:
    """The settings of a bundle, checked for form; files are not read yet."""

    name: str
    strict: bool
    corpus: dict
    conditions: list[dict] = field(default_factory=list)
    runs: list[dict] = field(default_factory=list)
    profiles: dict[str, dict] = field(default_factory=dict)
    metrics: list[str] = field(default_factory=list)  #: files of user-defined metrics


def read_bundle(data: bytes, problems: Problems) -> Bundle:
    """Return what the bundle says; every defect of it is reported."""
    what, advice, line, column = "not a TOML file", "Correct the line.", None, None
    try:
        text = data.decode("utf-8-sig")
        return check_bundle(tomllib.loads(text), problems, text)
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8-sig").split("\n")
        what, advice, line, column = "not UTF-8 text", "Save the bundle as UTF-8.", len(before), len(before[-1]) + 1
    except tomllib.TOMLDecodeError as error:
        what += f": {str(error).split(' (at ')[0]}"
        if place := re.search(r"\(at line (\d+), column (\d+)\)", str(error)):
            line, column = int(place[1]), int(place[2])
    except RecursionError:
        what += ": nested too deeply"
    except ValueError:  # Python reads no integer of more than 4300 digits, and does not raise TOMLDecodeError for it
        what += ": a number of more than 4300 digits"
        line = next((number for number, one in enumerate(text.splitlines(), start=1) if _ENDLESS.search(one)), None)
    problems.add("E700", what, advice, line, column)
    return Bundle("", False, {})


def check_bundle(table: dict, problems: Problems, text: str = "") -> Bundle:
    """Return the settings of a table; every defect of it is reported, with its line if they come from a
    ``text``.
    """
    check = Check(text, problems)
    check.keys(table, TOP, "the bundle")
    corpus, profiles = (value if isinstance(value := table.get(key), dict) else {} for key in ("corpus", "profile"))
    conditions, runs = _tables(table.get("condition")), _tables(table.get("run"))
    if "corpus" not in table:
        problems.add("E702", "the bundle has no [corpus]", "Add [corpus] with at least an id.")
    else:
        check.keys(corpus, CORPUS, "[corpus]", ("id",), check.header("corpus"))
        check.choices(corpus, "[corpus]", _SAID["choices"]["corpus"])
        check.exclusive(corpus, "[corpus]", _SAID["exclusive"]["corpus"])
    for number, condition in enumerate(conditions):
        where = f"condition '{condition.get('id', '?')}'"
        task = find_task(str(condition.get("task")))
        keys = keys_of("condition_keys", task)
        check.keys(condition, keys, where, ("id", "task"), check.header("condition", number), "condition_keys")
        check.choices(condition, where, {"task": tuple(TASKS), **_choices(task)})
        if task is None or task.is_over_stories:
            _check_stories(check, condition, where)
    condition_of = {str(condition.get("id")): condition for condition in conditions}
    for number, run in enumerate(runs):
        where = f"run '{run.get('id', '?')}'"
        condition = condition_of.get(str(run.get("condition")), {})
        task = TASKS.get(str(condition.get("task")))
        keys = {**RUN, **keys_of("run_keys", task)}
        check.keys(run, keys, where, ("condition", "files"), check.header("run", number), "run_keys")
        check.choices(run, where, {"format": formats() if "format" in run else (), **_choices(task)})
        if isinstance(run.get("condition"), str) and not condition:
            advice = meant(run["condition"], condition_of, "Correct the bundle.")
            said = f"{where} names a condition that the bundle does not have"
            check.add("E706", said, "condition", run["condition"], advice)
        # gold and answer in one table: the run says which column is the gold
        if condition and "gold" in run and KINDS[_TEXTS](run.get("files")) and len(run["files"]) == 1:
            own = {key: run[key] for key in ("item", "block") if key in run}
            condition |= {"gold": run["files"][0], "cluster": run["gold"], **own} | condition
    check.unique(conditions, "condition", "id")
    check.unique(runs, "run", "condition", "id")
    metrics = table.get("metrics")
    return Bundle(
        str(table.get("name", "")),
        table.get("strict") is True,
        corpus,
        conditions,
        runs,
        profiles,
        metrics if isinstance(metrics, list) else [],
    )


def _tables(value: object) -> list[dict]:
    """Return the tables of a list; any other value was reported."""
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def _check_stories(check: "Check", condition: dict, where: str) -> None:
    """Report what is wrong with a condition over stories."""
    check.exclusive(condition, where, _SAID["exclusive"]["condition"])
    check.choices(condition, where, _SAID["choices"]["condition"])
    if "exclude_topics" in condition and "key" in condition:
        said = f"{where}: exclude_topics is for topics, a key lists its trials"
        check.add("E704", said, "exclude_topics", None, "Leave its trials out of the file.")
    for key, one in _SAID["spelled"].items():
        if key in condition and not re.fullmatch(one["pattern"], str(condition[key])):
            check.add("E704", f"{where}: {key} is {one['wrong']}", key, condition[key])
    try:
        re.compile(str(condition.get("topic_pattern")))
    except re.error as error:
        said = f"{where} has an invalid regular expression as topic_pattern ({error})"
        check.add("E704", said, "topic_pattern", condition["topic_pattern"])


#: a number that Python does not read: digits, with _ between them
_ENDLESS = re.compile(r"[0-9](?:_?[0-9]){4300}")
_HEADER = re.compile(r"\s*\[\[?\s*(\w+|profile\.(?:[\w-]+|\"[^\"]*\"|'[^']*'))\s*\]")
_SETTING = re.compile(r'\s*"?([^"=\s]+)"?\s*=\s*')


class Check:
    """Checks of keys and values; finds the line by the key's text."""

    def __init__(self, text: str, problems: Problems):
        self.lines = text.splitlines()
        self.problems = problems
        self.headers = self._lines_of(_HEADER)  #: lines of [name], [[name]] and [profile.name]
        self.settings = self._lines_of(_SETTING)  #: lines that set a key
        self.begin = 0  #: line of the header of the section that is checked; 0: what is above all headers

    def add(
        self,
        code: str,
        message: str,
        key: str,
        value: object = None,
        advice: str = "Correct the bundle.",
        *,
        has_column: bool = False,
    ) -> None:
        """Report a problem on the first line of the section that sets the key (to this value).

        Args:
            has_column: with the column of the value; on the header without such a line.
        """
        lines = self.settings.get(key, [])
        end = min((line for found in self.headers.values() for line in found if line > self.begin), default=math.inf)
        hits = [line for line in lines if self.begin <= line < end] or lines
        exact = (line for line in hits if value is not None and str(value) in self.lines[line - 1])
        line, column = next(exact, hits[0] if hits else None), None
        if has_column:
            found = _SETTING.match(self.lines[line - 1]) if line else None
            line, column = line or self.begin or None, found.end() + 1 if found else None
        advice = advice if self.lines else advice.replace("the bundle", "the argument")
        self.problems.add(code, message, advice, line, column, value=value)

    def keys(
        self,
        table: dict,
        known: dict[str, str],
        where: str,
        required: tuple[str, ...] = (),
        line: int | None = None,
        of: str = "",
    ) -> None:
        """Report unknown keys, and which tasks have them (in ``of``), values of another kind, and missing keys."""
        self.begin = line or 0
        for key, value in table.items():
            kind = WRITTEN_AS.get(known.get(key, ""), known.get(key, ""))
            if kind in (_TEXTS, _NUMBERS) and KINDS[kind]([value]):
                table[key] = [value]  # one is a list of one
            elif key not in known:
                tasks = [task.name for task in TASKS.values() if of and key in getattr(task, of)]
                hint = meant(key, known, f"Known are {', '.join(known)}.")
                hint = f"It is for task {', '.join(tasks)}: leave it out." if tasks else hint
                self.add("E701", f"{where} has an unknown key", key, key, hint)
            elif not KINDS[kind](value):
                advice = "Correct the bundle."
                if kind == NAME:
                    advice = "Write text that is not empty, without control characters and blanks at the ends."
                elif kind == _REASONS and isinstance(value, list) and value:
                    advice = f'Write {key} = {{ {value[0]} = "why" }}.'
                has_column = kind in (_LABEL, NAME)
                self.add("E703", f"{where}: {key} is not a {kind}", key, value, advice, has_column=has_column)
        for key in required:
            if key not in table:
                self.problems.add("E702", f"{where} has no {key}", f"Add {key} = ...", line)

    def choices(self, table: dict, where: str, allowed: Mapping[str, Sequence[str]]) -> None:
        """Report values, or values of lists, that keys may not have."""
        for key, values in allowed.items():
            given = table.get(key)
            for value in given if isinstance(given, list) else [given]:
                if isinstance(value, str) and value not in values:
                    said = f"{where}: unknown {key}, expected one of {', '.join(values)}"
                    self.add("E704", said, key, value, meant(value, values, "Correct the bundle."))

    def exclusive(self, table: dict, where: str, keys: Sequence[str]) -> None:
        given = [key for key in keys if key in table]
        if len(given) > 1:
            said = f"{where} has {' and '.join(given)}, of which one is enough"
            self.add("E707", said, given[1], advice="Leave one out.")

    def unique(self, tables: Sequence[dict], what: str, *keys: str) -> None:
        seen = set()
        for number, table in enumerate(tables):
            value = [table.get(key) for key in keys]
            if None not in value and repr(value) in seen:
                said, shown = f"two {what}s have the same id", "/".join(map(str, value))
                self.problems.add("E705", said, "Give each its own id.", self.header(what, number), value=shown)
            seen.add(repr(value))  # an id may be a list, which is reported elsewhere

    def header(self, name: str, number: int = 0) -> int | None:
        """Return the line of the header [name], or of the [[name]] with this number from 0."""
        return next(iter(self.headers.get(name, [])[number:]), None)

    def _lines_of(self, pattern: re.Pattern) -> dict[str, list[int]]:
        """Return name, without quotes -> the lines on which the pattern finds it."""
        found: dict[str, list[int]] = {}
        for line, text in enumerate(self.lines, 1):
            if match := pattern.match(text):
                found.setdefault(re.sub(r"[\"']", "", match[1]), []).append(line)
        return found


def _one(*types: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, types) and (bool in types or not isinstance(value, bool))


def _several(kind: str) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(map(KINDS[kind], value))


#: kind of values -> whether a value is of it; True and False are no numbers
KINDS: dict[str, Callable[[Any], bool]] = {
    "text": _one(str),
    _LABEL: lambda value: value == "" or is_name(value),
    NAME: is_name,
    _TEXTS: _several("text"),
    "text or list of texts": lambda value: isinstance(value, str) or KINDS[_TEXTS](value),
    "whole number": _one(int),
    _NUMBERS: _several("number"),
    "text or whole number": _one(str, int),
    "true or false": _one(bool),
    "table": _one(dict),
    _REASONS: lambda value: (
        isinstance(value, dict) and all(isinstance(text, str) and text.strip() for text in value.values())
    ),
    "tables": _several("table"),
    "number": _one(int, float),
}
