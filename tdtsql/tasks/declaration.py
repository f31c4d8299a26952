"""What a task declares: its row, how its files are read, and where its SQL is. Built-in tasks (a module each in this
folder) and tasks of other distributions (`tdtsql.package`) declare the same, and `tdtsql.task` holds them all.
"""

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from tdtsql.errors import BrokenDefinition
from tdtsql.toml_file import toml_beside


_SAID = toml_beside(__file__)
#: kinds of values of keys that a bundle writes as another one
WRITTEN_AS: dict[str, str] = _SAID["written_as"]
#: all kinds that a value of a key may have (`tdtsql.load.settings` checks them)
KEY_KINDS = (*WRITTEN_AS, *_SAID["kinds"])
#: keys of conditions: of every task; of those whose blocks have names; of those over stories
ALL_KEYS, EXCLUDE, STORY_KEYS = (_SAID["keys"][name] for name in ("all", "exclude", "story"))
#: kind of an id
NAME = ALL_KEYS["id"]


@dataclass(frozen=True, slots=True)
class Required:
    """A condition that the 2004 TDT evaluation plan requires of every site; None: it may be any."""

    table: str  #: of the plan
    languages: Sequence[str] | None = None  #: of the test stories, exactly these, in alphabetical order
    training_language: str | None = None
    nt: str | None = None  #: training stories
    deferral: int | None = None  #: source files


@dataclass(frozen=True, slots=True)
class Task:
    """One task."""

    name: str
    families: tuple[str, ...]  #: of sql/metric, whose numbers its runs have
    primary: str  #: the metric that its runs are ranked by, over topics; see report.condition
    best: str  #: of that metric: lowest or highest
    summary: tuple[str, ...]  #: the metrics, over topics, that `tdtsql evaluate` prints
    run_table: str  #: the table that a run of it cannot be without
    #: of its runs, the official one first; none: those of its readers (`tdtsql.task.formats_of`)
    formats: tuple[str, ...] = ()
    #: unit of a decision of a run: a story and a topic ("topic"), a "story", a "pair" of stories, a "trial" of a key;
    #: None: no decisions
    decides_on: str | None = None
    blocks: str = "topic"  #: what its blocks are: topic, event, attribute, block
    default_profile: str = "tdt2004"  #: of a condition that names none
    must_name_profile: bool = False  #: a condition without a profile is an error
    on_request: tuple[str, ...] = ()  #: views of sql/metric that are computed for its runs on request
    #: policies of a condition, each a column of registry.condition, with its default
    condition_policies: Mapping[str, str | None] = field(default_factory=dict)
    official_is_tsv: bool = False  #: files of the official format may be called .tsv; elsewhere such a file is tidy
    weighting: str = "topic"  #: of that metric where runs are ranked, and of the summary where it has several
    may_be_partition: bool = False  #: check for each condition and run whether each story has one topic at most
    primary_of_llr: str | None = None  #: that metric where scores are log-likelihood ratios, if it is another
    is_scored_together: bool = False  #: the numbers of a run may depend on the other runs of its condition
    has_second_judgments: bool = True  #: each condition has a copy with the second judgments of the corpus
    is_over_stories: bool = False  #: its conditions test stories of the corpus: they have `STORY_KEYS`
    #: keys of conditions and of runs in a bundle, in addition to those of every task: key -> kind (`WRITTEN_AS`)
    keys: Mapping[str, str] = field(default_factory=dict)
    run_keys: Mapping[str, str] = field(default_factory=dict)
    choices: Mapping[str, Sequence[str]] = field(default_factory=dict)  #: of some of these keys, the values
    #: of sql/derived, what of a condition follows from its runs, and their numbers from it
    follows: tuple[str, ...] = ()
    position: int = 0  #: among those of tdtsql, in lists
    is_in_plan: bool = False  #: the 2004 TDT evaluation plan has it
    required: tuple[Required, ...] = ()

    @property
    def condition_keys(self) -> dict[str, str]:
        """The keys that a condition of it may have, and the kind of each."""
        return {**ALL_KEYS, **(STORY_KEYS if self.is_over_stories else {}), **self.keys}

    @property
    def is_detection(self) -> bool:
        return self.decides_on is not None

    @property
    def is_by_trial(self) -> bool:
        """Its runs score the trials of a key."""
        return self.decides_on == "trial"

    @property
    def is_by_topic(self) -> bool:
        """Each story has a decision for each topic; otherwise one for all, stored under block 0."""
        return self.decides_on == "topic"

    @property
    def index_kind(self) -> str:
        """The task of TDT of whose index files those of its conditions are (2004 plan, B.3)."""
        return {"topic": "tracking", "story": "new_event", "pair": "link"}.get(self.decides_on or "", "hierarchy")

    @property
    def is_tree(self) -> bool:
        """A run is a tree of vertices with stories."""
        return self.run_table == "base.vertex"

    @property
    def is_clustering(self) -> bool:
        """A run assigns items to clusters."""
        return self.run_table == "base.partition_answer"


