"""Keys and scores of detection trials: rows of files to one temporary table, by the layout of the first of them.

Ids are texts as they are written. Infinite scores are scores.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_literal
from tdtsql.errors import Problems, not_none
from tdtsql.files.checks import execute
from tdtsql.files.find import Inputs
from tdtsql.files.json_lines import (
    is_json_lines,
)
from tdtsql.files.kinds import ID, KINDS, Kind
from tdtsql.files.lines import Source, Text
from tdtsql.files.rows import Form, Part, Rows, finish, first_wrong, line_part, scan
from tdtsql.files.table import (
    Columns,
    MOST_COLUMNS,
    Places,
    check_header,
    empty_files,
    is_parquet,
    read_parts,
    reading,
    renaming,
)
from tdtsql.files.text import first_lines
from tdtsql.load.trial_layouts import (
    ATTRIBUTE,
    DECISION,
    IDS,
    LABEL,
    LABELS,
    PAIRS,
    RUN,
    SCORE,
    Layout,
    Mistake,
    Options,
    columns_layout,
    find_layout,
    no_line,
)

#: problems of a field that are reported one by one
_MOST = 1000


def layout_of(
    files: Sequence[Source], options: Options, format_: str | None, *, has_pairs: bool | None = None
) -> Layout | Mistake:
    """Return the layout of files by the first lines of the first of them; (message, advice) where it is ambiguous."""
    given, source = files[0] if files else ("", None)
    is_lines = isinstance(source, Path) and not is_parquet(given) and not is_json_lines(given)
    lines = first_lines(source, 100) if is_lines else []  # type: ignore[arg-type]  # it is a path
    return find_layout(lines, options, path=given, format_=format_, has_pairs=has_pairs)


@dataclass(slots=True)
class Trials:
    """Trials of a key, or scores, of some files: a temporary table in their order, with a column for each field
    of IDS, label, score, decision and run_id, and for each attribute. Labels and attributes are as they are written:
    there are few different ones, which are converted when they are counted.
    """

    rows: Rows
    paths: list[str]
    layout: Layout
    labels: dict[str, bool] = field(default_factory=dict)  #: label as it is written -> whether it is that of targets
    attributes: dict[str, str] = field(default_factory=dict)  #: attribute -> column

    def has(self, name: str) -> bool:
        """Return whether files have ids of this kind, labels, scores, decisions or names of runs."""
        return name in self.rows.form.fields

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(filter(self.has, IDS))

    @property
    def targets(self) -> list[str]:
        """The labels of targets."""
        return [label for label, is_target in self.labels.items() if is_target]

    @property
    def relation(self) -> str:
        """The rows of the temporary view ``trial_row``: file, line, trial_id, test_id, side, label, is_target, score,
        is_yes, run_id (NULL: not given), and attribute_values: those of all attributes, with NUL between.
        """
        types = {SCORE: "double", DECISION: "boolean"}
        own = {
            role: role if self.has(role) else f"cast(null as {types.get(role, 'varchar')})"
            for role in (*IDS, LABEL, SCORE, DECISION, RUN)
        }
        cases = "when ends_with({0}, {1}) then left({0}, -{2})"
        for role in self.ids if self.layout.options.suffixes else ():
            suffixes = [suffix for suffix in self.layout.options.suffixes if suffix]
            said = " ".join(cases.format(role, sql_literal(suffix), len(suffix)) for suffix in suffixes)
            own[role] = f"case {said} else {role} end" if said else role
        is_target = "cast(null as boolean)"
        if self.has(LABEL):
            is_target = f"coalesce(label in ({_listed(self.targets)}), false)"
        values = ", ".join(f"coalesce({column}, '')" for column in self.attributes.values())
        where = f"where label in ({_listed(self.labels)})" if self.layout.options.ignore and self.has(LABEL) else ""
        return f"""(
            select file, line, {", ".join(f"{own[role]} as {role}" for role in IDS)}, {own[LABEL]} as label,
                {is_target} as is_target, {own[SCORE]} as score,
                {own[DECISION]} as is_yes, {own[RUN]} as run_id,
                {f"concat_ws(chr(0), {values})" if values else "''"} as attribute_values
            from {self.rows.table} {where})"""

    def view(self) -> None:
        """Create the temporary view."""
        self.rows.engine.execute(f"create or replace temp view trial_row as from {self.relation}")


def _listed(words: Iterable[str]) -> str:
    return ", ".join(map(sql_literal, words)) or "null"


def read_trials(engine: Engine, inputs: Inputs, files: Sequence[Source], layout: Layout | Mistake, kind: str) -> Trials:
    """Return the trials of files, or of columns, of one layout; every problem goes to ``inputs``, a layout that could
    not be determined too (E940).
    """
    paths = [given for given, _ in files]
    if not isinstance(layout, Layout):
        inputs.add("E940", paths[0], *layout, 1)
        layout, files = Layout("tidy", Options()), ()
    reader = _Reader(engine, inputs, layout, kind)
    with reading(files):
        are_lines = layout.delimiter is None
        for part in read_parts(
            engine,
            inputs,
            files,
            kind,
            reader.of_columns,
            reader.of_lines,
            lambda given: are_lines and not is_json_lines(given),
            delimiter=layout.delimiter or "",
        ):
            reader.parts.append(part)
        return reader.trials(paths)


@dataclass
class _Reader:
    """The parts of the files of a call; all have the columns of the first."""

    engine: Engine
    inputs: Inputs
    layout: Layout
    kind: str
    parts: list[Part] = field(default_factory=list)
    fields: dict[str, str] = field(default_factory=dict)  #: field of the form -> column
    attributes: dict[str, str] = field(default_factory=dict)  #: attribute -> field of the form
    first: str = ""  #: the path of that file

    def of_columns(self, columns: Columns) -> Part | None:
        """Return the rows of a table; None after reporting what is wrong with its columns."""
        names, problems, layout = columns.names, columns.problems, self.layout
        places = columns.places
        if not columns.is_delimited:
            found, places = columns_layout(names, layout.options), [(None, None)] * len(names)
            if not isinstance(found, Layout):
                problems.add("E301", *found, value=", ".join(names))
                return None
            layout = found
            if not self.parts:
                self.layout = layout
        fields = self._fields(layout, names, problems, places)
        return columns.part(self._kinds(fields), fields, has_same_keys=True).renamed(fields) if fields else None

    def of_lines(self, text: Text) -> Part | None:
        """Return lines of fields between blanks; None after reporting why they have no rows."""
        layout = self.layout
        is_line = (row for row in text.head() if row[1].strip() and not row[1].lstrip().startswith("#"))
        line, first = next(is_line, (0, ""))
        names = first.split()
        if layout.line is not None:
            names = list(layout.line.fields)
        elif layout.has_header:
            text.skip = text.header_line = line
            text.places = [(line, first.index(name) + 1) for name in names]
        elif not line:
            text.problems.add("E318", "no trial, expected at least one", "Complete the file.", 1, 1)
            return None
        else:
            text.problems.add("E940", *no_line(layout, first), line, 1, first.strip())
            return None
        fields = self._fields(layout, names, text.problems, text.places)
        form = Form("trials", dict.fromkeys(names, None), comment_line="#")
        numbers = {name: number for number, name in reversed(list(enumerate(names)))}
        return line_part(self.engine, [text], form, numbers, len(names)).renamed(fields) if fields else None

    def _fields(self, layout: Layout, names: Sequence[str], problems: Problems, places: Places) -> dict[str, str]:
        """Return field of the form -> column of a file; nothing after reporting what is wrong with its columns."""
        line, column = places[0] if layout.has_header and names else (None, None)
        roles = layout.roles(names)
        if isinstance(roles, tuple):
            problems.add("E301", *roles, line, column, ", ".join(names))
            return {}
        attributes = [name for name, role in roles.items() if role == ATTRIBUTE]
        if (header := layout.header) is not None:
            ids, value = header.chosen_ids(names), header.value(layout.options)
            wanted = {next(iter(header.ids[0])): ids, value: value in names}
            lacking = [name for name, is_there in wanted.items() if not is_there]
            known = {*(ids or (name for choice in header.ids for name in choice)), header.label, header.score}
            mistyped = len(lacking) < 2 and check_header(
                names,
                sorted(known.union(attributes, header.others)),
                problems,
                places,
                holder="scores have",
                advice="Remove it; the attributes of trials belong in the key.",
                likeness=0.7,
            )
            if lacking and not mistyped:
                choices = " or ".join(", ".join(choice) for choice in header.ids)
                said = f"missing column {' and '.join(lacking)}, expected {choices} and {value}"
                advice = (
                    f"Add it to the header; if the file is not {layout.format}, name its format: {', '.join(LABELS)}."
                )
                advice = renaming(lacking[0], names) or advice
                problems.add("E301", said, advice, line, column, ", ".join(names))
            if lacking:
                return {}
        elif layout.is_other:
            check_header(names, names, problems, places, holder="")
        odd = [name for name in attributes if not is_attribute_name(name)]
        for name in odd[:MOST_COLUMNS]:
            problems.add(
                "E942",
                f"an attribute needs {ATTRIBUTE_NAME}",
                "Rename the column.",
                *places[names.index(name)],
                name,
            )
        if len(odd) > MOST_COLUMNS:
            said = f"{len(odd) - MOST_COLUMNS} more columns with such names"
            problems.add("E942", said, "Is this the right file?", line)
        column_of = {role: name for name, role in roles.items()}
        fields = {role: column_of[role] for role in (*IDS, LABEL, SCORE, DECISION, RUN) if role in column_of}
        if not self.parts:
            self.fields, self.first = fields, problems.path
            self.attributes = {name: f"a{number}" for number, name in enumerate(attributes)}
        elif list(fields) != list(self.fields) or attributes != list(self.attributes):
            expected = [*self.fields, *self.attributes]
            problems.add(
                "E945",
                f"the columns are not those of {self.first}, expected {', '.join(expected)}",
                "Give all files the same columns in the same order.",
                1,
                value=", ".join([*fields, *attributes]),
            )
            return {}
        return fields | {self.attributes[name]: name for name in attributes}

    def _kinds(self, fields: Collection[str]) -> dict[str, Kind | None]:
        """Return the kinds of fields of the form."""
        score = KINDS["trial_score_or_none" if self.layout.options.may_lack else "trial_score"]
        known = {**dict.fromkeys((*IDS, RUN), ID), DECISION: KINDS["decision"], SCORE: score}
        return {name: known.get(name) for name in fields}

    def trials(self, paths: list[str]) -> Trials:
        """Check all parts, and make the table."""
        layout, line = self.layout, self.layout.line
        kinds = self._kinds([*self.fields, *self.attributes.values()])
        more: dict[str, Any] = {}
        if layout.delimiter is None and (line is not None or layout.has_header):
            n_field = next((part.n_cell for part in self.parts), 0)
            is_named = line is None or layout.name
            expected = f"{n_field}: {layout}" if is_named else not_none(line).shown
            more["width"] = ("E940", f"{{found}}, expected {expected}", "Correct the line.")
            more["width_at"] = _whole_line if is_named else first_wrong
        form = Form(
            "scored trials",
            kinds,
            absent=kinds,
            most=_MOST,
            columns=self.fields,
            **more,
        )
        rows = scan(self.engine, form, self.parts)
        trials = Trials(rows, paths, layout, attributes=self.attributes)
        if SCORE in kinds and layout.options.may_lack:
            self.engine.execute(f"delete from {rows.table} where isnan({SCORE})")
        for _, problems, _ in empty_files(rows):
            problems.add("E318", "no trial, expected at least one", "Complete the file.", 1, 1)
        if LABEL in kinds:
            _read_labels(trials, self.fields[LABEL])
        rows = finish(self.inputs, rows, self.kind)
        rows.keep(self.inputs)
        if not self.engine.value(f"""
                select coalesce(bool_and(file > before or file = before and line > line_before), true)
                from (select file, line, lag(file) over () as before, lag(line) over () as line_before
                    from {rows.table})
                where before is not null"""):
            self.engine.execute(f"create or replace temp table {rows.table} as from {rows.table} order by file, line")
        return trials


def _whole_line(text: str, width: int) -> tuple[int, str]:
    """Return column and text of a line that is reported as a whole."""
    return 1, text.strip()


ATTRIBUTE_NAME = "a name without = and comma and without blanks around it: subsets are called name=value"


def is_attribute_name(name: str) -> bool:
    """Return whether subsets can be called by an attribute of this name: name=value, and several of them between
    commas.
    """
    return bool(name) and not set(name) & set("=,") and name == name.strip()


# ---- labels


def _read_labels(trials: Trials, name: str) -> None:
    """Find which words are labels of targets, and report those that are not; their rows are left out."""
    rows, options, usual = trials.rows, trials.layout.options, LABELS.get(trials.layout.format, [])
    own = {
        "pairs": PAIRS,
        "usual": usual,
        "target": list(options.target),
        "nontarget": list(options.nontarget),
        "ignore": list(options.ignore),
        "name": name,
        "expected": " or ".join((usual or PAIRS)[0]),
    }
    execute(rows.engine, "verification/labels", own, "key_label")
    labels = "select label, is_target from key_label where is_target is not null order by file, line"
    trials.labels = dict(rows.engine.rows(labels))
    unknown = "is_odd or mistake is not null"
    if rows.engine.value(f"select count(*) filter ({unknown}) > 0 or count(distinct usual_no) > 1 from key_label"):
        for check in ("-named", "-third", "-words", "-unknown", "-pairs", ""):
            rows.check(f"verification/E941{check}", own)
        rows.engine.execute(
            f"delete from {rows.table} as trial using key_label as label where ({unknown}) "
            "and label.file = trial.file and label.label is not distinct from trial.label"
        )
    rows.engine.execute("drop table key_label")
