"""Conditions: what the bundle and the control, index, trial and training files say of one."""

from dataclasses import dataclass, field
from pathlib import Path

from tdtsql.errors import Problems
from tdtsql.reader.control import read_control, read_index_list
from tdtsql.reader.index import Index, IndexFile, read_index
from tdtsql.intake.pair_file import PairFile, clean_index
from tdtsql.intake.inputs import Inputs
from tdtsql.loading.corpus import rows_of
from tdtsql.intake.tidy_input import read_tidy_files
from tdtsql.task import TASKS

LANGUAGES = {"eng": "ENGLISH", "man": "MANDARIN", "arb": "ARABIC"}


@dataclass(slots=True)
class Condition:
    """A condition in memory: B blocks over the stories of a corpus."""

    spec: dict
    inputs: Inputs
    indexes: list[tuple[str, Index]] = field(default_factory=list)
    nt: str | None = None
    training_language: str | None = None
    pointer_type: str | None = None
    training: list[tuple[str, str, str, int]] = field(default_factory=list)  #: (topic, story, path, line)
    trials: list[tuple[str, str, str, int]] = field(default_factory=list)  #: (topic, story, path, line)
    pairs: list[tuple[str, str, str, int]] = field(default_factory=list)  #: of links: (story, story, path, line) of the tidy trials
    clean_index: PairFile | None = None  #: a link index whose pairs the engine may parse; its entry in indexes has none
    n_problem: int = 0  #: problems that came before those of the clean index

    @property
    def task(self) -> str:
        return self.spec["task"]

    @property
    def index_files(self) -> list[list[IndexFile]]:
        return [index.files for _, index in self.indexes]


def read_condition(spec: dict, folder: Path) -> Condition:
    """Read the files that define a condition: control file, index files, tidy trials and training."""
    condition = Condition(spec, Inputs(folder))
    inputs = condition.inputs
    task = spec["task"]
    condition.nt = str(spec["nt"]) if "nt" in spec else None
    condition.training_language = spec.get("training_language")
    lists: list[str] = list(spec.get("index", []))
    for given, control in inputs.read_all(spec.get("control"), "control file", read_control):
        lists += _beside(given, [name for _, name in control.index_files], folder)
        condition.nt = condition.nt or control.nt
        language = (control.training_language or "").lower()
        condition.training_language = condition.training_language or LANGUAGES.get(language, language.upper() or None)
    for given, names in inputs.read_all(spec.get("index_list"), "index list", read_index_list):
        lists += _beside(given, [name for _, name in names], folder)
    if lists:
        for given, index in _read_indexes(condition, lists, task):
            condition.indexes.append((given, index))
            condition.pointer_type = condition.pointer_type or index.pointer_type
    for given, table in read_tidy_files(inputs, spec.get("training"), "training"):
        condition.training += [(*row, given, line) for row, line in zip(rows_of(table, "topic_id", "story_id"), table.lines, strict=True)]
    if task == "link":
        for given, table in read_tidy_files(inputs, spec.get("trials"), "link_trials"):
            condition.pairs += [(*row, given, line) for row, line in zip(rows_of(table, "story_id_1", "story_id_2"), table.lines, strict=True)]
        return condition
    for given, table in read_tidy_files(inputs, spec.get("trials"), "trials"):
        condition.trials += [(*row, given, line) for row, line in zip(rows_of(table, "topic_id", "story_id"), table.lines, strict=True)]
    return condition


def _read_indexes(condition: Condition, lists: list[str], task: str) -> list[tuple[str, Index]]:
    """Read index files; of a single clean one of links only the header, its pairs are left to the engine."""
    inputs = condition.inputs
    files = inputs.resolve(lists, "index file")
    clean = clean_index(inputs, *files[0], task) if TASKS[task].decides_on == "pair" and len(files) == 1 else None
    if clean is not None:
        index, condition.clean_index = clean
        condition.n_problem = len(inputs.problems)
        inputs.note(*files[0], "index file")
        inputs.results.append(("index file", files[0][0], index))
        return [(files[0][0], index)]
    return [(given, inputs.read(given, path, "index file", lambda data, problems: read_index(data, problems, task))) for given, path in files]


def read_index_lines(condition: Condition) -> None:
    """Read the pairs of an index that were left to the engine, as if they had not been."""
    file = condition.clean_index
    if file is None:
        return
    problems = Problems(file.given)
    index = read_index(file.path.read_bytes(), problems, condition.task)
    condition.inputs.problems[condition.n_problem : condition.n_problem] = problems.found
    [(_, header)] = condition.indexes
    condition.inputs.results = [result for result in condition.inputs.results if result[2] is not header]
    condition.inputs.results.append(("index file", file.given, index))
    condition.indexes = [(file.given, index)]
    condition.clean_index = None


def _beside(given: str, names: list[str], folder: Path) -> list[str]:
    """Return paths that a list file names: relative to the bundle, or else to the list file."""
    parent = Path(given).parent
    return [name if (folder / name).is_file() or not (folder / parent / name).is_file() else (parent / name).as_posix() for name in names]


def training_files(condition: Condition) -> list[IndexFile]:
    """Return the source files of training stories, with the extension their index uses."""
    found = []
    for _, index in condition.indexes:
        extension = index.files[0].extension if index.files else "tkn"
        found += [IndexFile(story.line, story.source_file, story.source_file, extension, 1) for story in index.training]
    return found
