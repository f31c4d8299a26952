"""Keys and scores of detection trials: who is a target, and what a system thinks of it.

Tables, with a header; columns in any order:

    format    key                                              scores
    tidy      trial_id (or enroll_id, test_id), label          the same ids, score[, decision][, run_id][, label]
    sre       modelid, segmentid[, side], targettype           modelid, segmentid[, side], LLR
    asvspoof  filename, cm-label                               filename, cm-score

A further column of a key is an attribute of the trials. sre and asvspoof have tabs; tidy has commas, in .tsv tabs.

Lines of fields between blanks, without a header:

    kaldi     ENROL TEST target|nontarget                      ENROL TEST SCORE
    voxceleb  1|0 FILE FILE                                    SCORE FILE FILE
    asvspoof  SPEAKER FILE ENVIRONMENT ATTACK bonafide|spoof   FILE SCORE, FILE SCORE LABEL, FILE ATTACK LABEL SCORE
              FORMAT FILE ATTACK bonafide|spoof

Labels are read in any case; in tidy keys true/false and 1/0 too. Ids are texts as they are written. Infinite scores are
scores.

Code   Meaning
E301   a missing column
E302   a column that scores do not have
E303   a duplicate column
E304   a row with too few or too many fields
E305   an empty id, label, score or decision
E306   an id with blanks around it, or that is not text
E308   a score that is not a number, NaN included
E310   a decision other than yes or no (true or false, 1 or 0)
E318   no trial
E319   columns separated by another character
E320   JSON or markup where a table is expected
E940   a number of fields that differs from the format or from the first line
E941   a label that the format does not have
E942   an attribute whose name is not valid for a subset

Sources: NIST speaker recognition evaluation plans; Kaldi, `compute-eer`; VoxSRC development toolkit; ASVspoof 2019 and
ASVspoof 5 evaluation plans.
"""

import math
import re
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tdtsql.errors import Problems, counted
from tdtsql.reader.header import MOST_COLUMNS, check_header
from tdtsql.reader.text import is_readable, numbered_lines, without_comments
from tdtsql.reader.scan import (
    KINDS,
    Kind,
    Place,
    Rows,
    check_column,
    column_rows,
    field_rows,
    is_missing,
    sound_rows,
    text_rows,
    usual_numbers,
)

#: what a trial is called by, in this order
IDS = ("trial_id", "test_id", "side")
#: other columns of a trial
LABEL, SCORE, DECISION, RUN = "label", "score", "decision", "run_id"
#: a score as files write it, also one that is not finite and so an error
NUMBER = re.compile(r"[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|nan|inf(inity)?)", re.IGNORECASE)
#: a field that says nothing of a trial
IGNORED = ""

_TARGET_WORDS = {"target": True, "nontarget": False}
_SPOOF_WORDS = {"bonafide": True, "spoof": False}
#: words of the label, by format, in pairs: a file has those of one
LABELS: dict[str, dict[str, bool]] = {
    "tidy": {**_TARGET_WORDS, "true": True, "false": False, "1": True, "0": False},
    "kaldi": _TARGET_WORDS,
    "voxceleb": {"1": True, "0": False},
    "sre": _TARGET_WORDS,
    "asvspoof": _SPOOF_WORDS,
}
#: those that are named where one is expected
_NAMED = {
    "tidy": "target or nontarget",
    "kaldi": "target or nontarget",
    "voxceleb": "1 or 0",
    "sre": "target or nontarget",
    "asvspoof": "bonafide or spoof",
}


#: maximum problems of a column, or of lines, that are reported one by one
MOST_PROBLEMS = 1000


class Form(NamedTuple):
    """What the columns of a table are called."""

    ids: tuple[dict[str, str], ...]  #: column -> its meaning; the first one whose first column exists
    label: str
    score: str
    others: tuple[str, ...] = ()  #: columns that scores may have, and that are no attributes of a key


