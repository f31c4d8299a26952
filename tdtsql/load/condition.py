"""Conditions: what the bundle and the control, index, trial and training files say of one, and its way into the
store.

Code   Meaning
E715   a name that is that of a file, and as a pattern matches other files; or a run that is not read again, although
       topics or trials of its condition changed
E716   a condition that the store has for another corpus, with runs
E720   a condition without a file that its task needs
E817   topics excluded by exclude_topics, so that none is left
W818   a topic in exclude_topics that the condition does not have
"""

import os
import re
from collections.abc import Collection
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import Problem, counted, first_few, meant
from tdtsql.files.checks import execute, report as report_check, select
from tdtsql.files.fingerprint import fingerprint
from tdtsql.files.find import Inputs
from tdtsql.files.rows import Rows
from tdtsql.files.staging import keep_rows
from tdtsql.load.corpus import Corpus, read_staged
from tdtsql.load.indexes import Indexes, read_indexes, read_index_lists
from tdtsql.load.plan import ConditionSpec, Source
from tdtsql.load.owner import store_owner
from tdtsql.load.report import Report
from tdtsql.store import registry
from tdtsql.store.contents import Contents, Place, contents_of
from tdtsql.store.define import add_package
from tdtsql.store.profiles import profile_number
from tdtsql.task import TASKS
from tdtsql.tasks.declaration import STORY_KEYS

LANGUAGES = {"eng": "ENGLISH", "man": "MANDARIN", "arb": "ARABIC"}


@dataclass(slots=True)
class Condition:
    """A condition in memory: B blocks over the stories of a corpus."""

    spec: dict
    inputs: Inputs
    indexes: Indexes = field(default_factory=Indexes)
    nt: str | None = None
    training_language: str | None = None
    training: Rows | None = None  #: the rows of tidy training stories
    trials: Rows | None = None  #: the rows of tidy trials, of links those of pairs; None: without any

    @property
    def task(self) -> str:
        return self.spec["task"]

    @property
    def profiles(self) -> list[str]:
        """The names of its profiles."""
        return self.spec.get("profile") or [TASKS[self.task].default_profile]

    @property
    def common(self) -> dict:
        """The settings that mean the same in all tasks over stories; other tasks may have keys of these names."""
        known = STORY_KEYS if TASKS[self.task].is_over_stories else {}
        return {key: value for key, value in self.spec.items() if key in known}


def read_condition(engine: Engine, spec: dict, folder: Path) -> Condition:
    """Read the files that define a condition: control file, index files, tidy trials and training."""
    condition = Condition(spec, Inputs(folder))
    inputs = condition.inputs
    task = spec["task"]
    spec = condition.common
    condition.nt = str(spec["nt"]).upper() if "nt" in spec else None
    condition.training_language = spec.get("training_language")
    lists: list[str] = list(spec.get("index", []))
    for key, kind in (("control", "control file"), ("index_list", "index list")):
        if key not in spec:
            continue
        rows = read_index_lists(engine, inputs, inputs.resolve(spec[key], kind), kind)
        table = keep_rows(inputs, rows, kind, "name")
        for file, given in enumerate(rows.paths):
            lists += _beside(
                inputs, given, engine.column(f"select name from {table} where file = {file} order by line")
            )
        heads = "select nt, lower(training_language) from header order by file"
        for nt, language in engine.rows(heads) if key == "control" else ():
            condition.nt = condition.nt or nt
            condition.training_language = condition.training_language or LANGUAGES.get(
                language, (language or "").upper() or None
            )
    if lists:
        files = inputs.resolve(lists, "index file")
        condition.indexes = read_indexes(engine, inputs, TASKS[task].index_kind, files)
    if "training" in spec:
        condition.training = read_staged(engine, inputs, spec["training"], "training", "topic_id, story_id")
    if "trials" in spec:
        of_pairs = TASKS[task].decides_on == "pair"
        form, ids = ("link_trials", "story_id_1, story_id_2") if of_pairs else ("trials", "topic_id, story_id")
        rows = read_staged(engine, inputs, spec["trials"], form, ids)
        if engine.rows(f"select 1 from {rows.table} limit 1"):
            condition.trials = rows
    return condition


