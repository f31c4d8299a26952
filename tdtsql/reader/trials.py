"""Keys and scores of detection trials: who is a target, and what a system thinks of it.

Tables, with a header; columns in any order:

    format    key                                              scores
    tidy      trial_id (or enroll_id, test_id), label          the same ids, score[, decision][, run_id][, label]
    sre       modelid, segmentid[, side], targettype           modelid, segmentid[, side], LLR
    asvspoof  filename, cm-label                               filename, cm-score
    others    file, filename, utt, path ...; label, cm-label   the same; score, cm-score

A further column of a key is an attribute of the trials. sre has tabs or blanks, asvspoof tabs; tidy has commas,
in .tsv tabs. Lines of fields between blanks, without a header: `LINES`. The first lines of a file say which of these
it is.

Labels are read in any case; a file has the words of one of `PAIRS`. Ids are texts as they are written. Infinite scores
are scores.

Code   Meaning
E301   a required column is missing
E302   a column that the form does not have
E303   a duplicate column
E304   a row with too few or too many fields
E305   an empty value where one is required
E306   an id that is not text or a whole number, or that has blanks around it
E308   not a number, NaN included
E310   a decision other than yes or no (true or false, 1 or 0)
E318   a table without rows that needs some
E319   columns separated by another character than expected
E320   JSON or markup where a table is expected
E940   a number of fields that differs from the format or from the first line
E941   a label that the format does not have
E942   an attribute whose name is not valid for a subset

Sources: NIST speaker recognition evaluation plans; Kaldi, `compute-eer`; VoxSRC development toolkit; ASVspoof 2019 and
ASVspoof 5 evaluation plans; asvspoof-challenge/2021, eval-package/config.py; ASVspoof 5 README and evaluation package;
wespeaker/bin/score.py; speechbrain, speaker_verification_cosine.py; VOiCES and CN-Celeb scripts.
"""

import math
import re
from array import array
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from tdtsql.errors import Problems, counted
from tdtsql.reader.header import MOST_COLUMNS, check_header
from tdtsql.reader.scan import (
    DECIMAL_COMMA,
    KINDS,
    Fields,
    Kind,
    Place,
    Rows,
    check_column,
    column_rows,
    first_wrong,
    is_missing,
    plain,
    sound_rows,
    text_rows,
    usual_numbers,
    whole_line,
)
from tdtsql.files.text import numbered_lines, without_comments

#: what a trial is called by, in this order
IDS = ("trial_id", "test_id", "side")
#: other columns of a trial
LABEL, SCORE, DECISION, RUN = "label", "score", "decision", "run_id"
#: a score as files write it, also one that is not finite and so an error
NUMBER = re.compile(r"[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|nan|inf(inity)?)", re.IGNORECASE)
#: what fields are that say nothing of a trial
IGNORED = ("-", "format")

#: words of the two classes, target first; a file has those of one pair
PAIRS = (
    ("target", "nontarget"),
    ("target", "non-target"),
    ("tgt", "imp"),
    ("true", "false"),
    ("1", "0"),
    ("bonafide", "spoof"),
    ("bona-fide", "spoof"),
    ("genuine", "impostor"),
    ("genuine", "imposter"),
    ("genuine", "spoof"),
)
_TARGET, _FLAG, _DIGIT, _SPOOF = PAIRS[0], PAIRS[3], PAIRS[4], PAIRS[5]
#: format -> the pairs of words that its labels are expected to have; the first is named where one is expected
LABELS: dict[str, tuple[tuple[str, str], ...]] = {
    "tidy": (_TARGET, _FLAG, _DIGIT),
    "kaldi": (_TARGET,),
    "voxceleb": (_DIGIT,),
    "sre": (_TARGET,),
    "asvspoof": (_SPOOF,),
}
_WORDS = {word for pair in PAIRS for word in pair} - {*_DIGIT}
#: words that are no value of an attribute, by class
_OWN = {True: {pair[0] for pair in PAIRS} - {"1", "true"}, False: {"nontarget", "non-target"}}
#: so many words may be labels of an unknown file
MOST_LABELS = 6
#: maximum problems of a column, or of lines, that are reported one by one
MOST_PROBLEMS = 1000
#: what is wrong with such a header, and advice
_UNNAMED = "the columns do not name the trial and its value", "Name them."
#: a message and advice
Mistake = tuple[str, str]