TABLES: dict[str, Form] = {
    "tidy": Form(
        ({"trial_id": "trial_id"}, {"enroll_id": "trial_id", "test_id": "test_id"}), "label", "score", (DECISION, RUN)
    ),
    "sre": Form(
        (
            {"modelid": "trial_id", "segmentid": "test_id", "side": "side"},
            {"modelid": "trial_id", "segmentid": "test_id"},
        ),
        "targettype",
        "LLR",
    ),
    "asvspoof": Form(({"filename": "trial_id"},), "cm-label", "cm-score"),
}

#: the lines of a format, by what their fields are
KEY_LINES: dict[str, tuple[tuple[str, ...], ...]] = {
    "kaldi": (("trial_id", "test_id", LABEL),),
    "voxceleb": ((LABEL, "trial_id", "test_id"),),
    "asvspoof": (("speaker", "trial_id", "environment", "attack", LABEL), (IGNORED, "trial_id", "attack", LABEL)),
}
SCORE_LINES: dict[str, tuple[tuple[str, ...], ...]] = {
    "kaldi": (("trial_id", "test_id", SCORE),),
    "voxceleb": ((SCORE, "trial_id", "test_id"),),
    "asvspoof": (("trial_id", SCORE), ("trial_id", SCORE, LABEL), ("trial_id", IGNORED, LABEL, SCORE)),
}


@dataclass(slots=True)
class Trials:
    """R trials of a key, or R scores, in the order of the file; a row with an error is left out."""

    ids: dict[str, list[str]] = field(default_factory=dict)  #: of IDS, those that the file has
    labels: list[bool] | None = None  #: True: target
    scores: list[float] | None = None  #: may be infinite
    decisions: list[bool] | None = None
    runs: list[str] | None = None
    attributes: dict[str, list[str | None]] = field(default_factory=dict)
    lines: array = field(default_factory=lambda: array("q"))  #: line of each, or row where there are no lines


def words_of_pair(format_: str, label: object) -> dict[str, bool]:
    """Return the words of the two classes that go with a label, which has one of them; all words of the format if it is
    none of them.
    """
    words = LABELS[format_]
    names = list(words)
    word = _word(label)
    if word not in words:
        return words
    first = names.index(word) // 2 * 2
    return {name: words[name] for name in names[first : first + 2]}


def is_table(format_: str, first: str) -> bool:
    """Return whether a file of a format with this first line is a table with a header."""
    return format_ in TABLES and (format_ not in KEY_LINES or "filename" in first.split("\t"))


def delimiter_of(format_: str, path: str) -> str:
    """Return what separates the columns of a table."""
    return "," if format_ == "tidy" and not path.removesuffix(".gz").endswith((".tsv", ".tab")) else "\t"


def read_key(data: bytes, problems: Problems, format_: str) -> Trials:
    """Return the trials of a key."""
    return _read(data, problems, format_, is_key=True)


def read_scores(data: bytes, problems: Problems, format_: str, *, may_lack: bool = False) -> Trials:
    """Return the scores of a file; with ``may_lack`` a row without a score (empty, -, NaN) is left out, no error."""
    return _read(data, problems, format_, is_key=False, may_lack=may_lack)


def format_of_columns(names: Iterable[str]) -> str:
    """Return the format of a table by the names of its columns."""
    return next(
        (format_ for format_, form in TABLES.items() if any(choice.keys() <= set(names) for choice in form.ids)), "tidy"
    )


def trials_of_columns(
    columns: Mapping[str, Sequence], problems: Problems, *, is_key: bool, may_lack: bool = False
) -> Trials:
    """Return the rows of a table given as columns (Parquet, data frame); problems name rows, from 1, as lines."""
    return _of_table(column_rows(columns), format_of_columns(columns), problems, is_key, may_lack)


