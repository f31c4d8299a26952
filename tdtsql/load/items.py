"""Files of scores of items: rows of run, item, measure, epoch, score, and attributes of the item.

A table (CSV, TSV, Parquet, columns, JSON lines of one object a row) and the lines of trec_eval and ir_measures are
split and checked by SQL. Of the logs of other programs a function makes such rows: texts, checked by the same form.

Code   Meaning
E960   not a score: a text, a list, infinite, or beyond 1e12
W969   a table of samples of several evaluations
E964   an unknown name in group, cluster, weight or attributes; an invalid name of an attribute; too many attributes
E968   a file that matches no format, or several; a log of Inspect
E969   a line that does not match its format
E970   an invalid name of a measure: empty, not printable, or longer than 200 bytes
E971   an epoch that is not a whole number
E972   a file of lm-evaluation-harness whose name does not contain the task

Sources: trec_eval 9.0.8, m_format.c and `trec_eval.c` (output of -q); ir_measures 0.3, `__main__.py`;
lm-evaluation-harness 0.4.13, `loggers/evaluation_tracker.py` (save_results_samples); inspect_ai 0.3.285, `log/_log.py`
(EvalSample) and `analysis` (samples_df); Every Eval Ever, instance_level_eval schema 0.2.
"""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_literal
from tdtsql.errors import Problems
from tdtsql.files.checks import execute, report_all
from tdtsql.files.find import Inputs
from tdtsql.files.frame import Frame
from tdtsql.files.json_lines import is_json_lines, json_objects
from tdtsql.files.kinds import KINDS, TEXT, value_sql
from tdtsql.files.lines import Source, Text, lines
from tdtsql.files.rows import Form, Part, Rows, cell_part, finish, line_part, scan
from tdtsql.files.table import (
    Columns,
    empty_files,
    is_parquet,
    renaming,
    parquet_names,
    read_parts,
    reading,
)
from tdtsql.files.text import first_lines
from tdtsql.load.forms import FORMS
from tdtsql.load.trials import ATTRIBUTE_NAME, is_attribute_name

#: kind of file of a list of items
ITEMS = "list of items"
#: the measure of a file that names none
SCORE = "score"
#: maximum columns that are attributes
MOST_ATTRIBUTES = 1000
#: program -> the fields of its samples
LOGS = {
    "lm_eval": ("item_id", "measure", "score", "content", "prompt"),
    "inspect": ("item_id", "measure", "score", "epoch", "error"),
    "every_eval_ever": ("item_id", "measure", "score", "run_id", "epoch", "error", "content", "evaluation_name"),
}
#: formats whose files are no tables
LINES = ("trec_eval", "ir_measures", *LOGS)


@dataclass(frozen=True, slots=True)
class ItemColumns:
    """What a bundle says of how files are read."""

    item: str = "item_id"
    epoch: str = "epoch"
    scores: tuple[str, ...] = ()  #: columns or keys that hold scores, each a measure of its name
    #: columns that say something of an item, in JSON paths; None: all that have no other meaning
    attributes: tuple[str, ...] | None = None


@dataclass(slots=True)
class Samples:
    """The samples of some files, in the view ``items_row`` of a temporary table: file, line, run_id, item_id, measure,
    epoch, score (NULL: the sample has none), is_error, content (hash of the item's text), prompt (hash of the prompt),
    and a column for each attribute.
    """

    rows: Rows
    paths: list[str]
    attributes: dict[str, str] = field(default_factory=dict)  #: attribute -> column


# ---- formats


def formats_of(files: Sequence[Source]) -> list[str]:
    """Return the formats that run files fit, by the first of them."""
    for given, source in files[:1]:
        if isinstance(source, Frame):
            return ["inspect" if _is_sample_table(list(source.types())) else "tidy"]
        if is_parquet(given):
            return ["inspect" if _is_sample_table(parquet_names(source)) else "tidy"]
        first = next((line.rstrip("\r\n") for line in first_lines(Path(str(source)), 1) if line.strip()), "")
        if first.lstrip().startswith("{"):
            return _formats_of_json(first)
        if _is_table(given):
            return ["inspect" if _is_sample_table(re.split("[\t,]", first)) else "tidy"]
        return _formats_of_line(first)
    return ["tidy"]


def _is_json(given: str, path: Path) -> bool:
    """Return whether a text is JSON lines, by its name or its first line."""
    return is_json_lines(given) or (
        not _is_table(given) and any(line.lstrip().startswith("{") for line in first_lines(path, 1))
    )


def _is_table(given: str) -> bool:
    """Return whether the name of a file says that it is a table with a header."""
    return given.removesuffix(".gz").endswith((".csv", ".tsv", ".tab", ".parquet"))