def _beside(inputs: Inputs, given: str, names: list[str]) -> list[str]:
    """Return paths that a list file names: relative to the bundle, or else to the list file."""
    folder, parent = inputs.folder, Path(given).parent
    return [
        name
        if os.path.isfile(folder / name) or not os.path.isfile(folder / parent / name)
        else (parent / name).as_posix()
        for name in names
    ]


def needed_files(condition: Condition, key: str, what: str = "") -> list[Source]:
    """Return the files under a key that a condition must have (E720)."""
    if key in condition.spec:
        return condition.inputs.resolve(condition.spec[key], key)
    said = f"a {condition.task} condition needs {what or key}"
    condition.inputs.add("E720", f"condition '{condition.spec['id']}'", said, f'Add {key} = "...".')
    return []


def index_topics(engine: Engine, condition: Condition) -> list[str]:
    """Return the topics of the indexes of a condition that it does not leave out."""
    pattern, excluded = condition.common.get("topic_pattern", ".*"), condition.common.get("exclude_topics", {})
    topics = (
        engine.column(f"select topic_id from {condition.indexes.tables['index_topic']}") if condition.indexes else []
    )
    return [topic for topic in topics if topic not in excluded and re.fullmatch(pattern, topic)]


def is_required(condition: Condition, corpus: Corpus) -> bool:
    """Return whether the 2004 TDT evaluation plan requires this condition of every site."""
    engine, spec, files = corpus.engine, condition.common, condition.indexes.tables.get("index_file")
    own = {
        "required": [asdict(one) for one in TASKS[condition.task].required],
        "corpus": corpus.corpus_no,
        "files": engine.column(f"select distinct source_file from {files}") if files else [],
        "languages": [language.upper() for language in spec.get("languages", [])],
        "nt": condition.nt,
        "training_language": condition.training_language,
        "deferral": spec.get("deferral"),
    }
    return bool(own["required"]) and select(engine, "condition/is_required", own)[0]["is_required"]


def left_out(condition: Condition, topics: Collection[str]) -> set[str]:
    """Return the topics or events that ``exclude_topics`` names.

    Codes: E817 no topic remains; W818 an excluded topic does not exist.
    """
    excluded = set(condition.spec.get("exclude_topics", {}))
    where = f"condition '{condition.spec['id']}'"
    for topic in sorted(excluded - set(topics)) if topics else ():
        condition.inputs.add(
            "W818",
            where,
            "exclude_topics excludes a topic that the corpus does not have",
            meant(topic, topics, "Correct the id, unless the topic was removed from the corpus."),
            value=topic,
        )
    if topics and excluded >= set(topics):
        condition.inputs.add("E817", where, "exclude_topics excludes every topic", "Keep at least one.")
    return excluded


# ---- storing


def store_condition(
    engine: Engine, condition: Condition, plan: ConditionSpec, corpus: Corpus, report: Report
) -> tuple[int, str]:
    """Store a condition unless it exists already; returns its number and a hash of what its runs refer to."""
    spec, inputs, profiles, task = condition.spec, condition.inputs, condition.profiles, TASKS[condition.task]
    condition_id, settings = spec["id"], sorted((key, value) for key, value in spec.items() if key != "profile")
    owner, excluded = f"condition:{condition_id}", spec.get("exclude_topics", {})
    names = fingerprint(corpus.structure, *plan.names, *[file.sha256 for file in inputs.files], settings)
    content = inputs.fingerprint(corpus.content, settings)
    # what is stored of a run depends on the collection and the judgments, or makes rows of the condition
    if task.is_tree or task.follows:
        names = content
    parameters = {"id": condition_id, "corpus": corpus.corpus_no, "profiles": profiles}
    [former] = select(engine, "condition/former", parameters)
    runs, other_no, gone = former.values()
    if other_no is not None:
        if runs:
            said = f"the store has this condition for another corpus; its {counted(len(runs), 'run')} would be lost"
            advice = "Give the condition another id, or drop the other one first."
            inputs.add("E716", f"condition '{condition_id}'", said, advice, value=", ".join(runs))
        registry.drop(engine, "condition_no", other_no)
        runs, gone = [], []

    def write(condition_no: int) -> None:
        execute(engine, "condition/register", _row(condition, condition_no, corpus, content))
        add_package(engine, condition.task)
        plan.write(engine, condition_no)
        plan.drop(engine)

    def look(condition_no: int) -> object:
        return _numbering(engine, owner, condition_no, is_tree=task.is_tree) if runs else None

    condition_no, replaced = store_owner(engine, report, inputs, owner, content, write, look, other_no)
    lost = list[str]()  #: what of a former condition is no longer there
    if replaced:
        if not any(one.startswith("corpus:") for one in report.loaded):
            lost.append("is replaced (its settings, files or corpus changed)")
        if replaced[0] != replaced[1] or report.has_other_stories and task.is_over_stories:
            report.renumbered.append(condition_id)
    if excluded:
        listed = ", ".join(f"{topic} ({reason})" for topic, reason in excluded.items())
        report.notes.append(f"condition {condition_id}: left out are the topics {listed}")
    if gone:
        lost.append(f"has no numbers under {' and '.join(gone)} any more")
    if lost:
        what = f", with {counted(len(runs), 'run')}: {first_few(runs)}" if runs else ""
        report.replaced[owner] = f"condition {condition_id} {' and '.join(lost)}{what}"
    registry.choose_profiles(engine, owner, condition_no, [profile_number(engine, name) for name in profiles])
    return condition_no, names


