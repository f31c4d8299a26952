"""Keys and scores of scored trials in the layouts of challenges and toolkits, recognised by their content.

A layout is a line of LINES (fields between blanks, no header) or a header with names of HEADERS. Files that
`scored_trials` reads (tidy, kaldi, voxceleb, sre, asvspoof 2019 and 5) do not come here.

    format       key                                                     scores
    asvspoof     2021 LA, DF, PA (8, 13, 12 fields), 5 (10; track 2: 5)  FILE SCORE; SPEAKER FILE SCORE LABEL
    kaldi        ENROL TEST LABEL, other words (tgt imp, 1 0, ...)       ENROL TEST SCORE
    wespeaker    ENROL TEST SCORE LABEL [four more scores]               the same file
    speechbrain  ENROL TEST 1|0 SCORE                                    the same file
    tidy         header with file, filename, utt, path ...; cm-label     the same names

Sources: asvspoof-challenge/2021, eval-package/config.py; ASVspoof 5 README and evaluation package;
wespeaker/bin/score.py; speechbrain, speaker_verification_cosine.py; VOiCES and CN-Celeb scripts.
"""

from array import array
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from tdtsql.errors import Problems, counted

from tdtsql.reader.scored_trials import (
    IDS,
    LABEL,
    LABELS,
    NUMBER,
    SCORE,
    TABLES,
    Trials,
    checked_rows,
    chosen_ids,
    delimiter_of,
    is_table,
    line_form,
)
from tdtsql.reader.text import numbered_lines, without_comments
from tdtsql.reader.scan import Rows, column_rows, field_rows, text_rows, whole_line

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
_WORDS = {word for pair in PAIRS for word in pair} - {"1", "0"}
#: words that are no value of an attribute, by class
_OWN = {"target": {pair[0] for pair in PAIRS} - {"1", "true"}, "nontarget": {"nontarget", "non-target"}}
#: so many words may be labels of an unknown file
MOST_LABELS = 6
#: what a field is that says nothing of a trial
_NONE = "-"
#: what is wrong with such a header, and advice
_UNNAMED = "the columns do not name the trial and its value", "Name them."
_Lines = Sequence[Sequence[str]]


def _all(place: int, holds: Callable[[str], object]) -> Callable[[_Lines], bool]:
    return lambda rows: all(holds(row[place]) for row in rows)


def _is_number(word: str) -> bool:
    return NUMBER.fullmatch(word) is not None


def _is_word(*words: str) -> Callable[[str], bool]:
    return lambda field: field.casefold() in words


_is_label = _is_word(*_WORDS)
_is_digit = _is_word("0", "1")


@dataclass(frozen=True, slots=True)
class _Line:
    """A layout of lines."""

    format: str
    name: str  #: as it is reported
    fields: tuple[str, ...]
    fits: Callable[[_Lines], bool]  #: of rows with so many fields


def _line(format_: str, name: str, fields: str, *fits: Callable[[_Lines], bool]) -> _Line:
    return _Line(format_, name, tuple(fields.split()), lambda rows: all(one(rows) for one in fits))