def _is_sample_table(names: Sequence[str]) -> bool:
    """Return whether a table is one of samples of Inspect, as its ``samples_df`` gives it."""
    return {"id", "epoch"} <= set(names) and any(name.startswith("score_") for name in names)


#: names of measures of ir_measures, with parameters and cutoff, and of trec_eval
_IR_MEASURE = re.compile(
    r"(AP|BPM|Bpref|Compat|DCG|ERR|ERR_IA|Accuracy|Count|INSQ|INST|IPrec|infAP|Judged|NERR\d+|NRBP|nDCG|nERR|nERR_IA|"
    r"nNRBP|NumQ|NumRel|NumRet|P|P_IA|QDCG|R|RBP|Rprec|RR|SDCG|SetAP|SetF|SetJudged|SetP|SetR|STREC|Success|alpha_DCG|"
    r"alpha_nDCG|MAP|MRR|nrbp|AP_IA|AUPRC|BPref)(\([^()]*\))?(@[\d.]+)?"
)
_TREC_MEASURE = re.compile(
    r"(gm_)?map|Rprec|R_prec|(gm_)?bpref|recip_rank|R?ndcg(_rel)?|infAP|11pt_avg|binG|G|utility|relstring|Q0|"
    r"(P|recall|map_cut|ndcg_cut|success|relative_P|Rprec_mult|iprec_at_recall|set|num|yaap|prefs)_\S+"
)
_NUMBER = re.compile(r"[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?|nan", re.IGNORECASE)


def _formats_of_line(line: str) -> list[str]:
    """Return the formats of three fields: measure, topic, value, or topic, measure, value."""
    fields = line.split("\t") if line.count("\t") == 2 else line.split()
    if len(fields) != 3:
        return []
    first, second, value = (text.strip() for text in fields)
    if first == "runid":
        return ["trec_eval"]
    if not _NUMBER.fullmatch(value):
        return []
    if fields[0] != fields[0].rstrip():  # padded
        return ["trec_eval"]
    return ["trec_eval"] * bool(_TREC_MEASURE.fullmatch(first)) + ["ir_measures"] * bool(
        _IR_MEASURE.fullmatch(second) or _TREC_MEASURE.fullmatch(second)
    )


def _formats_of_json(line: str) -> list[str]:
    try:
        keys = json.loads(line)
        is_row = isinstance(keys, dict)
    except (ValueError, RecursionError):  # truncated, or several lines of JSON: use the keys in the text
        keys, is_row = dict.fromkeys(re.findall(r'"(\w+)"\s*:', line)), False
    if not isinstance(keys, dict):
        return []
    wanted = {
        "lm_eval": ("doc_id",),
        "inspect": ("epoch", "scores"),
        "every_eval_ever": ("schema_version", "evaluation"),
    }
    return [name for name, names in wanted.items() if all(key in keys for key in names)] or (
        ["tidy"] if is_row and "results" not in keys else []
    )


def is_zip(path: Path) -> bool:
    """Return whether a file is a ZIP archive, as a log of Inspect is."""
    with open(path, "rb") as stream:
        return stream.read(4) == b"PK\x03\x04"


def report_format(inputs: Inputs, given: str, path: Path, found: Sequence[str], known: Sequence[str]) -> None:
    """Report a file that fits no format, or several (E968)."""
    head = "" if is_zip(path) else "\n".join(first_lines(path, 40))
    said = f"the file fits {' and '.join(found)}" if found else "the file is of no format that is known"
    if is_zip(path) or '"samples"' in head and '"eval"' in head:
        said = "a log of Inspect, expected its samples as JSON lines"
        advice = (
            "Write them in Python: from inspect_ai.log import read_eval_log; open('samples.jsonl', 'w').writelines("
            f"sample.model_dump_json() + '\\n' for sample in read_eval_log({given!r}).samples)"
        )
    elif head.lstrip().startswith("["):
        advice = f"Write its elements as JSON lines: `jq -c '.[]' {given} > {Path(given).stem}.rows.jsonl`."
    elif '"results"' in head:
        advice = (
            "The results of lm-evaluation-harness have no samples: give its samples_TASK_DATE.jsonl (--log_samples)."
        )
    else:
        advice = (
            f'Say format = "..." of the run: {", ".join(known)}. '
            "Tables are .csv, .tsv, .parquet, or JSON lines with item_id and score."
        )
    inputs.add("E968", given, said, advice, 1, next(filter(None, map(str.strip, head.splitlines())), None))


# ---- samples


