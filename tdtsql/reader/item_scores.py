"""Scores of items from other programs: rows of run, item, measure, epoch, score, and attributes of the item.

Code   Meaning
E960   not a score: a text, a list, infinite, or beyond 1e12
W963   a metric that has no score for an item
E968   a file that matches no format, or several
E969   a line that does not match its format
E970   an invalid name of a measure: empty, not printable, or longer than 200 bytes
E971   an epoch that is not a whole number
E972   a file of lm-evaluation-harness whose name does not contain the task

Sources: trec_eval 9.0.8, m_format.c and `trec_eval.c` (output of -q); ir_measures 0.3, `__main__.py`;
lm-evaluation-harness 0.4.13, `loggers/evaluation_tracker.py` (save_results_samples); inspect_ai 0.3.285, `log/_log.py`
(EvalSample) and `analysis` (samples_df); Every Eval Ever, instance_level_eval schema 0.2.
"""

import json
import math
import re
from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from tdtsql.errors import Problems
from tdtsql.reader.header import nearest_name
from tdtsql.reader.scan import Rows, advice_on, json_objects
from tdtsql.files.text import numbered_lines

#: the measure of a file that names none
SCORE = "score"
#: the largest size of a score
LARGEST = 1e12
NUMBER = r"[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?"
_NUMBER = re.compile(NUMBER)
#: texts that are no score: the sample is listed without one
UNSCORED = ("", "nan", "null", "none", "na", "n/a")
_LETTERS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
#: measures of ir_measures: a name of its registry, with parameters and cutoff
_IR_MEASURE = re.compile(
    r"(AP|BPM|Bpref|Compat|DCG|ERR|ERR_IA|Accuracy|Count|INSQ|INST|IPrec|infAP|Judged|NERR\d+|NRBP|nDCG|nERR|nERR_IA|"
    r"nNRBP|NumQ|NumRel|NumRet|P|P_IA|QDCG|R|RBP|Rprec|RR|SDCG|SetAP|SetF|SetJudged|SetP|SetR|STREC|Success|alpha_DCG|"
    r"alpha_nDCG|MAP|MRR|nrbp|AP_IA|AUPRC|BPref)(\([^()]*\))?(@\d+)?"
)


#: columns of a sample, apart from the attributes of its item
_SAMPLE = "run_id item_id measure epoch score is_error content".split()


@dataclass(slots=True)
class Items:
    """S samples as columns."""

    columns: dict[str, list] = field(default_factory=lambda: {name: [] for name in _SAMPLE})
    lines: array = field(default_factory=lambda: array("q"))
    attributes: dict[str, list[str | None]] = field(default_factory=dict)
    has_epochs: bool = False

    def add(
        self,
        line: int,
        item: str,
        measure: str,
        score: float | None,
        *,
        run: str | None = None,
        epoch: int | None = 1,
        is_error: bool = False,
        content: str | None = None,
        attributes: Mapping[str, str | None] | None = None,
    ) -> None:
        if epoch is None:  # reported; as any number the sample might be one that another row has
            return
        sample = run, item, measure, epoch, score, int(is_error), content
        for column, value in zip(self.columns.values(), sample, strict=True):
            column.append(value)
        for name in attributes or ():
            self.attributes.setdefault(name, [None] * len(self.lines))
        self.lines.append(line)
        for name, values in self.attributes.items():
            values.append((attributes or {}).get(name))


@dataclass(frozen=True, slots=True)
class ItemColumns:
    """What a bundle says of how files are read."""

    item: str = "item_id"
    epoch: str = "epoch"
    scores: tuple[str, ...] = ()  #: columns or keys that hold scores, each a measure of its name
    attributes: tuple[str, ...] = ()  #: what says something of an item; in JSON paths


def is_sample_table(names: Sequence[str]) -> bool:
    """Return whether a table is one of samples of Inspect, as its ``samples_df`` gives it."""
    return {"id", "epoch"} <= set(names) and any(name.startswith("score_") for name in names)