# ---- tables


class Form(NamedTuple):
    """What the columns of a table are called."""

    ids: tuple[dict[str, str], ...]  #: column -> its meaning; the first one whose columns exist
    label: str
    score: str
    others: tuple[str, ...] = ()  #: columns that scores may have, and that are no attributes of a key

    def value(self, options: "Options") -> str:
        return self.label if options.is_key else self.score

    def chosen_ids(self, names: Sequence[str]) -> dict[str, str] | None:
        """Return column -> its meaning for the ids of a table; None without ids."""
        return next((choice for choice in self.ids if choice.keys() <= set(names)), None)

    def roles(self, names: Sequence[str], options: "Options") -> tuple[dict[str, str], list[str]] | None:
        """Return column -> what it is (of IDS, label, score, decision, run_id), and the columns that are attributes;
        None without ids or the value.
        """
        ids, value = self.chosen_ids(names), self.value(options)
        if ids is None or value not in names:
            return None
        known = {*ids, self.label, self.score, *self.others}
        if options.is_key:
            return {**ids, value: LABEL}, [name for name in dict.fromkeys(names) if name not in known]
        others = {**dict(zip(self.others, self.others, strict=True)), self.label: LABEL}
        return {**ids, value: SCORE, **{name: role for name, role in others.items() if name in names}}, []