def read_samples(
    engine: Engine, inputs: Inputs, files: Sequence[Source], format_: str, columns: ItemColumns, kind: str
) -> Samples:
    """Read files of samples; every problem goes to ``inputs``.

    Args:
        kind: what the files are registered as.
    """
    reader = _Reader(engine, inputs, format_, columns, kind)
    with reading(files):
        reader.read(files)
        return reader.samples([given for given, _ in files])


def read_list(engine: Engine, inputs: Inputs, files: Sequence[Source], weight: object) -> list[str]:
    """Put the rows of files of items into the tables of `make_items`; return the names of attributes."""
    reader = _Reader(engine, inputs, "tidy", ItemColumns(), ITEMS, str(weight) if weight else None)
    reader.read(files)
    repeated = ("E973", "the item is already in {earlier}, expected once", "Keep one of the two.")
    form = replace(reader.form, key=("item_id",), repeated=repeated, repeated_at="item_id")
    rows = scan(engine, form, reader.parts)
    if not engine.value(f"select count(*) from {rows.table}"):
        for _, problems, _ in empty_files(rows):
            problems.add("E973", "no item below the header, expected at least one", "Complete the file.", 1)
    finish(inputs, rows, ITEMS)
    engine.execute(f"create or replace temp view items_row as from {rows.table}")
    make_items(engine, reader.attributes)
    return [*reader.attributes]


def make_items(engine: Engine, attributes: Mapping[str, str]) -> None:
    """Make tables of the items in the view ``items_row``: ``items_once``, and ``items_value`` with their attributes
    (name -> column).
    """
    named = [(column, name) for name, column in attributes.items()]
    engine.make_rows("items_field", ("field varchar", "attribute varchar"), [*named, ("content", "")])
    for table in ("items_once", "items_value"):
        execute(engine, f"items/{table}", {}, table)