def recognised(name: str, lines: Sequence[str]) -> tuple[list[str], str]:
    """Return the formats that the first lines of a file fit, and the first line that is not blank.

    Args:
        name: of the file, without .gz.
    """
    first = next((line.rstrip("\r\n") for line in lines if line.strip()), "")
    if first.lstrip().startswith("{"):
        return _of_json(first), first
    if name.endswith((".csv", ".tsv", ".tab")):
        names = re.split("[\t,]", first)
        return ["inspect" if is_sample_table(names) else "tidy"], first
    fields = first.split()
    parts = first.split("\t")
    found = []
    if len(parts) == 3 and _IR_MEASURE.fullmatch(parts[1]) and _is_number(parts[2]):
        found.append("ir_measures")
    is_trec = len(fields) == 3 and (_is_number(fields[2]) or fields[0] == "runid")
    if is_trec and not (found and not _is_padded(parts) and not re.fullmatch(r"[a-z]+(_\w+)*", parts[0])):
        found.append("trec_eval")
    return found, first


def _is_padded(parts: Sequence[str]) -> bool:
    return parts[0] != parts[0].rstrip()


def _is_number(text: str) -> bool:
    return _NUMBER.fullmatch(text.strip()) is not None or text.strip().lower() == "nan"


def _of_json(line: str) -> list[str]:
    try:
        keys = json.loads(line)
    except (ValueError, RecursionError):  # truncated, or several lines of JSON: use the keys in the text
        keys = dict.fromkeys(re.findall(r'"(\w+)"\s*:', line))
    wanted = {
        "lm_eval": ("doc_id",),
        "inspect": ("epoch", "scores"),
        "every_eval_ever": ("schema_version", "evaluation"),
    }
    return [name for name, names in wanted.items() if isinstance(keys, dict) and all(key in keys for key in names)]


# ---- values


class Values:
    """Values of rows, checked; each problem goes to ``problems``."""

    def __init__(self, problems: Problems):
        self.problems = problems
        self._measures: dict[str, bool] = {}

    def score(self, value: object, line: int | None, column: int | None = None, letters: bool = False) -> float | None:
        """Return a score, None where the sample has none."""
        if value is None:
            return None
        if isinstance(value, bool):
            return float(value)
        if isinstance(value, str):
            text = value.strip()
            if letters and text in _LETTERS:
                return _LETTERS[text]
            if text.lower() in UNSCORED:
                return None
            if text.lower() in ("true", "false"):
                return float(text.lower() == "true")
            number = float(text) if _NUMBER.fullmatch(text) else math.inf
        else:
            try:
                number = float(value) if hasattr(value, "__float__") else math.inf
            except OverflowError:
                number = math.inf
            if math.isnan(number):
                return None
        if abs(number) <= LARGEST:
            return number
        self.problems.add(
            "E960",
            "no score, expected a number of at most 1e12 in size, true, false, or nothing"
            + (" (or the letters C, I, P, N)" if letters else ""),
            advice_on(value, "Correct the score, or leave it empty: then the sample is not scored."),
            line,
            column,
            value,
        )
        return None

    def epoch(self, value: object, line: int | None, column: int | None = None) -> int | None:
        """Return an epoch, a whole number; None if it is not valid."""
        number = value
        if (
            isinstance(value, str)
            and re.fullmatch(r"[0-9]{1,9}", value.strip())
            or isinstance(value, float)
            and value.is_integer()
        ):
            number = int(value)
        if isinstance(number, bool) or not hasattr(number, "__index__") or not 0 <= int(number) < 2**31:
            self.problems.add(
                "E971",
                "the epoch is not an integer of at least 0",
                "Number the attempts at an item.",
                line,
                column,
                value,
            )
            return None
        return int(number)

    def name(self, value: object, what: str, line: int | None, column: int | None = None) -> str | None:
        """Return the name of an item or a run; None if it is not valid."""
        text = str(value).lower() if isinstance(value, bool) else str(value) if value is not None else ""
        if isinstance(value, str | int) and text.strip() and text == text.strip():
            return text
        empty = not text.strip()
        self.problems.add(
            "E305" if empty else "E306",
            f"the {what} is {'empty' if empty else 'no text, or has blanks around it'}",
            f"Give each row the {what}.",
            line,
            column,
            None if empty else value,
        )
        return None

    def measure(self, name: object, line: int | None, column: int | None = None) -> str | None:
        """Return the name of a measure; None if it is not valid."""
        text = str(name) if name is not None else ""
        if text not in self._measures:
            self._measures[text] = bool(text.strip()) and text.isprintable() and len(text.encode()) <= 200
        if self._measures[text]:
            return text
        self.problems.add(
            "E970",
            "no name of a measure, expected printable text of at most 200 bytes",
            "Rename the measure.",
            line,
            column,
            text,
        )
        return None