#: suffix of metrics whose ids contain the name of a measure
MADE_OF = re.compile(
    r"\.(sd|se|se_clustered|median|var_within|var_between|sd_epoch|win_rate|n_sample|n_missing|n_unscored|n_error|"
    r"pass_(at|hat)_[0-9]+)"
)


@dataclass(frozen=True, slots=True)
class RunFormat:
    """One format of the runs of a task."""

    read: Any  #: the form of its files (`tdtsql.package`); of ``readers``: `tdtsql.load.plan.ReadRuns`
    named_by: str = "id"  #: what gives a run its name, for the advice where two have the same
    #: first line of a file (neither blank nor a comment) -> whether it is in this format, where a bundle names none;
    #: None: by the ending of its name
    recognises: Callable[[str], bool] | None = None


@dataclass(frozen=True)
class TaskPackage:
    """A task and all that belongs to it.

    Args:
        task: its row.
        forms: keys of conditions that are files -> the form of their rows.
        run_formats: name of each format, the official one first -> the form of the rows of runs, or a RunFormat of it.
        sql: folder of its definitions, relative to the file that creates this; built-in tasks have theirs in ``sql/``.
        keys: what ``[[condition]]`` may say for it in addition: key -> file, files, text, number, flag, list of texts,
            as in ``task.keys``.
        readers: the module that has ``read_plan`` and ``FORMATS`` in place of these, imported when a file is read. They
            fill tables themselves, from stories of the corpus.
        recognised: files -> their format (None: the first), where a first line is not enough.
    """

    task: Task
    forms: Mapping[str, Any] = field(default_factory=dict)
    run_formats: Mapping[str, Any] = field(default_factory=dict)
    sql: str = "sql"
    keys: Mapping[str, str] = field(default_factory=dict)
    folder: Path = field(default_factory=lambda: Path(_caller()).parent)
    readers: str = ""
    recognised: Callable[[Any], str | None] | None = None
    read_plan: Callable[..., Any] = lambda *_: None  #: that of ``readers``, once they are loaded

    @property
    def root(self) -> Path:
        """The folder of its definitions."""
        return self.folder / self.sql

    @property
    def formats(self) -> dict[str, RunFormat]:
        """How runs are read, by the name of their format."""
        return {
            name: found if isinstance(found, RunFormat) else RunFormat(found)
            for name, found in self.run_formats.items()
        }

    def loaded(self) -> "TaskPackage":
        """Return it with its readers.

        Raises:
            BrokenDefinition: their module cannot be imported, or lacks one.
        """
        if not self.readers:
            return self
        try:
            module = import_module(self.readers)
            read_plan, formats = module.read_plan, module.FORMATS
        except (ImportError, AttributeError) as error:
            said = f"task '{self.task.name}': the readers {self.readers} cannot be used ({error})"
            raise BrokenDefinition(f"{said}. Tell the authors of the package.") from error
        recognised = getattr(module, "recognised", None)
        return replace(self, read_plan=read_plan, run_formats=formats, recognised=recognised)


def _caller() -> str:
    """Return the file of the module that creates a TaskPackage."""
    frame = inspect.currentframe()
    while frame is not None:
        file = frame.f_code.co_filename
        if file != __file__ and not file.startswith("<"):
            return file
        frame = frame.f_back
    return __file__


# ---- what several built-in tasks have

#: what the scores of decisions are
SCORES = {"scores": "text"}

ENGLISH, THREE = ["ENGLISH"], ["ARABIC", "ENGLISH", "MANDARIN"]

#: a detection task of TDT: decisions on stories, with scores and costs
detection_task = partial(
    Task,
    families=("detection", "filtering"),
    primary="c_det_norm",
    best="lowest",
    summary=("p_miss", "p_fa", "c_det_norm", "c_det_prel_norm", "min_c_det_norm"),
    run_table="base.decision",
    on_request=("verification",),
    condition_policies={"score_kind": "score"},
    is_over_stories=True,
    keys=SCORES,
    choices={"scores": ("llr", "score")},
    is_in_plan=True,
)


def read_task(module: str) -> Task:
    """Return the task that the TOML file of a module declares; ``module``: its ``__file__``."""
    said: dict[str, Any] = toml_beside(module)
    said |= {name: tuple(value) for name, value in said.items() if isinstance(value, list)}
    policies = {**said.pop("condition_policies", {}), **dict.fromkeys(said.pop("unset", ()))}
    return Task(**said, condition_policies=policies)


def built_in(task: Task) -> TaskPackage:
    """Return a task of tdtsql; its readers are in the module of its name."""
    return TaskPackage(task, readers=f"tdtsql.load.tasks.{task.name}")