@dataclass
class _Reader:
    """The parts of the files of a call, and the fields that these have."""

    engine: Engine
    inputs: Inputs
    format: str
    columns: ItemColumns
    kind: str
    weight: str | None = None  #: of a file of items: the column of weights
    parts: list[Part] = field(default_factory=list)
    measures: dict[tuple[str, str | None], list[int]] = field(default_factory=dict)  #: field, measure of it -> files
    attributes: dict[str, str] = field(default_factory=dict)  #: attribute -> field
    scores: dict[str, str] = field(default_factory=dict)  #: column of scores -> field
    width: tuple[str, str, str] = FORMS["samples"].width

    @property
    def is_inspect(self) -> bool:
        return self.format == "inspect"

    @property
    def form(self) -> Form:
        """The form of the files that were read so far."""
        known, score = FORMS["samples"], KINDS["graded_score" if self.is_inspect else "item_score"]
        more = dict.fromkeys(self.scores.values(), score) | dict.fromkeys(self.attributes.values(), TEXT)
        return replace(
            known,
            fields={**known.fields, **more},
            optional=[*known.optional, *more],
            absent=[*known.absent, *more],
            width=self.width,
        )

    def read(self, files: Sequence[Source]) -> None:
        """Take in files."""
        self.parts = [
            *read_parts(
                self.engine,
                self.inputs,
                files,
                self.kind,
                self._of_columns,
                self._of_log if self.format in LOGS else self._of_fields,
                lambda given: self.format in LINES and not _is_table(given),
                is_json=_is_json,
                code="E969",
            )
        ]

    def _of_columns(self, table: Columns) -> Part | None:
        """Return the rows of a table; None after reporting that its columns are not those of samples."""
        fields = self._roles(table)
        if fields is None:
            return None
        part, [file] = table.part(self.form.fields, fields), [table.file]
        measures = {own: column for column, own in self.scores.items() if own in fields}
        if self.is_inspect:
            self._prepare_inspect(part, fields, measures)
        for own, column in measures.items():
            measure = column.removeprefix("score_") if self.is_inspect else column
            self.measures.setdefault((own, None if "measure" in fields else measure), []).append(file)
        return part.renamed(fields)

    def _prepare_inspect(self, part: Part, fields: dict[str, str], scores: dict[str, str]) -> None:
        """Leave out columns whose scores are objects, after reporting them; samples of several evaluations are runs."""
        [problems] = part.files.values()
        for name, column in list(scores.items()):
            line = self.engine.value(
                f"select min(line) from {part.sql} where starts_with(ltrim({part.cells[column]}), '{{')"
            )
            if line is not None:
                own = [other for other in scores.values() if other != column]
                problems.add(
                    "E960",
                    f"column {column} holds objects (JSON), not scores",
                    f"Name the columns of scores, score = {json.dumps(own)} of the run, or write the samples as JSON "
                    "lines: they have a measure for each key.",
                    line,
                    value=column,
                )
                del scores[name], fields[name]
        if "eval_id" in part.cells and "run_id" not in fields:
            n_run = self.engine.value(f"select count(distinct {part.cells['eval_id']}) from {part.sql}")
            if n_run > 1:
                fields["run_id"] = "eval_id"
                said = f"the table has the samples of {n_run} evaluations, and each eval_id is a run"
                problems.add("W969", said, "If they are one run, give each evaluation a file.", value="eval_id")

    def _roles(self, table: Columns) -> dict[str, str] | None:
        """Return what the columns of a table are, field -> column; None after reporting columns that are missing, or
        repeated.
        """
        chosen, names, problems, line = self.columns, table.names, table.problems, table.line
        roles = {"item_id": chosen.item, "epoch": chosen.epoch, "run_id": "run_id", "measure": "metric"}
        scores = list(chosen.scores) or [SCORE]
        if self.kind == ITEMS:
            roles = {"item_id": "item_id"} | ({"weight": self.weight} if self.weight else {})
            scores = []
        elif self.is_inspect:
            roles = {"item_id": "id", "epoch": "epoch", "error": "error"}
            scores = list(chosen.scores) or [
                name
                for name in names
                if name.startswith("score_")
                and re.sub("_(answer|explanation|metadata)$", "", name) not in set(names) - {name}
            ]
        wanted = [roles[name] for name in ("item_id", "weight") if name in roles] + scores
        if not _has_columns(names, wanted, problems, line):
            return None
        fields = {name: column for name, column in roles.items() if column in names}
        fields |= {self.scores.setdefault(column, f"score_{len(self.scores)}"): column for column in scores}
        if self.is_inspect:
            attributes = {
                path.rpartition(".")[2]: column
                for path in chosen.attributes or ()
                for column in (path.replace(".", "_"), path)
                if column in names
            }
        else:
            possible = names if chosen.attributes is None else chosen.attributes
            used = set(fields.values())
            attributes = {name: name for name in possible if name in names and name not in used and not _is_index(name)}
        for name, column in attributes.items():
            if not is_attribute_name(name):
                said, advice = (
                    f"an attribute needs {ATTRIBUTE_NAME}",
                    "Rename the column, or name attributes in the bundle.",
                )
                problems.add("E964", said, advice, line, value=name)
            fields[self.attributes.setdefault(name, f"a{len(self.attributes)}")] = column
        return fields

    def _of_fields(self, text: Text) -> Part:
        """Return the rows of trec_eval -q (measure, topic, value) or of ir_measures -q (topic, measure, value)."""
        is_trec = self.format == "trec_eval"
        first = next((said for _, said in text.head() if said.strip()), "")
        form = replace(FORMS[self.format], separator="\t" if first.count("\t") == 2 else "")
        self.width = form.width
        part = line_part(self.engine, [text], form)
        part.cells = {name: value_sql("stripped", cell) for name, cell in part.cells.items()}
        measure, topic, value = (part.cells[name] for name in ("measure", "item_id", "score"))
        runs = self.engine.rows(
            f"select {value}, min(line) from {part.sql} where {measure} = 'runid' group by 1 order by 2"
        )
        if is_trec and len(runs) > 1:
            said = f"the file has {len(runs)} runs, first {runs[0][0]}, expected one"
            text.problems.add("E969", said, "Write a file for each run.", runs[1][1], value=runs[1][0])
        left_out = f"coalesce({topic}, '') = 'all'" + (f" or {measure} = 'runid'" if is_trec else "")
        part.sql = f"(select * from {part.sql} where not ({left_out}))"
        if is_trec and runs:
            part.cells = {**part.cells, "run_id": sql_literal(runs[0][0])}
            part.numbers = {**part.numbers, "run_id": 2}
        return self._scored(text, part, {name: name for name in part.cells if name != SCORE})

    def _scored(self, text: Text, part: Part, fields: dict[str, str]) -> Part:
        """Return a part of some fields whose rows say the measure of their score."""
        own = self.scores.setdefault(SCORE, "score_0")
        self.measures.setdefault((own, None), []).append(text.file)
        return part.renamed({**fields, own: SCORE})

    def _of_log(self, text: Text) -> Part | None:
        """Return the rows of the log of a program: ``sql/load/item_log`` makes rows of its objects, and checks them."""
        engine, objects, path = self.engine, json_objects(text, "E969"), PurePath(text.given.removesuffix(".gz"))
        stem = path.name.removesuffix(".jsonl").removesuffix(".json").removeprefix("samples_")
        for line, _ in objects:
            if self.format == "lm_eval" and not path.name.startswith("samples_"):
                said = "the name of the file does not tell the task, expected samples_TASK_DATE.jsonl"
                text.problems.add("E972", said, "Call the file as lm-evaluation-harness did.", line, value=stem)
                return None
        paths, task = list(self.columns.attributes or ()), re.sub(r"_\d{4}-\d\d-\d\dT[^_]*$", "", stem)
        wrong = [problem.line for problem in text.problems.found]
        own = {"paths": paths, "scores": list(self.columns.scores), "task": task, "wrong": wrong}
        engine.execute(f"create or replace temp view item_text as from {lines(engine, [text])}")
        execute(engine, "item_log/record", own, "item_record")
        execute(engine, f"item_log/{self.format}", own, "item_log")
        report_all(engine, "item_log", {0: text.problems}, own)
        columns = {name: name for name in LOGS[self.format]}
        if "evaluation_name" in columns:
            columns[".evaluation_name"] = columns.pop("evaluation_name")
        columns |= {
            "." + path.rpartition(".")[2]: f"json_extract_string(attributes[{n}], '$')"
            for n, path in reversed([*enumerate(paths, 1)])  # a group or cluster repeats the name of a path before it
        }
        if self.format == "lm_eval":
            columns[".task"] = sql_literal(task)
        cells = {name: f"cell_{number}" for number, name in enumerate(columns)}
        listed = ", ".join(f"{sql} as {cells[name]}" for name, sql in columns.items())
        table = engine.unused_name("sample")
        engine.execute(
            f"create temp table {table} as select line, {listed} from item_log "
            "where lacking is null and left_out is null order by place"
        )
        [(n_row, *counts)] = engine.rows(
            f"select count(*), {', '.join(f'count({cell})' for cell in cells.values())} from {table}"
        )
        for name, n_value in zip(list(cells), counts, strict=True):
            if not n_value and (name.startswith(".") or name == "epoch" and self.format != "inspect"):
                del cells[name]
        fields = {name: name for name in cells if name in FORMS["samples"].fields}
        for name in cells:
            if name.startswith("."):
                fields[self.attributes.setdefault(name[1:], f"a{len(self.attributes)}")] = name
        part = cell_part(text.file, text.problems, table, cells, text)
        return self._scored(text, part, fields) if n_row else None

    def samples(self, paths: list[str]) -> Samples:
        """Check all parts, and make the table of samples."""
        if len(self.attributes) > MOST_ATTRIBUTES:
            self.inputs.add(
                "E964",
                paths[0],
                f"{len(self.attributes):,} columns would be attributes of items, expected at most {MOST_ATTRIBUTES:,}",
                "Name those that are meant in the bundle: attributes = [...] of the condition.",
                1,
            )
            self.parts = []
        rows = finish(self.inputs, scan(self.engine, self.form, self.parts), self.kind)
        is_error = f"cast(not {value_sql('is_blank', 'error')} as integer) as is_error"
        columns = ["file, line, run_id, item_id, weight, coalesce(epoch, 1) as epoch", is_error, "content, prompt"]
        common = ", ".join([*columns, *self.attributes.values()])
        selects = [
            f"select {common}, {'measure' if measure is None else sql_literal(measure)} as measure, "
            f"case when not isnan({name}) then {name} end as score from {rows.table} "
            f"where file in ({', '.join(map(str, files))})"
            for (name, measure), files in self.measures.items()
        ]
        nothing = f"select {common}, '' as measure, cast(null as double) as score from {rows.table} limit 0"
        self.engine.execute(f"create or replace temp view items_row as {' union all '.join(selects) or nothing}")
        return Samples(rows, paths, self.attributes)


def _is_index(name: str) -> bool:
    """Return whether a column is the index of a data frame, which has no name."""
    return not name.strip() or bool(re.match(r"Unnamed: |(__index_)?level_\d+(__)?$", name))


def _has_columns(names: Sequence[str], wanted: Sequence[str], problems: Problems, line: int | None) -> bool:
    """Return whether a table has some columns, each once, after reporting which it lacks."""
    lacking = [name for name in wanted if name not in names]
    for name in lacking:
        problems.add(
            "E301",
            f"column {name} is missing, the table has {', '.join(names)[:200] or 'none'}",
            renaming(name, names)
            or "Name the columns: item = ..., score = ..., epoch = ... of the run, or as arguments or options.",
            line,
            None if line is None else 1,
            name,
        )
    for name in sorted(name for name, n_column in Counter(names).items() if n_column > 1):
        problems.add("E303", "duplicate column", "Rename one of them.", line, None if line is None else 1, name)
        lacking.append(name)
    return not lacking