def text_of(value: object) -> str | None:
    """Return an attribute's value as text; None for nothing."""
    if value is None or isinstance(value, float) and math.isnan(value):
        return None
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text.strip() or None


# ---- tables


def table_roles(
    names: Sequence[str], chosen_columns: ItemColumns, is_inspect: bool
) -> tuple[dict[str, str], list[str], dict[str, str]]:
    """Return what the columns of a table are: role -> column, the columns of scores, and attribute -> column."""
    if is_inspect:
        scores = list(chosen_columns.scores) or [name for name in names if name.startswith("score_")]
        roles = {"item": "id", "epoch": "epoch", "error": "error"}
        attributes = {
            path.rpartition(".")[2]: column
            for path in chosen_columns.attributes
            for column in (path.replace(".", "_"), path)
            if column in names
        }
        return {role: name for role, name in roles.items() if name in names}, scores, attributes
    roles = {"item": chosen_columns.item, "epoch": chosen_columns.epoch, "run": "run_id", "metric": "metric"}
    roles = {role: name for role, name in roles.items() if name in names}
    scores = list(chosen_columns.scores) or [SCORE]
    others = set(names).difference(roles.values(), scores)
    attributes = {name: name for name in chosen_columns.attributes or names if name in others}
    return roles, scores, attributes


def needed(chosen_columns: ItemColumns, is_inspect: bool) -> list[str]:
    """Return the columns that a table of samples cannot be without."""
    return ["id", *chosen_columns.scores] if is_inspect else [chosen_columns.item, *(chosen_columns.scores or (SCORE,))]


def check_table(names: Sequence[str], wanted: Sequence[str], problems: Problems, line: int | None) -> bool:
    """Return whether a table has some columns, each once, after saying which it lacks."""
    lacking = [name for name in wanted if name not in names]
    for name in lacking:
        near = nearest_name(name, names)
        problems.add(
            "E301",
            f"column {name} is missing, the table has {', '.join(names)[:200] or 'none'}",
            (f"Rename {near}, if it is meant. " if near else "")
            + "Name the columns in the bundle: item = ..., score = ..., epoch = ... of the run.",
            line,
            1,
            name,
        )
    for name in sorted(name for name, n_column in Counter(names).items() if n_column > 1):
        problems.add("E303", "duplicate column", "Rename one of them.", line, 1, name)
        lacking.append(name)
    return not lacking


def items_of_table(rows: Rows, chosen_columns: ItemColumns, problems: Problems, is_inspect: bool) -> Items:
    """Return the samples of a table."""
    columns, place = rows.named, rows.at
    found, values = Items(), Values(problems)
    if not check_table(list(columns), needed(chosen_columns, is_inspect), problems, place(-1, "")[0]):
        return found
    roles, scores, attributes = table_roles(list(columns), chosen_columns, is_inspect)
    found.has_epochs = "epoch" in roles
    found.attributes = {name: [] for name in attributes}
    for row in range(len(columns[roles["item"]])):

        def at(role: str, row: int = row) -> tuple[object, int | None, int | None]:
            return (columns[roles[role]][row], *place(row, roles[role]))

        item = values.name(at("item")[0], "item", *at("item")[1:])
        run = values.name(at("run")[0], "run", *at("run")[1:]) if "run" in roles else None
        epoch = values.epoch(*at("epoch")) if "epoch" in roles else 1
        said = {name: text_of(columns[column][row]) for name, column in attributes.items()}
        is_error = "error" in roles and text_of(at("error")[0]) is not None
        for column in scores:
            line, number = place(row, column)
            if "metric" in roles:
                measure = values.measure(*at("metric"))
            else:
                measure = column.removeprefix("score_") if is_inspect else column
            score = values.score(columns[column][row], line, number, letters=is_inspect)
            if item is not None and measure is not None and (run is not None or "run" not in roles):
                found.add(
                    line or row + 1,
                    item,
                    measure,
                    score,
                    run=run,
                    epoch=epoch,
                    is_error=is_error,
                    attributes=said,
                )
    return found


