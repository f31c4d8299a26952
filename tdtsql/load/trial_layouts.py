"""Layouts of keys and scores of detection trials: recognised by the first lines of a file.

Tables, with a header; columns in any order:

    format    key                                              scores
    tidy      trial_id (or enroll_id, test_id), label          the same ids, score[, decision][, run_id][, label]
    sre       modelid, segmentid[, side], targettype           modelid, segmentid[, side], LLR
    asvspoof  filename, cm-label                               filename, cm-score
    others    file, filename, utt, path ...; label, cm-label   the same; score, cm-score

A further column of a key is an attribute of the trials. sre has tabs or blanks, asvspoof tabs; tidy has commas, in .tsv
tabs. Lines of fields between blanks, without a header: `LINES`. Labels are in any case; a file has the words of one of
`PAIRS`.

Code   Meaning
E308   not a number, NaN included
E318   a table without rows that needs some
E940   a number of fields that differs from the format or from the first line
E941   a label that the format does not have
E942   an attribute whose name is not valid for a subset
E945   files of one key or run with different columns

Sources: NIST speaker recognition evaluation plans; Kaldi, `compute-eer`; VoxSRC development toolkit; ASVspoof 2019 and
ASVspoof 5 evaluation plans; asvspoof-challenge/2021, eval-package/config.py; ASVspoof 5 README and evaluation package;
wespeaker/bin/score.py; speechbrain, speaker_verification_cosine.py; VOiCES and CN-Celeb scripts.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from tdtsql.toml_file import toml_beside
from tdtsql.errors import counted

#: what a trial is called by, in this order
IDS = ("trial_id", "test_id", "side")
#: other things that columns are
LABEL, SCORE, DECISION, RUN, ATTRIBUTE, IGNORED = "label", "score", "decision", "run_id", "attribute", "-"
#: a score as files write it, also one that is an error: not finite, or with a decimal comma
_NUMBER = re.compile(r"[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|\d+,\d+(e[+-]?\d+)?|nan|inf(inity)?)", re.IGNORECASE)

_LAYOUTS = toml_beside(__file__)
#: words of the two classes, target first; a file has those of one pair
PAIRS: list[list[str]] = _LAYOUTS["pairs"]
#: format -> the pairs of words that its labels are expected to have; the first is named where one is expected
LABELS: dict[str, list[list[str]]] = _LAYOUTS["labels"]
#: what is in a field of lines -> its words
_WORDS: dict[str, list[str]] = _LAYOUTS["words"]
#: words of labels; digits are words of other fields, too
WORDS = {word for pair in PAIRS for word in pair}.difference(_WORDS["digit"])
#: so many words may be labels of an unknown file
MOST_LABELS = 6
#: a message and advice
Mistake = tuple[str, str]
Lines = Sequence[Sequence[str]]
#: column -> what it is: one of `IDS`, label, score, decision, run_id, attribute, or IGNORED
Roles = dict[str, str]


@dataclass(frozen=True, slots=True)
class Options:
    """What a bundle says of a file."""

    target: tuple[str, ...] = ()
    nontarget: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    label_column: str | None = None
    trial_column: str | None = None
    score_column: str | None = None
    suffixes: tuple[str, ...] = ()  #: taken off every id
    may_lack: bool = False  #: a row without a score is left out, no error
    is_key: bool = True  #: it is a key; False: scores

    @property
    def value(self) -> str:
        """What the file says of a trial: its label or its score."""
        return LABEL if self.is_key else SCORE

    @property
    def is_usual(self) -> bool:
        """Whether the bundle says nothing."""
        return replace(self, may_lack=False, is_key=True) == Options()

    @classmethod
    def of(cls, spec: Mapping[str, Any], *, is_key: bool = True) -> "Options":
        words = {key: (value,) if isinstance(value, str) else value for key, value in spec.items()}
        target, nontarget, ignore = (
            tuple(map(str.lower, words.get(f"{kind}_label", ()))) for kind in ("target", "nontarget", "ignore")
        )
        label, trial, score = (spec.get(f"{kind}_column") for kind in ("label", "trial", "score"))
        may_lack = spec.get("missing_scores") == "reject"
        suffixes = tuple(words.get("id_suffix", ()))
        return cls(target, nontarget, ignore, label, trial, score, suffixes, may_lack, is_key)


# ---- tables


class Header(NamedTuple):
    """What the columns of a table are called."""

    ids: Sequence[Roles]  #: column -> its meaning; the first one whose columns exist
    label: str
    score: str
    others: Sequence[str] = ()  #: columns that scores may have, and that are no attributes of a key

    def chosen_ids(self, names: Collection[str]) -> Roles | None:
        """Return column -> its meaning for the ids of a table; None without ids."""
        return next((choice for choice in self.ids if choice.keys() <= set(names)), None)

    def value(self, options: Options) -> str:
        """Return the column of labels or scores."""
        return self.label if options.is_key else self.score


HEADERS: dict[str, Header] = {format_: Header(**own) for format_, own in _LAYOUTS["header"].items()}
#: names of columns in other tables: of the trial, of its label, of its score
_NAMES: dict[str, list[str]] = _LAYOUTS["names"]
#: labels or scores of another task, which are not attributes
_OTHERS: list[str] = _LAYOUTS["others"]


# ---- lines


class Line(NamedTuple):
    """A layout of lines."""

    format: str
    name: str  #: as it is reported
    fields: Sequence[str]  #: of IDS, label, score, the name of an attribute, or IGNORED
    tests: Sequence[str]  #: what is in each field, of `_TESTS`; empty: anything
    is_assumed: bool = False  #: of a file of this format whose lines fit none

    @property
    def shown(self) -> str:
        words = "|".join(LABELS.get(self.format, [["label"]])[0])
        return " ".join(words if name == LABEL else name.upper() for name in self.fields)


def _line(fields: str, **own: Any) -> Line:
    names, _, tests = zip(*[field.partition(":") for field in fields.split()], strict=True)
    return Line(fields=names, tests=tests, **own)


#: in the order in which they are tried
LINES = [_line(**own) for own in _LAYOUTS["line"]]
#: every format
TRIAL_FORMATS = tuple(dict.fromkeys([*LABELS, *HEADERS, *(line.format for line in LINES)]))
#: what may be in a field -> whether a word is that; first: a score before the ids of a line
_TESTS: dict[str, Callable[[str], object]] = {
    **{name: words.__contains__ for name, words in _WORDS.items()},
    "label": WORDS.union(_WORDS["digit"]).__contains__,
    "word": WORDS.__contains__,
    "number": _NUMBER.fullmatch,
    "first": _NUMBER.fullmatch,
}


def _fits(line: Line, rows: Lines, options: Options) -> bool:
    """Return whether rows of so many fields may have a layout; a label that the options name is a known word."""
    is_speech = line.format in ("kaldi", "wespeaker") or line.fields[0] == "trial_id"
    target, nontarget = _WORDS["target" if is_speech else "spoof"]
    named = dict.fromkeys((*options.nontarget, *options.ignore), nontarget) | dict.fromkeys(options.target, target)
    columns = [[word.lower() for word in column] for column in zip(*rows, strict=True)]
    for field, test, words in zip(line.fields, line.tests, columns, strict=True):
        known = [named.get(word, word) for word in words] if field == LABEL else words
        if test and not all(map(_TESTS[test], known)):
            return False
    # names of speakers may be numbers, too: scores are the numbers that have fractions or signs
    if "first" not in line.tests or not all(map(_NUMBER.fullmatch, columns[2])):
        return True
    return not all(map(str.isdigit, columns[0])) and all(map(str.isdigit, columns[2]))


# ---- layouts of files


@dataclass(frozen=True, slots=True)
class Layout:
    """How files are read."""

    format: str
    options: Options
    line: Line | None = None  #: of lines without a header
    header: Header | None = None  #: of a table
    is_other: bool = False  #: a table with another header than those of `HEADERS`
    delimiter: str | None = None  #: of a table; None: blanks
    name: str = ""  #: for messages; empty: what the format is first of all
    #: labels are the usual words, so that attributes have none of them
    is_usual: bool = False

    def __str__(self) -> str:
        return f"{self.format} ({self.name})" if self.name else self.format

    @property
    def has_header(self) -> bool:
        return self.header is not None or self.is_other

    def roles(self, names: Sequence[str]) -> Roles | Mistake:
        """Return what the columns of a table are, or what is wrong with their names; of lines what their fields are."""
        options, header, scores = self.options, self.header, not self.options.is_key
        if self.line is not None:
            known = {name: name for name in (*IDS, LABEL, *[SCORE] * scores)}
            return _roles(names, known, (IGNORED, "format", SCORE), options)
        if self.is_other:
            return other_roles(names, options) or ("the columns do not name the trial and its value", "Name them.")
        if header is None:
            return {}
        known = {**(header.chosen_ids(names) or {}), header.label: LABEL}
        known |= {header.score: SCORE, **{name: name for name in header.others}} if scores else {}
        return _roles(names, known, (header.score, *header.others), options)


def _roles(names: Sequence[str], known: Roles, ignored: Collection[str], options: Options) -> Roles:
    """Return what columns are: of a key, those that are neither known nor ignored are attributes."""
    other = ATTRIBUTE if options.is_key else IGNORED
    return {name: known.get(name, IGNORED if name in ignored else other) for name in names}


def find_layout(
    lines: Sequence[str],
    options: Options,
    *,
    path: str = "",
    format_: str | None = None,
    has_pairs: bool | None = None,
) -> Layout | Mistake:
    """Return the layout of a file by its first lines; a message and advice where it is ambiguous, or where the lines of
    a key fit none.

    Args:
        path: its name says what separates the columns of a tidy table.
        format_: as named; None: any.
        has_pairs: of scores: whether the key names trials by two ids; None: not known.
    """
    texts = [line for line in lines if line.strip() and not line.startswith("#")]
    first = texts[0] if texts else ""
    usual = format_ or _format_of(re.split("[,\t]", first))
    if usual is None and _format_of(first.split()) == "sre":
        usual = "sre"
    if usual == "sre" and not re.search("[,\t]", first):
        header, columns = HEADERS["sre"], first.split()
        if header.chosen_ids(columns) and header.value(options) in columns:
            return Layout("sre", options, header=header, name="between blanks")
    table = None
    if usual in HEADERS and (usual != "asvspoof" or "filename" in first.split("\t")):
        table = _table(usual, path, options)
    if table is not None and (not texts or options.is_usual and _is_usual_table(table, texts)):
        return table
    if not texts:
        return Layout(usual, options) if usual else _table("tidy", path, options)
    rows = [text.split() for text in texts]
    n_field = len(rows[0])
    rows = [row for row in rows if len(row) == n_field]
    for number, places, advice in (
        (4, (2, 3), "speechbrain (label 3rd, score 4th), or another."),
        (3, (0, 2), "voxceleb (label first) or kaldi (label last)."),
    ):
        is_wanted = n_field == number and format_ in (None, "tidy") and (options.is_key or number == 4)
        if is_wanted and all(row[place] in _WORDS["digit"] for row in rows for place in places):
            named = " and ".join(str(place + 1) for place in places)
            said = f"fields {named} are 0 or 1 in every line: either may be the label"
            return said, f"Name the format: {advice}"
    other = _other_table(first, options) if format_ in (None, "tidy", "asvspoof") else None
    if other is not None or table is not None:
        return other or table  # type: ignore[return-value]  # one of them exists
    line = _line_of(rows, options, format_, has_pairs)
    if line is not None:
        is_usual = line.is_assumed and options.is_usual
        if is_usual and options.is_key:
            place = line.fields.index(LABEL)
            is_usual = has_usual_words({row[place].lower() for row in rows}, line.format)
        return Layout(line.format, options, line, name="" if is_usual else line.name, is_usual=is_usual)
    if format_ is not None:
        return Layout(format_, options)
    words = {word.strip().lower() for word in re.split("[,\\s]", first)}
    names = {name for known in _NAMES.values() for name in known}
    names |= {name for header in HEADERS.values() for choice in header.ids for name in choice}
    if options.is_key and n_field > 1 and not words & names and "," not in first:
        return _no_layout(rows)
    return _table("tidy", path, options)


def columns_layout(names: Sequence[str], options: Options) -> Layout | Mistake:
    """Return the layout of a table given as columns (Parquet, data frame)."""
    usual = _format_of(names)
    if usual and options.is_usual:
        return _table(usual, "", options)
    found = other_roles(names, options)
    if isinstance(found, tuple):
        return found
    return _table(usual or "tidy", "", options) if found is None else Layout("tidy", options, is_other=True)


def no_line(layout: Layout, text: str) -> Mistake:
    """Return what is wrong with the first line of a file of a format that has no such lines."""
    able = [line for line in LINES if line.format == layout.format and layout.options.value in line.fields]
    able = [line for line in able if not layout.options.is_key or SCORE not in line.fields] or able
    forms = " or ".join(line.shown for line in [line for line in able if line.is_assumed] or able)
    return f"{counted(len(text.split()))}, expected {forms}", "Correct the line, or name the format of the file."


def has_usual_words(words: Collection[str], format_: str) -> bool:
    """Return whether labels are words of a format, or mistakes among these, and not those of another pair."""
    found, known = set(words) - {""}, {word for pair in LABELS.get(format_, ()) for word in pair}
    is_other = any(found <= set(pair) for pair in PAIRS) or found <= WORDS
    return found <= known or bool(found & known) and not is_other


def _format_of(names: Sequence[str]) -> str | None:
    """Return the format of a table by the names of its columns, if it is one of `HEADERS`."""
    given = {name.strip() for name in names}
    return next(
        (name for name, header in HEADERS.items() if any(next(iter(choice)) in given for choice in header.ids)), None
    )


def _table(format_: str, path: str, options: Options) -> Layout:
    """Return the layout of a table with a header of `HEADERS`."""
    is_comma = format_ == "tidy" and not path.removesuffix(".gz").endswith((".tsv", ".tab"))
    return Layout(format_, options, header=HEADERS[format_], delimiter="," if is_comma else "\t", is_usual=True)


def _is_usual_table(table: Layout, texts: Sequence[str]) -> bool:
    """Return whether the first lines of a file are those of a table with the columns and labels of its header."""
    header, rows = HEADERS[table.format], [text.split(table.delimiter) for text in texts]
    names = [name.strip().strip('"') for name in rows[0]]
    if set(names) & set(_OTHERS):
        return False
    if not table.options.is_key or header.label not in names or header.chosen_ids(names) is None:
        return table.format != "tidy" or any(name in names for choice in header.ids for name in choice)
    place = names.index(header.label)
    labels = {row[place].strip().strip('"').lower() for row in rows[1:] if len(row) > place}
    return has_usual_words(labels, table.format)


def _other_table(first: str, options: Options) -> Layout | Mistake | None:
    """Return the layout of a file whose first line is another header than those of `HEADERS`."""
    delimiter = "\t" if "\t" in first else "," if "," in first else None
    names = [name.strip() for name in (first.split(delimiter) if delimiter else first.split())]
    found = other_roles(names, options)
    if found is None or isinstance(found, tuple):
        return found
    return Layout("tidy", options, is_other=True, delimiter=delimiter, name=f"header {', '.join(names[:4])}")


def other_roles(names: Sequence[str], options: Options) -> Roles | Mistake | None:
    """Return what the columns of a table with another header than those of `HEADERS` are; None: not a header."""
    if len(names) < 2 or any(map(_NUMBER.fullmatch, names)):
        return None
    value, wanted = options.value, options.label_column if options.is_key else options.score_column
    values = [name for name in names if name in _NAMES[value] or name in _OTHERS and value in name]
    for column, option in ((wanted, f"{value}_column"), (options.trial_column, "trial_column")):
        if column is not None and column not in names:
            return f"missing column {column}, expected one of {', '.join(names)}", f"Correct {option}."
    if wanted is not None:
        values = [wanted]
    if not values:
        return None
    if len(values) > 1:
        return (
            f"the file has {len(values)} columns of {value}s: {', '.join(values)}",
            f'Name one of them: {value}_column = "{values[-1]}".',
        )
    roles = {values[0]: value}
    if options.trial_column is not None:
        roles[options.trial_column] = "trial_id"
    elif {"enroll_id", "test_id"} <= set(names):
        roles |= {"enroll_id": "trial_id", "test_id": "test_id"}
    elif {"spk", "filename"} <= set(names) and values[0] not in _NAMES[value]:
        roles |= {"spk": "trial_id", "filename": "test_id"}
    else:
        trial = next((name for name in _NAMES["trial_id"] if name in names), None)
        if trial is None:
            return None
        roles[trial] = "trial_id"
    if not options.is_key:
        roles |= {name: name for name in (DECISION, RUN) if name in names}
    # labels and scores of other tasks are not attributes
    return _roles(names, roles, {*_OTHERS, *_NAMES[LABEL], *_NAMES[SCORE]}, options)


def _line_of(rows: Lines, options: Options, format_: str | None, has_pairs: bool | None) -> Line | None:
    """Return what lines are: the first layout that all of them fit, or else the first line."""
    able = [
        line
        for line in LINES
        if len(line.fields) == len(rows[0]) and format_ in (None, line.format) and options.value in line.fields
    ]
    paired = [line for line in able if options.is_key or has_pairs in (None, "test_id" in line.fields)]
    for layouts, seen in ((paired, rows), (able, rows), (able, rows[:1])):
        for line in layouts:
            if _fits(line, seen, options):
                return line
    return next((line for line in able if line.is_assumed), None) if format_ is not None else None


def _no_layout(rows: Lines) -> Mistake:
    """Return a message about lines of a key in an unknown layout (its fields, the nearest layouts) and advice."""
    n_field, given = len(rows[0]), " ".join(rows[0])
    near = sorted((line for line in LINES if LABEL in line.fields), key=lambda line: abs(len(line.fields) - n_field))
    near = [line for line in near if abs(len(line.fields) - n_field) == abs(len(near[0].fields) - n_field)]
    forms = "; ".join(f"{line.format} ({line.name}): {' '.join(line.fields).upper()}" for line in near[:4])
    for line in near if len(near[0].fields) == n_field else ():
        found = Counter(row[line.fields.index(LABEL)].lower() for row in rows)
        if 1 < len(found) <= MOST_LABELS and not any(map(_NUMBER.fullmatch, found)) and not found.keys() & WORDS:
            counts = ", ".join(f"'{word}' ({n:,})" for word, n in found.most_common())
            return (
                f"{counted(n_field)} as in {line.format} ({line.name}), but the labels would be {counts}: '{given}'",
                "Name the words with target_label and nontarget_label; or the format, if it is another.",
            )
    return (
        f"{counted(n_field)}, and no layout has such lines: '{given}'. The nearest layouts are {forms}",
        "Leave out what is too much, add what is missing, or give the file a header.",
    )