def recognised(lines: Sequence[str], *, is_key: bool) -> str | None:
    """Return the format of a file by its first lines; None where it could be several, or none."""
    first = lines[0] if lines else ""
    names = {name.strip() for name in re.split("[,\t]", first)}
    for format_, form in TABLES.items():
        if any(next(iter(choice)) in names for choice in form.ids):
            return format_
    words = first.split()
    if not words:
        return None
    if is_key:
        if words[-1].lower() in _SPOOF_WORDS and len(words) in (4, 5):
            return "asvspoof"
        if len(words) == 3 and words[-1].lower() in _TARGET_WORDS:
            return "kaldi"
        return "voxceleb" if len(words) == 3 and words[0] in LABELS["voxceleb"] else None
    is_number = [NUMBER.fullmatch(word) is not None for word in words]
    if (
        len(words) == 2
        and is_number[1]
        or len(words) == 3
        and words[2].lower() in _SPOOF_WORDS
        or len(words) == 4
        and words[2].lower() in _SPOOF_WORDS
    ):
        return "asvspoof"
    if len(words) != 3 or not (is_number[0] or is_number[2]):
        return None
    # names of speakers may be numbers too: the scores are the column that has fractions or signs
    rows = [row for row in map(str.split, lines) if len(row) == 3]
    scored = [
        all(NUMBER.fullmatch(row[place]) for row in rows) and not all(row[place].isdigit() for row in rows)
        for place in (0, 2)
    ]
    if is_number[0] and is_number[2] and scored[0] == scored[1]:
        return None
    is_first = scored[0] if is_number[2] else True
    return "voxceleb" if is_number[0] and is_first else "kaldi"


def _read(data: bytes, problems: Problems, format_: str, *, is_key: bool, may_lack: bool = False) -> Trials:
    head = without_comments(numbered_lines(data, Problems(problems.path)), Problems(problems.path))
    first = next((text for _, text in head if text and not text.isspace()), "")
    if not is_table(format_, first):
        return _of_lines(data, problems, format_, is_key, may_lack)
    rows = text_rows(data, problems, delimiter_of(format_, problems.path))
    if rows is None:
        return Trials()
    return _of_table(rows, format_, problems, is_key, may_lack)


# ---- tables


def chosen_ids(names: Sequence[str], format_: str) -> dict[str, str] | None:
    """Return column -> its meaning for the ids of a table; None without ids."""
    found = [choice for choice in TABLES[format_].ids if choice.keys() <= set(names)]
    return found[0] if found else None


def attribute_names(names: Sequence[str], format_: str) -> list[str]:
    """Return the columns of a key that are attributes."""
    form = TABLES[format_]
    known = {*(chosen_ids(names, format_) or ()), form.label, form.score, *form.others}
    return [name for name in dict.fromkeys(names) if name not in known]


def is_attribute_name(name: str) -> bool:
    """Return whether subsets can be called by an attribute of this name: name=value, and several of them between
    commas.
    """
    return bool(name) and not set(name) & set("=,") and name == name.strip()


def _of_table(rows: Rows, format_: str, problems: Problems, is_key: bool, may_lack: bool) -> Trials:
    form = TABLES[format_]
    columns = rows.named
    ids = _check_header(rows.header, form, format_, problems, rows.at, is_key)
    value = form.label if is_key else form.score
    if ids is None or value not in columns:
        return Trials()
    wanted = {name: (role, "id") for name, role in ids.items()}
    wanted[value] = (LABEL, LABEL) if is_key else (SCORE, SCORE)
    if not is_key:
        wanted |= {name: (name, "id" if name == RUN else name) for name in form.others if name in columns}
        if form.label in columns:
            wanted[form.label] = (LABEL, LABEL)
    attributes = attribute_names(rows.header, format_) if is_key else []
    return _checked(rows, wanted, attributes, format_, problems, may_lack)