# ---- lines


def read_item_lines(data: bytes, problems: Problems, format_: str, chosen_columns: ItemColumns, name: str) -> Items:
    """Return the samples of a file of lines.

    Args:
        name: of the file, without .gz: lm-evaluation-harness says the task there.
    """
    if format_ in ("trec_eval", "ir_measures"):
        return _read_fields(data, problems, is_trec=format_ == "trec_eval")
    found = Items()
    reader = {"lm_eval": _LmEval, "inspect": _Inspect, "every_eval_ever": _EveryEvalEver}[format_](
        found, problems, chosen_columns, name
    )
    for line, record in json_objects(data, problems, "E969"):
        reader.read(line, record)
    return found


def _read_fields(data: bytes, problems: Problems, *, is_trec: bool) -> Items:
    """Return the rows of trec_eval -q (measure, topic, value) or of ir_measures -q (topic, measure, value)."""
    found, values = Items(), Values(problems)
    runs: dict[str, int] = {}
    for line, text in numbered_lines(data, problems):
        if not text.strip():
            continue
        parts = text.split("\t") if text.count("\t") == 2 else text.split()
        if len(parts) != 3:
            expected = "measure, topic and value" if is_trec else "topic, measure and value"
            problems.add(
                "E969",
                f"the line has {len(parts)} fields, expected {expected}",
                "Write the file again with -q.",
                line,
                1,
                text,
            )
            continue
        measure, topic, value = (part.strip() for part in parts)
        if not is_trec:
            measure, topic = topic, measure
        if is_trec and measure == "runid":
            runs.setdefault(value, line)
            continue
        column = len(text) - len(parts[2].lstrip()) + 1
        score = values.score(value, line, column) if topic != "all" else None
        checked = values.measure(measure, line, 1)
        if topic != "all" and checked is not None and (item := values.name(topic, "topic", line, 1)) is not None:
            found.add(line, item, checked, score)
    if len(runs) > 1:
        problems.add(
            "E969",
            f"the file has {len(runs)} runs, first {next(iter(runs))}, expected one",
            "Write a file for each run.",
            list(runs.values())[1],
            value=list(runs)[1],
        )
    found.columns["run_id"] = [next(iter(runs), None)] * len(found.lines)
    return found


@dataclass(slots=True)
class _Lines:
    """Records of one program."""

    found: Items
    problems: Problems
    chosen_columns: ItemColumns
    name: str
    values: Values = field(init=False)
    skipped: set[str] = field(init=False, default_factory=set)

    def __post_init__(self) -> None:
        self.values = Values(self.problems)

    def read(self, line: int, record: dict) -> None:
        """Take in a line."""
        raise NotImplementedError

    def lack(self, line: int, key: str) -> None:
        self.problems.add("E969", f"the line has no {key}", "Is it a file of this format?", line, 1, key)

    def attributes(self, line: int, record: dict) -> dict[str, str | None]:
        """Return what the paths of the condition lead to, by the last part of each."""
        found: dict[str, str | None] = {}
        for path in self.chosen_columns.attributes:
            value: object = record
            is_there = True
            for part in path.split("."):
                is_there = is_there and isinstance(value, dict) and part in value
                value = value[part] if is_there else None  # type: ignore[index]
            if isinstance(value, list | dict):
                self.problems.add(
                    "E969",
                    f"attribute {path} is a {'list' if isinstance(value, list) else 'object'}, expected text or "
                    f"a number",
                    "Name a path to one value.",
                    line,
                    1,
                    value,
                )
            elif is_there:
                found[path.rpartition(".")[2]] = text_of(value)
        return found