_2021 = "trim subset"
#: layouts that hold labels, in the order in which they are tried; SCORE is in the files that are scores too
LINES = (
    _line("voxceleb", "3 fields, label first", "label trial_id test_id", _all(0, _is_word(*_WORDS, "1", "0"))),
    _line("kaldi", "3 fields, label last", "trial_id test_id label", _all(2, _is_word(*_WORDS, "1", "0"))),
    _line(
        "wespeaker",
        "4 fields",
        "trial_id test_id score label",
        _all(2, _is_number),
        _all(3, _is_word("target", "nontarget")),
    ),
    _line("asvspoof", "5, scores of the baseline", "- trial_id score label", _all(2, _is_number), _all(3, _is_label)),
    _line("speechbrain", "4 fields", "trial_id test_id label score", _all(2, _is_digit), _all(3, _is_number)),
    _line(
        "asvspoof",
        "5 track 2, 5 fields",
        "trial_id test_id gender attack label",
        _all(2, _is_word("f", "m")),
        _all(4, _is_label),
    ),
    _line("asvspoof", "2019, 5 fields", "speaker trial_id environment attack label", _all(4, _is_label)),
    _line("wespeaker", "8 fields", "trial_id test_id score label - - - -", _all(2, _is_number), _all(3, _is_label)),
    _line(
        "asvspoof",
        "2021 CM, 8 fields",
        f"speaker trial_id codec trans attack label {_2021}",
        _all(5, _is_word("bonafide", "spoof")),
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
#: layouts that hold scores alone
SCORE_LINES = (
    _line("asvspoof", "2 fields", "trial_id score", _all(1, _is_number)),
    _line("kaldi", "3 fields, score last", "trial_id test_id score", _all(2, _is_number)),
)
#: names of columns: of the trial, of its label, of its score
HEADERS = {
    "trial_id": ("trial_id", "trial", "file", "filename", "utt", "utt_id", "path"),
    LABEL: ("label", "key", "cm-label"),
    SCORE: ("score", "cm-score"),
}
#: labels or scores of another task, which are not attributes
_OTHERS = ("asv-label", "asv-score", "sasv-score")


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

    @classmethod
    def of(cls, spec: Mapping[str, Any]) -> "Options":
        def words(key: str) -> tuple[str, ...]:
            value = spec.get(key, ())
            return (value,) if isinstance(value, str) else tuple(value)

        return cls(
            tuple(word.casefold() for word in words("target_label")),
            tuple(word.casefold() for word in words("nontarget_label")),
            tuple(word.casefold() for word in words("ignore_label")),
            spec.get("label_column"),
            spec.get("trial_column"),
            spec.get("score_column"),
            words("id_suffix"),
            spec.get("missing_scores") == "reject",
        )


@dataclass(frozen=True, slots=True)
class Layout:
    """How a file is read."""

    format: str
    name: str
    roles: tuple[str, ...]  #: of each field: of IDS, label, score, - or the name of an attribute
    is_header: bool
    delimiter: str | None  #: None: blanks
    options: Options
    is_key: bool

    def read(self, data: bytes, problems: Problems) -> Trials:
        """Return the trials of a key, or the scores of a file."""
        if self.is_header and self.delimiter:
            rows = text_rows(data, problems, self.delimiter)
        else:
            lines = (one for one in without_comments(numbered_lines(data, problems), problems) if one[1].strip())
            rows = field_rows(
                islice(lines, self.is_header, None),
                self.roles,
                problems,
                "E940",
                f"{len(self.roles)}: {self.format} ({self.name})",
                comment="",
                advice="Correct the line, or name the format of the file.",
                at=whole_line,
            )
        if rows is None:
            return Trials()
        if len(rows.columns) != len(self.roles):  # quotes in the header
            problems.add("E301", *_UNNAMED, rows.place(-1, 0)[0], 1, ", ".join(rows.header))
            return Trials()
        header = rows.header if self.is_header and self.delimiter else ()
        twice = next((number for number, name in enumerate(header) if name in header[:number]), None)
        if twice is not None:
            line, column = rows.place(-1, twice)
            said = "column occurs twice, expected every name once"
            problems.add("E303", said, "Remove one of the two columns.", line, column, header[twice])
        return self._checked(rows._replace(header=self.roles), problems)

    def of_columns(self, columns: Mapping[str, Sequence], problems: Problems) -> Trials:
        """Return the rows of a table given as columns (Parquet, data frame); problems name rows, from 1, as lines."""
        names = list(columns)
        found = _table("\t".join(names), self.options, is_key=self.is_key)
        if not isinstance(found, Layout):
            problems.add("E301", *(found or _UNNAMED), value=", ".join(names))
            return Trials()
        texts = [
            list(values) if role == SCORE else ["" if value is None else str(value) for value in values]
            for role, values in zip(found.roles, columns.values(), strict=True)
        ]
        return found._checked(column_rows(columns)._replace(header=found.roles, columns=texts), problems)

    def _checked(self, rows: Rows, problems: Problems) -> Trials:
        """Return rows with labels in the words of a tidy file, endings taken off, ignored trials left out."""
        lines = rows.lines
        named = {role: list(values) for role, values in rows.named.items() if role != _NONE}
        kept = list(range(len(lines)))
        own = [""] * len(lines)
        if LABEL in named:
            own = [word.strip().casefold() for word in named[LABEL]]
            words, mistake = self._words(own, lines)
            if mistake:
                problems.add("E941", *mistake, 1)
                return Trials()
            kept = [row for row in kept if own[row] not in self.options.ignore]
            named[LABEL] = [words.get(word, raw) for word, raw in zip(own, named[LABEL], strict=True)]
        for role in IDS:
            if role in named and self.options.suffixes:
                named[role] = [self._without_suffix(name) for name in named[role]]
        scores = {} if self.is_key else {SCORE, *IDS, LABEL}
        chosen = {
            role: [values[row] for row in kept]
            for role, values in named.items()
            if (role in scores if scores else role != SCORE)
        }
        for role in [name for name in chosen if name not in (*IDS, LABEL, SCORE)]:
            # a word of the trial's own class says nothing: bonafide as attack of a bona fide trial
            chosen[role] = [
                None if v.casefold() == own[row] or v.casefold() in _OWN.get(label, ()) else v
                for v, row, label in zip(chosen[role], kept, chosen.get(LABEL, own), strict=True)
            ]
        left = Rows(
            list(chosen),
            list(chosen.values()),
            array("q", (lines[row] for row in kept)),
            lambda row, number: rows.at(kept[row] if row >= 0 else row, list(chosen)[number]),
        )
        return checked_rows(left, problems, may_lack=self.options.may_lack)

    def _without_suffix(self, name: str) -> str:
        for suffix in self.options.suffixes:
            if name.endswith(suffix):
                return name.removesuffix(suffix)
        return name

    def _words(self, own: Sequence[str], lines: Sequence[int]) -> tuple[dict[str, str], tuple[str, str, int] | None]:
        """Return word -> target or nontarget, and a message with advice and line if that cannot be determined."""
        options, found = self.options, Counter(own)
        others = [word for word in found if word not in options.ignore]
        if options.target or options.nontarget:
            words = dict.fromkeys(options.target, "target") | dict.fromkeys(options.nontarget, "nontarget")
            rest = [word for word in others if word not in words]
            if not options.target:
                words |= {word: "target" for word in rest if word in {pair[0] for pair in PAIRS}}
            elif not options.nontarget and len(rest) == 1:
                words[rest[0]] = "nontarget"
            rest = [word for word in others if word not in words]
            if rest:
                return {}, (
                    f"label '{rest[0]}' ({found[rest[0]]:,} trials) is neither in target_label nor in nontarget_label",
                    "Name it in nontarget_label, or leave its trials out with ignore_label.",
                    lines[own.index(rest[0])],
                )
            return words, None
        for target, nontarget in PAIRS:
            if set(others) <= {target, nontarget}:
                return {target: "target", nontarget: "nontarget"}, None
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
                f"the key has {len(others)} labels, {counts}; of '{third}' ({found[third]:,} trials) it is not known "
                f"what it is: '{first}' in line {lines[own.index(first)]} and '{third}' in line "
                f"{lines[own.index(third)]}",
                advice,
                lines[own.index(third)],
            )
        return {}, (
            f"the labels are {counts}: which is the target",
            "Name them with target_label and nontarget_label.",
            lines[0] if lines else 1,
        )


def find_layout(
    lines: Sequence[str],
    options: Options,
    *,
    is_key: bool,
    format_: str | None = None,
    has_pairs: bool | None = None,
) -> Layout | tuple[str, str] | None:
    """Return the layout of a file by its first lines; (message, advice) where it is ambiguous, or where its lines fit
    none; None where it may be a table whose header is wrong.

    Args:
        format_: as named; None: any.
        has_pairs: of scores: whether the key names trials by two ids; None: not known.
    """
    texts = [line for line in lines if line.strip() and not line.startswith("#")]
    if not texts:
        return None
    rows = [text.split() for text in texts]
    n_field = len(rows[0])
    rows = [row for row in rows if len(row) == n_field]
    if n_field == 4 and format_ is None and all(_is_digit(row[2]) and _is_digit(row[3]) for row in rows):
        return (
            "fields 3 and 4 are 0 or 1 in every line: either may be the label",
            "Name the format: speechbrain (label 3rd, score 4th), or another.",
        )
    if n_field == 3 and format_ is None and is_key and all(_is_digit(row[0]) and _is_digit(row[2]) for row in rows):
        return (
            "fields 1 and 3 are 0 or 1 in every line: either may be the label",
            "Name the format: voxceleb (label first) or kaldi (label last).",
        )
    table = _table(texts[0], options, is_key=is_key) if format_ in (None, "tidy", "asvspoof") else None
    if table is not None:
        return table
    for line in (*LINES, *(() if is_key else SCORE_LINES)):
        is_pair = "test_id" in line.fields
        if len(line.fields) != n_field or format_ not in (None, line.format):
            continue
        if not is_key and (SCORE not in line.fields or has_pairs is not None and has_pairs != is_pair):
            continue
        if line.fits(_known(rows, line, options)):
            return Layout(line.format, line.name, line.fields, False, None, options, is_key)
    words = {word.strip().casefold() for word in texts[0].replace(",", "\t").replace("\t", " ").split()}
    is_header = words & {name for names in HEADERS.values() for name in names} or any(
        choice.keys() & words for form in TABLES.values() for choice in form.ids
    )
    return (
        _no_layout(rows)
        if is_key and format_ is None and n_field > 1 and not is_header and "," not in texts[0]
        else None
    )


def _known(rows: _Lines, line: _Line, options: Options) -> _Lines:
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


def _no_layout(rows: _Lines) -> tuple[str, str]:
    """Return a message about lines of a key in an unknown layout (its fields, the nearest layouts) and advice."""
    n_field, given = len(rows[0]), " ".join(rows[0])
    near = sorted(LINES, key=lambda line: abs(len(line.fields) - n_field))
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


def _table(first: str, options: Options, *, is_key: bool) -> Layout | tuple[str, str] | None:
    """Return the layout of a file with a header."""
    delimiter = "\t" if "\t" in first else "," if "," in first else None
    names = [name.strip() for name in (first.split(delimiter) if delimiter else first.split())]
    if len(names) < 2 or any(_is_number(name) for name in names):
        return None
    value, wanted = (LABEL, options.label_column) if is_key else (SCORE, options.score_column)
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
    given = [roles.get(name, _NONE if name in (*_OTHERS, *HEADERS[LABEL], *HEADERS[SCORE]) else name) for name in names]
    return Layout("tidy", f"header {', '.join(names[:4])}", tuple(given), True, delimiter, options, is_key)


def columns_layout(options: Options, *, is_key: bool) -> Layout:
    """Return a layout whose roles follow from the names of the columns when they are read."""
    return Layout("tidy", "columns", (), True, "\t", options, is_key)


def has_other_words(labels: Sequence[object]) -> bool:
    """Return whether labels are words of a known pair, and not those of a tidy file."""
    found = {str(label).strip().casefold() for label in labels}
    return not found <= LABELS["tidy"].keys() and any(found <= set(pair) for pair in PAIRS)


def is_usual(lines: Sequence[str], format_: str, path: str, *, is_key: bool) -> bool:
    """Return whether `scored_trials` reads a file of a format with these first lines."""
    texts = [line for line in lines if line.strip() and not line.startswith("#")]
    if not texts or format_ not in LABELS:
        return not texts
    is_header = is_table(format_, texts[0])
    if is_header:
        delimiter = delimiter_of(format_, path)
        names = [name.strip().strip('"') for name in texts[0].split(delimiter)]
        if set(names) & set(_OTHERS):
            return False
        if not is_key or TABLES[format_].label not in names or chosen_ids(names, format_) is None:
            return (
                bool(set(names) & {*(name for choice in TABLES[format_].ids for name in choice)}) or format_ != "tidy"
            )
        place, rows = names.index(TABLES[format_].label), [text.split(delimiter) for text in texts[1:]]
    else:
        n_field = len(texts[0].split())
        fields = line_form(format_, n_field, is_key=is_key)
        if fields is None:
            return False
        if not is_key:
            return SCORE in fields and (LABEL not in fields or n_field != 4 or texts[0].split()[2].casefold() in _WORDS)
        place, rows = fields.index(LABEL), [text.split() for text in texts]
    found = {row[place].strip().strip('"').casefold() for row in rows if len(row) > place} - {""}
    if not found or found <= LABELS[format_].keys():
        return True
    is_other = any(found <= set(pair) for pair in PAIRS) or (len(found) > 2 and found <= _WORDS)
    return bool(found & LABELS[format_].keys()) and not is_other