def _check_header(
    header: Sequence[str], form: Form, format_: str, problems: Problems, place: Place, is_key: bool
) -> dict[str, str] | None:
    """Report what is wrong with the names of the columns; return those of the ids."""
    ids = chosen_ids(header, format_)
    value = form.label if is_key else form.score
    line, _ = place(-1, "")
    choices = " or ".join(", ".join(choice) for choice in form.ids)
    if ids is None and value not in header:
        problems.add(
            "E301",
            f"no header that names the trial and its {'label' if is_key else 'score'}, expected {choices} and {value}",
            f"Add the header; if the file is not {format_}, name its format: {', '.join(LABELS)}.",
            line,
            None if line is None else 1,
            ", ".join(header),
        )
        return None
    if ids is None:
        problems.add(
            "E301",
            f"missing columns of the trial id, expected {choices}",
            "Add the columns and their names in the header.",
            line,
            None if line is None else 1,
            ", ".join(header),
        )
    if value not in header:
        problems.add(
            "E301",
            f"missing column {value}, expected {choices} and {value}",
            "Add the column and its name in the header.",
            line,
            None if line is None else 1,
            ", ".join(header),
        )
    known = {*(ids or (name for choice in form.ids for name in choice)), form.label, form.score, *form.others}
    attributes = [name for name in header if name not in known] if is_key else []
    check_header(
        header,
        sorted(known.union(attributes)),
        problems,
        lambda number: place(-1, header[number]),
        holder="scores have",
        advice="Remove it; the attributes of trials belong in the key.",
        likeness=0.7,
    )
    odd = [name for name in dict.fromkeys(attributes) if not is_attribute_name(name)]
    for name in odd[:MOST_COLUMNS]:
        line, column = place(-1, name)
        problems.add(
            "E942",
            "an attribute needs a name without = and comma and without blanks around it: subsets are called name=value",
            "Rename the column.",
            line,
            column,
            name,
        )
    if len(odd) > MOST_COLUMNS:
        problems.add("E942", f"{len(odd) - MOST_COLUMNS} more columns with such names", "Is this the right file?", line)
    return ids


# ---- lines


def line_form(format_: str, n_field: int, *, is_key: bool) -> tuple[str, ...] | None:
    """Return what the fields of a line are by their number; None where the format has no such line."""
    return next(
        (fields for fields in (KEY_LINES if is_key else SCORE_LINES).get(format_, ()) if len(fields) == n_field), None
    )


def _of_lines(data: bytes, problems: Problems, format_: str, is_key: bool, may_lack: bool) -> Trials:
    texts = [(line, text) for line, text in without_comments(numbered_lines(data, problems), problems) if text.strip()]
    if not texts:
        if is_readable(problems):
            problems.add("E318", "no trial, expected at least one", "Complete the file.", 1, 1)
        return Trials()
    line, text = texts[0]
    n_field = len(text.split())
    fields = line_form(format_, n_field, is_key=is_key)
    if fields is None:
        forms = " or ".join(
            " ".join(_shown(name, format_) for name in form) for form in (KEY_LINES if is_key else SCORE_LINES)[format_]
        )
        problems.add(
            "E940",
            f"{counted(n_field)}, expected {forms}",
            "Correct the line, or name the format of the file.",
            line,
            1,
            text.strip(),
        )
        return Trials()
    expected = " ".join(_shown(name, format_) for name in fields)
    rows = field_rows(texts, fields, problems, "E940", expected, comment="", most=MOST_PROBLEMS)
    known = {*IDS, LABEL, SCORE}
    wanted = {name: (name, "id" if name in IDS else name) for name in fields if name in known}
    return _checked(
        rows, wanted, [name for name in fields if name not in {*known, IGNORED}], format_, problems, may_lack
    )


def _shown(name: str, format_: str) -> str:
    return "|".join(LABELS[format_]) if name == LABEL else (name or "format").upper()


# ---- values