class _LmEval(_Lines):
    def read(self, line: int, record: dict) -> None:
        """Take in a line of samples_TASK_DATE.jsonl: a document under a filter, with a score for each metric."""
        stem = PurePath(self.name).name.removesuffix(".jsonl").removesuffix(".json")
        match = re.fullmatch(r"samples_(.+)_[^_]*", stem)
        if match is None:
            if "name" not in self.skipped:
                self.problems.add(
                    "E972",
                    "the name of the file does not tell the task, expected samples_TASK_DATE.jsonl",
                    "Call the file as lm-evaluation-harness did.",
                    line,
                    value=stem,
                )
            self.skipped.add("name")
            return
        item = record.get("doc_id")
        if "doc_id" not in record or isinstance(item, bool) or not isinstance(item, str | int):
            self.lack(line, "doc_id")
            return
        metrics = list(self.chosen_columns.scores) or record.get("metrics")
        if not isinstance(metrics, list) or not all(isinstance(name, str) for name in metrics):
            self.problems.add(
                "E969",
                "the line has no list metrics",
                'Say which keys are scores: score = ["acc"] of the run.',
                line,
                1,
                "metrics",
            )
            return
        task = match[1]
        filtered = record.get("filter") or "none"
        said = {"task": task, **self.attributes(line, record)}
        content = record.get("doc_hash")
        for metric in metrics:
            if metric not in record:
                self.lack(line, metric)
                continue
            if isinstance(record[metric], list | dict):
                if metric not in self.skipped:
                    self.problems.add(
                        "W963",
                        f"metric {metric} has no score for an item, but a {type(record[metric]).__name__}: left out",
                        line=line,
                        value=metric,
                    )
                self.skipped.add(metric)
                continue
            measure = self.values.measure(metric if filtered == "none" else f"{metric}/{filtered}", line)
            score = self.values.score(record[metric], line)
            if measure is not None:
                self.found.add(
                    line,
                    f"{task}/{item}",
                    measure,
                    score,
                    content=content if isinstance(content, str) else None,
                    attributes=said,
                )


class _Inspect(_Lines):
    def read(self, line: int, record: dict) -> None:
        """Take in an EvalSample."""
        self.found.has_epochs = True
        item = self.values.name(record.get("id"), "id", line, 1)
        scores = record.get("scores")
        if not isinstance(scores, dict) and scores is not None:
            self.lack(line, "object scores")
            return
        if "epoch" not in record or "scores" not in record:
            self.lack(line, "epoch" if "epoch" not in record else "scores")
            return
        epoch = self.values.epoch(record["epoch"], line, 1)
        said = self.attributes(line, record)
        for scorer, given in (scores or {}).items():
            if not isinstance(given, dict) or "value" not in given:
                self.lack(line, f"value of score {scorer}")
                continue
            value = given["value"]
            parts = (
                {f"{scorer}/{key}": one for key, one in value.items()} if isinstance(value, dict) else {scorer: value}
            )
            for name, one in parts.items():
                measure = self.values.measure(name, line)
                score = self.values.score(one, line, letters=True)
                if item is not None and measure is not None:
                    self.found.add(
                        line,
                        item,
                        measure,
                        score,
                        epoch=epoch,
                        is_error=record.get("error") is not None,
                        attributes=said,
                    )


class _EveryEvalEver(_Lines):
    def read(self, line: int, record: dict) -> None:
        """Take in an instance record."""
        for key in ("model_id", "evaluation_name", "sample_id", "evaluation"):
            if key not in record:
                self.lack(line, key)
                return
        given = record["evaluation"]
        if not isinstance(given, dict) or not {"score", "is_correct"} & given.keys():
            self.lack(line, "score in evaluation")
            return
        run = self.values.name(record["model_id"], "model_id", line, 1)
        name = self.values.name(record["evaluation_name"], "evaluation_name", line, 1)
        sample = self.values.name(record["sample_id"], "sample_id", line, 1)
        result = record.get("evaluation_result_id")
        called = SCORE if not isinstance(result, str) or not result or result.startswith("er_") else result
        measure = self.values.measure(called, line)
        score = self.values.score(given.get("score", given.get("is_correct")), line)
        metadata = record.get("metadata")
        epoch = metadata.get("epoch") if isinstance(metadata, dict) else None
        self.found.has_epochs |= epoch is not None
        content = record.get("sample_hash")
        if run is not None and name is not None and sample is not None and measure is not None:
            self.found.add(
                line,
                f"{name}/{sample}",
                measure,
                score,
                run=run,
                epoch=1 if epoch is None else self.values.epoch(epoch, line, 1),
                is_error=record.get("error") is not None,
                content=content if isinstance(content, str) else None,
                attributes={"evaluation_name": name, **self.attributes(line, record)},
            )