FORMS: dict[str, Form] = {
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
#: names of columns in other tables: of the trial, of its label, of its score
HEADERS = {
    "trial_id": ("trial_id", "trial", "file", "filename", "utt", "utt_id", "path"),
    LABEL: ("label", "key", "cm-label"),
    SCORE: ("score", "cm-score"),
}
#: labels or scores of another task, which are not attributes
_OTHERS = ("asv-label", "asv-score", "sasv-score")


def is_attribute_name(name: str) -> bool:
    """Return whether subsets can be called by an attribute of this name: name=value, and several of them between
    commas.
    """
    return bool(name) and not set(name) & set("=,") and name == name.strip()


# ---- lines

_Lines = Sequence[Sequence[str]]


def _all(place: int, holds: Callable[[str], object]) -> Callable[[_Lines], bool]:
    return lambda rows: all(holds(row[place]) for row in rows)


def _is_number(word: str) -> bool:
    """Return whether a word is a number, or one with a decimal comma, which is reported where it is read."""
    return NUMBER.fullmatch(word) is not None or DECIMAL_COMMA.fullmatch(word) is not None


def _is_word(*words: str) -> Callable[[str], bool]:
    return lambda field: field.casefold() in words


_is_label, _is_digit, _is_spoof = _is_word(*_WORDS), _is_word(*_DIGIT), _is_word(*_SPOOF)


def _is_score_first(rows: _Lines) -> bool:
    """Return whether the scores are in the first of three fields: names of speakers may be numbers too, and the scores
    are the numbers that have fractions or signs.
    """
    first, last = (_all(place, _is_number)(rows) for place in (0, 2))
    return first and (not last or not _all(0, str.isdigit)(rows) and _all(2, str.isdigit)(rows))


@dataclass(frozen=True, slots=True)
class Line:
    """A layout of lines."""

    format: str
    name: str  #: as it is reported; empty: the usual lines of the format
    fields: tuple[str, ...]  #: of IDS, label, score, one of `IGNORED`, or the name of an attribute
    fits: Callable[[_Lines], bool]  #: of rows with so many fields
    is_usual: bool  #: the layout assumed for a file of this format whose lines fit none

    @property
    def shown(self) -> str:
        words = "|".join(LABELS.get(self.format, (("label",),))[0])
        return " ".join(words if name == LABEL else name.upper() for name in self.fields)


def _line(format_: str, name: str, fields: str, *fits: Callable[[_Lines], bool], is_usual: bool = False) -> Line:
    return Line(format_, name, tuple(fields.split()), lambda rows: all(one(rows) for one in fits), is_usual)


_2021 = "trim subset"
_usual = partial(_line, is_usual=True)
#: layouts of lines, in the order in which they are tried
LINES = (
    _usual("voxceleb", "3 fields, label first", "label trial_id test_id", _all(0, _is_word(*_WORDS, *_DIGIT))),
    _usual("kaldi", "3 fields, label last", "trial_id test_id label", _all(2, _is_word(*_WORDS, *_DIGIT))),
    _usual("asvspoof", "2 fields", "trial_id score", _all(1, _is_number)),
    _line("asvspoof", "3 fields, scores", "trial_id score label", _all(1, _is_number), _all(2, _is_spoof)),
    _usual("voxceleb", "3 fields, score first", "score trial_id test_id", _is_score_first),
    _usual("kaldi", "3 fields, score last", "trial_id test_id score", _all(2, _is_number)),
    _usual("asvspoof", "4 fields, scores", "trial_id format label score", _all(2, _is_spoof)),
    _line("wespeaker", "4 fields", "trial_id test_id score label", _all(2, _is_number), _all(3, _is_word(*_TARGET))),
    _line("asvspoof", "5, scores of the baseline", "- trial_id score label", _all(2, _is_number), _all(3, _is_label)),
    _line("speechbrain", "4 fields", "trial_id test_id label score", _all(2, _is_digit), _all(3, _is_number)),
    _line(
        "asvspoof",
        "5 track 2, 5 fields",
        "trial_id test_id gender attack label",
        _all(2, _is_word("f", "m")),
        _all(4, _is_label),
    ),
    _usual("asvspoof", "2019, 5 fields", "speaker trial_id environment attack label", _all(4, _is_label)),
    _usual("asvspoof", "4 fields", "format trial_id attack label", _all(3, _is_spoof)),
    _line("wespeaker", "8 fields", "trial_id test_id score label - - - -", _all(2, _is_number), _all(3, _is_label)),
    _line(
        "asvspoof",
        "2021 CM, 8 fields",
        f"speaker trial_id codec trans attack label {_2021}",
        _all(5, _is_spoof),
    ),
    _line("asvspoof", "2021 ASV, 8 fields", f"trial_id test_id codec trans attack label {_2021}", _all(5, _is_label)),
    _line(
        "asvspoof",
        "5 track 1, 10 fields",
        "speaker trial_id gender codec codec_q codec_seed attack_tag attack label -",
        _all(8, _is_label),
    ),
    _line(
        "asvspoof",
        "2021 PA, 12 fields",
        f"speaker trial_id asv_room asv_mic dis_to_asv att_room att_mic att_d att_to_spk label {_2021}",
        _all(9, _is_label),
    ),
    _line(
        "asvspoof",
        "2021 DF, 13 fields",
        f"speaker trial_id compr source attack label {_2021} vocoder task team gender_pair language",
        _all(5, _is_label),
    ),
)


# ---- layouts of files


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
    may_lack: bool = field(default=False, compare=False)  #: a row without a score is left out, no error
    is_key: bool = field(default=True, compare=False)  #: it is a key; False: scores

    @property
    def value(self) -> str:
        """What the file says of a trial: its label or its score."""
        return LABEL if self.is_key else SCORE

    @classmethod
    def of(cls, spec: Mapping[str, Any], *, is_key: bool = True) -> "Options":
        def words(key: str) -> tuple[str, ...]:
            value = spec.get(key, ())
            return (value,) if isinstance(value, str) else tuple(value)

        target, nontarget, ignore = (
            tuple(map(str.casefold, words(f"{kind}_label"))) for kind in ("target", "nontarget", "ignore")
        )
        label, trial, score = (spec.get(f"{kind}_column") for kind in ("label", "trial", "score"))
        may_lack = spec.get("missing_scores") == "reject"
        return cls(target, nontarget, ignore, label, trial, score, words("id_suffix"), may_lack, is_key)


@dataclass(slots=True)
class Trials:
    """R trials of a key, or R scores, in the order of the file; a row with an error is left out."""

    #: of IDS, label (True: target), score (may be infinite), decision and run_id, those that the file has
    columns: dict[str, list] = field(default_factory=dict)
    attributes: dict[str, list[str | None]] = field(default_factory=dict)
    lines: array = field(default_factory=lambda: array("q"))  #: line of each, or row where there are no lines


@dataclass(frozen=True, slots=True)
class Layout:
    """How a file is read."""

    format: str
    name: str  #: of the layout in the format, for messages
    #: of each field: of IDS, label, score, one of `IGNORED`, or the name of an attribute; empty: by the header of a
    #: table of `FORMS`, or lines that the format does not have
    roles: tuple[str, ...]
    options: Options
    is_usual: bool = True  #: what the format is first of all, so that its name says it all
    delimiter: str | None = None  #: None: blanks
    has_header: bool = False

    def __str__(self) -> str:
        return self.format if self.is_usual or not self.name else f"{self.format} ({self.name})"

    def read(self, data: bytes, problems: Problems) -> Trials:
        """Return the trials of a key, or the scores of a file."""
        if self.delimiter is not None:
            rows = text_rows(data, problems, self.delimiter)
            return Trials() if rows is None else self.of_rows(rows, problems)
        lines = [one for one in without_comments(numbered_lines(data, problems), problems) if one[1].strip()]
        if not lines:
            if not problems.errors:
                problems.add("E318", "no trial, expected at least one", "Complete the file.", 1, 1)
            return Trials()
        if not self.roles:
            line, text = lines[0]
            able = [one for one in LINES if one.format == self.format and self.options.value in one.fields]
            able = [one for one in able if not self.options.is_key or SCORE not in one.fields] or able
            forms = " or ".join(one.shown for one in [one for one in able if one.is_usual] or able)
            problems.add(
                "E940",
                f"{counted(len(text.split()))}, expected {forms}",
                "Correct the line, or name the format of the file.",
                line,
                1,
                text.strip(),
            )
            return Trials()
        expected, at = f"{len(self.roles)}: {self}", whole_line
        if self.is_usual:
            expected = next(one.shown for one in LINES if (one.format, one.name) == (self.format, self.name))
            at = first_wrong
        form = Fields(self.roles, "E940", expected, comment="", most=MOST_PROBLEMS, at=at)
        rows = form.rows(lines[self.has_header :], problems)
        return self._by_role(rows, problems)

    def of_rows(self, rows: Rows, problems: Problems) -> Trials:
        """Return the trials of the rows of a table."""
        header = rows.header
        if not self.roles:
            _check_header(header, FORMS[self.format], self.format, problems, rows.at, self.options)
            found = self.columns(header)
            return Trials() if found is None else self._checked(rows, *found, problems)
        if len(header) != len(self.roles):  # quotes in the header
            problems.add("E301", *_UNNAMED, rows.place(-1, 0)[0], 1, ", ".join(header))
            return Trials()
        check_header(header, header, problems, lambda number: rows.place(-1, number), holder="")
        return self._by_role(rows, problems)

    def columns(self, names: Sequence[str]) -> tuple[dict[str, str], list[str]] | None:
        """Return what is read of the columns of a table, or of lines, see `Form.roles`."""
        if not self.roles:
            form = FORMS.get(self.format)  # none: lines that the format does not have
            return form.roles(names, self.options) if form else None
        values = (*IDS, LABEL) if self.options.is_key else (*IDS, LABEL, SCORE)
        others = [role for role in self.roles if role not in (*IDS, LABEL, SCORE, *IGNORED)]
        return {role: role for role in self.roles if role in values}, others if self.options.is_key else []

    def _by_role(self, rows: Rows, problems: Problems) -> Trials:
        return self._checked(rows._replace(header=self.roles), *(self.columns(self.roles) or ({}, [])), problems)

    def _checked(self, rows: Rows, wanted: Mapping[str, str], attributes: Sequence[str], problems: Problems) -> Trials:
        """Return rows whose values are checked, without those of labels that the options ignore.

        Args:
            wanted: column -> what it is.
        """
        options = self.options
        if not len(rows.lines) and not problems.errors:
            problems.add("E318", "no trial, expected at least one", "Complete the file.", 1, 1)
        label = next((column for column, role in wanted.items() if role == LABEL), None)
        own = [""] * len(rows.lines) if label is None else [_word(value) or "" for value in rows.named[label]]
        words: Mapping[str, bool] = {}
        if label is not None:
            words, mistake = self._words(own, rows.lines)
            if mistake is not None:
                problems.add("E941", *mistake, 1)
                return Trials()
            kept = [row for row, word in enumerate(own) if word not in options.ignore]
            if len(kept) < len(own):
                rows, own = rows.some(kept), [own[row] for row in kept]
        columns, lines, at = rows.named, rows.lines, rows.at
        found: dict[str, list] = {}
        for name, role in wanted.items():
            found[role] = check_column(
                columns[name],
                name,
                self._kind(role, words),
                problems,
                at,
                may_lack=_is_no_value if options.may_lack and role == SCORE else None,
                most=MOST_PROBLEMS if role in (LABEL, SCORE) else math.inf,
            )
            if role == LABEL:
                _check_pair(own, columns[name], name, self.format, problems, at)
            elif role in IDS and options.suffixes:
                found[role] = [name and _without_suffix(name, options.suffixes) for name in found[role]]
        said = {(name,): _texts(columns[name]) for name in attributes}
        if not self.is_usual and label is not None:
            # a word of the trial's own class says nothing: bonafide as attack of a bona fide trial
            said = {
                name: [
                    None if value and value.casefold() in (word, *_OWN.get(is_target, ())) else value
                    for value, word, is_target in zip(values, own, found[LABEL], strict=True)
                ]
                for name, values in said.items()
            }
        whole, lines = sound_rows({**found, **said}, lines, found)
        own_columns = {role: whole[role] for role in found}
        return Trials(own_columns, {name: whole[(name,)] for name in attributes}, lines)

    def _kind(self, role: str, words: Mapping[str, bool]) -> Kind:
        """Return the kind of values of a column."""
        if role != LABEL:
            return _NUMBERS if role == SCORE else KINDS["id" if role in (*IDS, RUN) else role]
        expected = " or ".join(LABELS.get(self.format, (_TARGET,))[0])
        wrong = "{name} is not a label, expected {expected}"
        return Kind(lambda value: words.get(_word(value) or ""), "E941", wrong, expected, may_be_nan=True)

    def _words(self, own: Sequence[str], lines: Sequence[int]) -> tuple[dict[str, bool], tuple[str, str, int] | None]:
        """Return word -> whether it is that of targets, and a message with advice and line if that cannot be
        determined.
        """
        options, found = self.options, Counter(own)
        others = [word for word in found if word not in options.ignore]
        if options.target or options.nontarget:
            words = dict.fromkeys(options.target, True) | dict.fromkeys(options.nontarget, False)
            rest = [word for word in others if word not in words]
            if not options.target:
                words |= {word: True for word in rest if word in {pair[0] for pair in PAIRS}}
            elif not options.nontarget and len(rest) == 1:
                words[rest[0]] = False
            rest = [word for word in others if word not in words]
            if rest:
                return {}, (
                    f"label '{rest[0]}' ({counted(found[rest[0]], 'trial')}) is neither in target_label nor in "
                    "nontarget_label",
                    "Name it in nontarget_label, or leave its trials out with ignore_label.",
                    lines[own.index(rest[0])],
                )
            return words, None
        others = [word for word in others if word]  # an empty one is reported by itself
        for target, nontarget in PAIRS:
            if set(others) <= {target, nontarget}:
                return {target: True, nontarget: False}, None
        if _has_usual_words(others, self.format):
            return {word: word == pair[0] for pair in LABELS[self.format] for word in pair}, None
        counts = ", ".join(f"'{word}' ({n:,})" for word, n in found.most_common(MOST_LABELS))
        known = [pair for pair in PAIRS if set(pair) <= set(others)]
        if known and len(others) > 2:
            first, third = known[0][0], next(word for word in others if word not in known[0])
            advice = (
                f'Count them as non-targets (nontarget_label = ["{known[0][1]}", "{third}"]) or leave them out '
                f'(ignore_label = ["{third}"]).'
            )
            if any(third in pair for pair in known[1:] if not set(pair) & set(known[0])):
                advice = "A file has the words of one pair: correct the lines, or name each word with target_label, "
                advice += "nontarget_label or ignore_label."
            return {}, (
                f"the key has {len(others)} labels, {counts}; of '{third}' ({counted(found[third], 'trial')}) it "
                "is not known "
                f"what it is: '{first}' in line {lines[own.index(first)]} and '{third}' in line "
                f"{lines[own.index(third)]}",
                advice,
                lines[own.index(third)],
            )
        if set(others) <= _WORDS:
            rarest = found.most_common()[-1][0]
            return {}, (
                f"the labels are {counts}, words of two pairs, expected those of one pair",
                "Write the words of one pair in all lines, or name them with target_label and nontarget_label.",
                lines[own.index(rarest)],
            )
        return {}, (
            f"the labels are {counts}: which is the target",
            "Name them with target_label and nontarget_label.",
            lines[0] if lines else 1,
        )


_NUMBERS = Kind(
    KINDS[SCORE].read,
    "E308",
    "{name} is not a number, expected {expected}",
    "a real number",
    usual=usual_numbers,
    may_be_nan=True,
)


def _word(value: object) -> str | None:
    """Return the word of a label; None where it cannot be one."""
    value = plain(value)
    return str(value).strip().casefold() if isinstance(value, int | str) else None


def _texts(values: Sequence) -> list[str | None]:
    """Return the values of an attribute; None if missing."""
    return [None if is_missing(value) or str(value).strip() in ("", "-") else str(value).strip() for value in values]


def _is_no_value(value: object) -> bool:
    """Return whether a value means "unknown"."""
    return is_missing(value) or isinstance(value, str) and value.strip().lower() in ("-", "nan", "na", "none", "null")


def _without_suffix(name: str, suffixes: Sequence[str]) -> str:
    return name.removesuffix(next((suffix for suffix in suffixes if name.endswith(suffix)), ""))


def _has_usual_words(words: Collection[str], format_: str) -> bool:
    """Return whether labels are words of a format, or mistakes among these, and not those of another pair."""
    found, known = set(words) - {""}, {word for pair in LABELS.get(format_, ()) for word in pair}
    is_other = any(found <= set(pair) for pair in PAIRS) or found <= _WORDS
    return found <= known or bool(found & known) and not is_other


def _check_pair(
    own: Sequence[str], labels: Sequence, name: str, format_: str, problems: Problems, place: Place
) -> None:
    """Report labels of more than one pair of words of a format, with the first row of each."""
    pairs = LABELS.get(format_, ())
    number_of = {word: number for number, pair in enumerate(pairs) for word in pair}
    if len({number_of[word] for word in set(own) if word in number_of}) < 2:
        return
    first: dict[int, int] = {}  #: pair -> its first row
    for row, word in enumerate(own):
        first.setdefault(number_of.get(word, -1), row)
    first.pop(-1, None)
    said = []
    for row in (rows := list(first.values())[:2]):
        line, column = place(row, name)
        said.append(f"'{str(labels[row]).strip()}' in line {row + 1 if line is None else line}")
    problems.add(
        "E941",
        f"labels of two pairs of words, {' and '.join(said)}, expected those of one pair",
        f"Write all labels as {' or '.join(pairs[0])}.",
        line,
        column,
        labels[rows[1]],
    )


def _check_header(
    header: Sequence[str], form: Form, format_: str, problems: Problems, place: Place, options: Options
) -> None:
    """Report what is wrong with the names of the columns."""
    ids, value = form.chosen_ids(header), form.value(options)
    line, _ = place(-1, "")
    choices = " or ".join(", ".join(choice) for choice in form.ids)
    advice = "Add the column and its name in the header."
    missing = [] if value in header else [(f"missing column {value}, expected {choices} and {value}", advice)]
    if ids is None and missing:
        said = f"no header that names the trial and its {options.value}, expected {choices} and {value}"
        missing = [(said, f"Add the header; if the file is not {format_}, name its format: {', '.join(LABELS)}.")]
    elif ids is None:
        said = f"missing columns of the trial id, expected {choices}"
        missing = [(said, "Add the columns and their names in the header.")]
    if ids is None and value not in header:
        problems.add("E301", *missing[0], line, None if line is None else 1, ", ".join(header))
        return
    known = {*(ids or (name for choice in form.ids for name in choice)), form.label, form.score, *form.others}
    attributes = [name for name in header if name not in known] if options.is_key else []
    mistyped = check_header(
        header,
        sorted(known.union(attributes)),
        problems,
        lambda number: place(-1, header[number]),
        holder="scores have",
        advice="Remove it; the attributes of trials belong in the key.",
        likeness=0.7,
    )
    for said, advice in () if mistyped else missing:
        problems.add("E301", said, advice, line, None if line is None else 1, ", ".join(header))
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


# ---- which layout a file has


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
    table = None
    if usual is None and _format_of(first.split()) == "sre":
        usual = "sre"
    if usual == "sre" and not re.search("[,\t]", first) and (roles := FORMS["sre"].roles(first.split(), options)):
        given = tuple(roles[0].get(name, name if options.is_key else IGNORED[0]) for name in first.split())
        return Layout("sre", "between blanks", given, options, False, None, True)
    if usual in FORMS and (usual != "asvspoof" or "filename" in first.split("\t")):
        table = _form_layout(usual, path, options)
    if table is not None and (not texts or options == Options() and _is_usual_table(table, texts)):
        return table
    if not texts:
        return Layout(usual, "", (), options) if usual else _form_layout("tidy", path, options)
    rows = [text.split() for text in texts]
    n_field = len(rows[0])
    rows = [row for row in rows if len(row) == n_field]
    for number, places, advice in (
        (4, (2, 3), "speechbrain (label 3rd, score 4th), or another."),
        (3, (0, 2), "voxceleb (label first) or kaldi (label last)."),
    ):
        is_wanted = n_field == number and format_ in (None, "tidy") and (options.is_key or number == 4)
        if is_wanted and all(_is_digit(row[place]) for row in rows for place in places):
            named = " and ".join(str(place + 1) for place in places)
            said = f"fields {named} are 0 or 1 in every line: either may be the label"
            return said, f"Name the format: {advice}"
    other = _table(first, options) if format_ in (None, "tidy", "asvspoof") else None
    if other is not None or table is not None:
        return other or table  # type: ignore[return-value]  # one of them is there
    line = _line_of(rows, options, format_, has_pairs)
    if line is not None:
        is_usual = line.is_usual and options == Options()
        if is_usual and options.is_key:
            place = line.fields.index(LABEL)
            is_usual = _has_usual_words({row[place].casefold() for row in rows}, line.format)
        return Layout(line.format, line.name, line.fields, options, is_usual)
    if format_ is not None:
        return Layout(format_, "", (), options)
    words = {word.strip().casefold() for word in re.split("[,\\s]", first)}
    names = {name for known in HEADERS.values() for name in known}
    names |= {name for form in FORMS.values() for choice in form.ids for name in choice}
    if options.is_key and n_field > 1 and not words & names and "," not in first:
        return _no_layout(rows)
    return _form_layout("tidy", path, options)


def columns_layout(names: Sequence[str], options: Options) -> Layout | Mistake:
    """Return the layout of a table given as columns (Parquet, data frame)."""
    usual = _format_of(names)
    other = None if usual and options == Options() else _table("\t".join(names), options)
    return other or _form_layout(usual or "tidy", "", options)


def read_columns(columns: Mapping[str, Sequence], problems: Problems, options: Options) -> Trials:
    """Return the rows of a table given as columns; problems name rows, from 1, as lines."""
    layout = columns_layout(list(columns), options)
    if isinstance(layout, Layout):
        return layout.of_rows(column_rows(columns), problems)
    problems.add("E301", *layout, value=", ".join(columns))
    return Trials()


def _format_of(names: Sequence[str]) -> str | None:
    """Return the format of a table by the names of its columns, if it is one of `FORMS`."""
    given = {name.strip() for name in names}
    return next((name for name, form in FORMS.items() if any(next(iter(choice)) in given for choice in form.ids)), None)


def _form_layout(format_: str, path: str, options: Options) -> Layout:
    """Return the layout of a table with the columns of a form."""
    is_comma = format_ == "tidy" and not path.removesuffix(".gz").endswith((".tsv", ".tab"))
    return Layout(format_, "", (), options, delimiter="," if is_comma else "\t", has_header=True)


def _is_usual_table(table: Layout, texts: Sequence[str]) -> bool:
    """Return whether the first lines of a file are those of a table with the columns and labels of its form."""
    form, rows = FORMS[table.format], [text.split(table.delimiter) for text in texts]
    names = [name.strip().strip('"') for name in rows[0]]
    if set(names) & set(_OTHERS):
        return False
    if not table.options.is_key or form.label not in names or form.chosen_ids(names) is None:
        return table.format != "tidy" or any(name in names for choice in form.ids for name in choice)
    place = names.index(form.label)
    labels = {row[place].strip().strip('"').casefold() for row in rows[1:] if len(row) > place}
    return _has_usual_words(labels, table.format)


def _line_of(rows: _Lines, options: Options, format_: str | None, has_pairs: bool | None) -> Line | None:
    """Return what lines are: the first layout that all of them fit, or else the first line."""
    able = [
        line
        for line in LINES
        if len(line.fields) == len(rows[0]) and format_ in (None, line.format) and options.value in line.fields
    ]
    paired = [line for line in able if options.is_key or has_pairs in (None, "test_id" in line.fields)]
    for layouts, seen in ((paired, rows), (able, rows), (able, rows[:1])):
        for line in layouts:
            if line.fits(_known(seen, line, options)):
                return line
    return next((line for line in able if line.is_usual), None) if format_ is not None else None


def _known(rows: _Lines, line: Line, options: Options) -> _Lines:
    """Return rows with a known word in place of a label that the options name."""
    named = {
        **dict.fromkeys((*options.target, *options.nontarget, *options.ignore), "spoof"),
        **dict.fromkeys(options.target, "bonafide"),
    }
    if line.format in ("kaldi", "wespeaker") or line.fields[0] == "trial_id":
        named = {word: {"bonafide": "target", "spoof": "nontarget"}[known] for word, known in named.items()}
    if LABEL not in line.fields or not named:
        return rows
    place = line.fields.index(LABEL)
    return [[*row[:place], named.get(row[place].casefold(), row[place]), *row[place + 1 :]] for row in rows]


def _no_layout(rows: _Lines) -> Mistake:
    """Return a message about lines of a key in an unknown layout (its fields, the nearest layouts) and advice."""
    n_field, given = len(rows[0]), " ".join(rows[0])
    near = sorted((line for line in LINES if LABEL in line.fields), key=lambda line: abs(len(line.fields) - n_field))
    near = [line for line in near if abs(len(line.fields) - n_field) == abs(len(near[0].fields) - n_field)]
    forms = "; ".join(f"{line.format} ({line.name}): {' '.join(line.fields).upper()}" for line in near[:4])
    for line in near if len(near[0].fields) == n_field else ():
        found = Counter(row[line.fields.index(LABEL)].casefold() for row in rows)
        if 1 < len(found) <= MOST_LABELS and not any(map(_is_number, found)) and not found.keys() & _WORDS:
            counts = ", ".join(f"'{word}' ({n:,})" for word, n in found.most_common())
            return (
                f"{counted(n_field)} as in {line.format} ({line.name}), but the labels would be {counts}: '{given}'",
                "Name the words with target_label and nontarget_label; or the format, if it is another.",
            )
    return (
        f"{counted(n_field)}, and no layout has such lines: '{given}'. Next to it come {forms}",
        "Leave out what is too much, add what is missing, or give the file a header.",
    )


def _table(first: str, options: Options) -> Layout | Mistake | None:
    """Return the layout of a file with another header than those of `FORMS`."""
    delimiter = "\t" if "\t" in first else "," if "," in first else None
    names = [name.strip() for name in (first.split(delimiter) if delimiter else first.split())]
    if len(names) < 2 or any(_is_number(name) for name in names):
        return None
    value, wanted = options.value, options.label_column if options.is_key else options.score_column
    values = [name for name in names if name in HEADERS[value] or name in _OTHERS and value in name]
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
    elif {"spk", "filename"} <= set(names) and values[0] not in HEADERS[value]:
        roles |= {"spk": "trial_id", "filename": "test_id"}
    else:
        trial = next((name for name in HEADERS["trial_id"] if name in names), None)
        if trial is None:
            return None
        roles[trial] = "trial_id"
    # labels and scores of other tasks are not attributes
    others = (*_OTHERS, *HEADERS[LABEL], *HEADERS[SCORE])
    given = tuple(roles.get(name, IGNORED[0] if name in others else name) for name in names)
    return Layout("tidy", f"header {', '.join(names[:4])}", given, options, False, delimiter, True)