def _one_text(value: object, separator: str = " ") -> object:
    """Return a list of words as one text."""
    return separator.join(map(str, value)) if isinstance(value, list | tuple) else value


#: what the rows of runs refer to by number; the segments of decisions are not here, they move with the condition
_NUMBERED = (
    "base.link_pair",
    "base.known_update",
    "base.attribute",
    "base.partition_item",
    "base.verification_segment",
    "base.verification_trial",
)


def _numbering(engine: Engine, owner: str, condition_no: int, *, is_tree: bool) -> tuple[Contents, list[dict]]:
    """Return what the rows of runs refer to by number, but stories (`Report.has_other_stories`): where it differs,
    stored runs mean something else.
    """
    numbered = select(engine, "condition/numbered", {"condition": condition_no})
    tables = (*_NUMBERED, "base.segment_story") if is_tree else _NUMBERED  # the root of a tree holds the collection
    return contents_of(engine, {owner: tables}, {owner: Place("condition_no", condition_no)})[owner], numbered


def left_behind(engine: Engine, report: Report) -> list[Problem]:
    """Return an error (E715) for each condition that has other topics or trials now, and runs that were not read
    again.
    """
    found, owners = Inputs(Path()), [f"condition:{name}" for name in report.renumbered]
    parameters = {"conditions": report.renumbered, "read": [*report.loaded, *report.kept]}
    report_check(found, owners, engine, "condition/E715", parameters)
    return found.problems


#: columns of registry.condition that a bundle calls otherwise
_KEY_OF = {"score_kind": "scores", "group_by": "group", "cluster_by": "cluster", "ranked_by": "measure"}


def _row(condition: Condition, condition_no: int, corpus: Corpus, content: str) -> dict[str, Any]:
    """Return what a condition has in the registry."""
    spec = condition.spec
    chosen = dict(TASKS[condition.task].condition_policies)
    # qrels alone do not list the documents: a retrieved document beyond them is unjudged, and counts as not relevant
    if "unknown_documents" in chosen and not corpus.is_listed and "trials" not in spec:
        chosen["unknown_documents"] = "not_relevant"
    keys = TASKS[condition.task].keys  # names may hold blanks
    policies = {
        key: _one_text(spec.get(name, default), "\n" if keys.get(name) == "list of texts" else " ")
        for key, default in chosen.items()
        for name in [_KEY_OF.get(key, key)]
    }
    policies |= {key: "\n" for key in ("attributes", "subsets") if spec.get(key) == []}  # none, and not the default
    if policies.get("score_kind", "score") != "score":
        policies["score_kind"] = "llr"  # what probabilities and base-10 logarithms become
    excluded = spec.get("exclude_topics", {})
    return {
        **condition.common,
        "id": spec["id"],
        "task": condition.task,
        "condition": condition_no,
        "corpus": corpus.corpus_no,
        "nt": condition.nt,
        "training_language": condition.training_language,
        "pointer_type": condition.indexes.pointer_type,
        "has_key": "key" in spec,
        "policies": policies or {"score_kind": None},
        "is_required": is_required(condition, corpus),
        "content": content,
        "excluded": list(excluded),
        "reasons": list(excluded.values()),
    }