def _checked(
    rows: Rows,
    wanted: Mapping[str, tuple[str, str]],
    attributes: Iterable[str],
    format_: str,
    problems: Problems,
    may_lack: bool,
) -> Trials:
    """Return rows whose values are checked.

    Args:
        wanted: column -> (what it is, kind of its values).
        may_lack: a row without a score is left out, no error.
    """
    columns, lines = rows.named, rows.lines
    if not len(lines) and not problems.errors:
        problems.add("E318", "no trial, expected at least one", "Complete the file.", 1, 1)
    found: dict[str, list] = {}
    for name, (role, kind) in wanted.items():
        found[role] = check_column(
            columns[name],
            name,
            _kind(kind, format_),
            problems,
            rows.at,
            may_lack=_is_no_value if may_lack and kind == SCORE else None,
            most=MOST_PROBLEMS if kind in (LABEL, SCORE) else math.inf,
        )
        if role == LABEL:
            _check_pair(columns[name], name, format_, problems, rows.at)
    said = {(name,): _texts(columns[name]) for name in attributes}
    whole, lines = sound_rows({**found, **said}, lines, found)
    found = {role: whole[role] for role in found}
    return Trials(
        {role: found[role] for role in IDS if role in found},
        found.get(LABEL),
        found.get(SCORE),
        found.get(DECISION),
        found.get(RUN),
        {name: whole[(name,)] for name in attributes},
        lines,
    )


def checked_rows(rows: Rows, problems: Problems, *, may_lack: bool = False) -> Trials:
    """Return rows with checked values; columns are called as in IDS, label and score, labels are those of tidy files,
    all others are attributes.
    """
    wanted = {role: (role, "id" if role in IDS else role) for role in rows.header if role in (*IDS, LABEL, SCORE)}
    return _checked(rows, wanted, [name for name in rows.header if name not in wanted], "tidy", problems, may_lack)


_NUMBERS = Kind(
    KINDS[SCORE].read,
    "E308",
    "{name} is not a number, expected {expected}",
    "a real number",
    usual=usual_numbers,
    may_be_nan=True,
)


def _kind(kind: str, format_: str) -> Kind:
    """Return the kind of values of a column, see `wanted` of ``_checked``."""
    if kind == LABEL:
        words = LABELS[format_]
        wrong = "{name} is not a label, expected {expected}"
        return Kind(lambda value: _label(value, words), "E941", wrong, _NAMED[format_], may_be_nan=True)
    return _NUMBERS if kind == SCORE else KINDS[kind]


def _label(value: object, words: Mapping[str, bool]) -> bool | None:
    word = _word(value)
    return None if word is None else words.get(word)


def _word(value: object) -> str | None:
    """Return the word of a label; None where it cannot be one."""
    item = getattr(value, "item", None)  # a numpy scalar
    value = item() if item is not None else value
    return str(value).strip().lower() if isinstance(value, int | str) else None


def _check_pair(labels: Sequence, name: str, format_: str, problems: Problems, place: Place) -> None:
    """Report words of more than one pair, with the first row of each."""
    said: dict[str, str] = {}  #: first word of a pair -> where it is, and what it says
    for row, label in enumerate(labels) if len(LABELS[format_]) > 2 else ():
        pair = words_of_pair(format_, label)
        if len(pair) == 2 and (first := next(iter(pair))) not in said:
            line, column = place(row, name)
            said[first] = f"'{str(label).strip()}' in line {row + 1 if line is None else line}"
            if len(said) == 2:
                problems.add(
                    "E941",
                    f"labels of two pairs of words, {' and '.join(said.values())}, expected those of one pair",
                    f"Write all labels as {_NAMED[format_]}.",
                    line,
                    column,
                    label,
                )
                return


def _texts(values: Sequence) -> list[str | None]:
    """Return the values of an attribute; None if missing."""
    return [None if is_missing(value) or str(value).strip() in ("", "-") else str(value).strip() for value in values]


def _is_no_value(value: object) -> bool:
    """Return whether a value means "unknown"."""
    return is_missing(value) or isinstance(value, str) and value.strip().lower() in ("-", "nan", "na", "none", "null")
