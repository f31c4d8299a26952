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
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import Problem, Problems, counted, first_few, meant
from tdtsql.files.fingerprint import fingerprint
from tdtsql.files.find import Inputs
from tdtsql.files.rows import Rows
from tdtsql.files.staging import forget, keep_rows
from tdtsql.load.corpus import Corpus, read_tidy_rows
from tdtsql.load.lists import read_index_lists
from tdtsql.load.indexes import Index, IndexFile, read_indexes
from tdtsql.load.plan import ConditionSpec, Source
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
    indexes: list[tuple[str, Index]] = field(default_factory=list)
    nt: str | None = None
    training_language: str | None = None
    pointer_type: str | None = None
    training: Rows | None = None  #: the rows of tidy training stories
    trials: Rows | None = None  #: the rows of tidy trials, of links those of pairs; None: without any
    index_pairs: Rows | None = None  #: of links: those of the indexes

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

    @property
    def index_files(self) -> list[Sequence[IndexFile]]:
        return [index.files for _, index in self.indexes]


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
        rows, heads = read_index_lists(engine, inputs, inputs.resolve(spec[key], kind), kind)
        table = keep_rows(inputs, rows, kind, "name")
        for file, given in enumerate(rows.paths):
            lists += _beside(
                inputs, given, engine.column(f"select name from {table} where file = {file} order by line")
            )
        for head in heads.values():
            condition.nt = condition.nt or head.nt
            language = (head.training_language or "").lower()
            condition.training_language = condition.training_language or LANGUAGES.get(
                language, language.upper() or None
            )
    if lists:
        files = inputs.resolve(lists, "index file")
        condition.indexes, condition.index_pairs = read_indexes(engine, inputs, TASKS[task].index_kind, files)
        condition.pointer_type = next(
            (index.pointer_type for _, index in condition.indexes if index.pointer_type), None
        )
    if "training" in spec:
        condition.training = read_tidy_rows(engine, inputs, spec["training"], "training", "topic_id, story_id")
    if "trials" in spec:
        of_pairs = TASKS[task].decides_on == "pair"
        form, ids = ("link_trials", "story_id_1, story_id_2") if of_pairs else ("trials", "topic_id, story_id")
        rows = read_tidy_rows(engine, inputs, spec["trials"], form, ids)
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


def training_files(condition: Condition) -> list[IndexFile]:
    """Return the source files of training stories, with the extension their index uses."""
    found = []
    for _, index in condition.indexes:
        extension = index.files[0].extension if index.files else "tkn"
        found += [IndexFile(story.line, story.source_file, story.source_file, extension, 1) for story in index.training]
    return found


def index_topics(condition: Condition) -> list[str]:
    """Return the topics of the indexes of a condition that it does not leave out."""
    pattern, excluded = condition.common.get("topic_pattern", ".*"), condition.common.get("exclude_topics", {})
    topics = (index.topic_id for _, index in condition.indexes if index.topic_id is not None)
    return [topic for topic in topics if topic not in excluded and re.fullmatch(pattern, topic)]


def _test_languages(condition: Condition, corpus: Corpus) -> set[str]:
    """Return the languages of the source files that a condition tests."""
    wanted = {language.upper() for language in condition.common.get("languages", [])}
    files = sorted({entry.name for entries in condition.index_files for entry in entries})
    spoken = corpus.engine.column(
        "select distinct story.language from base.story as story left join base.source_file as file "
        "using (corpus_no, source_file_no) where corpus_no = $corpus and story.language <> '' "
        "and (len($files) = 0 or list_contains($files, source_file))",
        {"corpus": corpus.corpus_no, "files": files},
    )
    return {language for language in spoken if not wanted or language.upper() in wanted}


def is_required(condition: Condition, corpus: Corpus) -> bool:
    """Return whether the 2004 TDT evaluation plan requires this condition of every site."""
    required = TASKS[condition.task].required
    return bool(required) and any(
        one.is_met(
            languages=frozenset(language.upper() for language in _test_languages(condition, corpus)),
            nt=condition.nt,
            training_language=(condition.training_language or "").upper(),
            deferral=condition.common.get("deferral"),
        )
        for one in required
    )


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
    spec = condition.spec
    condition_id = spec["id"]
    owner = f"condition:{condition_id}"
    names = fingerprint(
        corpus.structure,
        *plan.names,
        *[file.sha256 for file in condition.inputs.files],
        sorted((key, value) for key, value in spec.items() if key != "profile"),
    )
    content = condition.inputs.fingerprint(
        corpus.content, sorted((key, value) for key, value in spec.items() if key != "profile")
    )
    if TASKS[condition.task].is_tree:  # what is stored of a run depends on the collection and the judgments
        names = content
    row = engine.rows(
        "select condition_no, source_sha256, corpus_no from registry.condition where condition_id = ?", [condition_id]
    )
    condition_no = row[0][0] if row else registry.next_number(engine, "registry.condition", "condition_no")
    if row and row[0][2] != corpus.corpus_no:
        if runs := runs_of(engine, condition_no):
            condition.inputs.add(
                "E716",
                f"condition '{condition_id}'",
                f"the store has this condition for another corpus; its {counted(len(runs), 'run')} would be lost",
                "Give the condition another id, or drop the other one first.",
                value=", ".join(runs),
            )
        registry.drop(engine, "condition_no", condition_no)
        row = []
    profiles = condition.profiles
    runs, gone = list[str](), list[str]()
    if row:
        runs = runs_of(engine, condition_no)
        gone = engine.column(
            "select profile_id from registry.condition_profile join registry.profile using (profile_no) "
            "where condition_no = ? and not list_contains(?, profile_id) order by profile_no",
            [condition_no, profiles],
        )
    said: list[str] = []  #: what of a former condition is no longer there
    if row and row[0][1] == content:
        report.kept.append(owner)
        forget(engine, condition.inputs)
    else:
        before = _numbering(engine, owner, condition_no) if runs else None
        if row:
            registry.drop_owned(engine, "condition_no", condition_no)
            engine.execute("delete from registry.condition where condition_no = ?", [condition_no])
        _register(engine, condition, condition_no, corpus, content)
        add_package(engine, condition.task)
        plan.write(engine, condition_no)
        plan.drop(engine)
        excluded = spec.get("exclude_topics", {})
        engine.insert(
            "registry.excluded_topic",
            {
                "condition_no": condition_no,
                "topic_id": list(excluded),
                "reason": list(excluded.values()),
            },
        )
        report.record(engine, owner, condition.inputs)
        if row and not any(one.startswith("corpus:") for one in report.loaded):
            said.append("is replaced (its settings, files or corpus changed)")
        if before is not None and before != _numbering(engine, owner, condition_no):
            report.renumbered.append(condition_id)
    if excluded := spec.get("exclude_topics"):
        listed = ", ".join(f"{topic} ({reason})" for topic, reason in excluded.items())
        report.notes.append(f"condition {condition_id}: left out are the topics {listed}")
    if gone:
        said.append(f"has no numbers under {' and '.join(gone)} any more")
    if said:
        what = f", with {counted(len(runs), 'run')}: {first_few(runs)}" if runs else ""
        report.replaced[owner] = f"condition {condition_id} {' and '.join(said)}{what}"
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


def runs_of(engine: Engine, condition_no: int) -> list[str]:
    """Return the names of the runs of a condition."""
    return engine.column("select run_id from registry.run where condition_no = ? order by run_id", [condition_no])


def _numbering(engine: Engine, owner: str, condition_no: int) -> tuple[Contents, list[tuple]]:
    """Return what the rows of runs refer to by number: where it differs, stored runs mean something else."""
    blocks = engine.rows(
        "select block_no, block_id from base.block where condition_no = ? order by block_no", [condition_no]
    )
    return contents_of(engine, {owner: _NUMBERED}, {owner: Place("condition_no", condition_no)})[owner], blocks


def left_behind(engine: Engine, report: Report) -> list[Problem]:
    """Return an error (E715) for each condition that has other topics or trials now, and runs that were not read
    again.
    """
    found = []
    for condition_id in report.renumbered:
        stored = engine.rows(
            "select run_id, coalesce(string_agg(path, ', ' order by input_file_no), format) from registry.run "
            "join registry.condition using (condition_no) left join registry.input_file "
            "on owner = 'run:' || condition_id || '/' || run_id where condition_id = ? group by run_id, format "
            "order by run_id",
            [condition_id],
        )
        left = [row for row in stored if f"run:{condition_id}/{row[0]}" not in {*report.loaded, *report.kept}]
        if left:
            those = f"run {left[0][0]} is" if len(left) == 1 else f"{len(left)} runs are"
            problems = Problems(f"condition:{condition_id}")
            problems.add(
                "E715",
                f"its topics or trials changed, and {those} not read again, so their rows would count for others: "
                f"{first_few([f'{run} ({given})' for run, given in left], 12)}",
                f"Add each to the bundle, or drop it: tdtsql run drop {left[0][0]} --condition {condition_id}",
            )
            found += problems.found
    return found


#: columns of registry.condition that a bundle calls otherwise
_KEY_OF = {"score_kind": "scores", "group_by": "group", "cluster_by": "cluster", "ranked_by": "measure"}


def _register(engine: Engine, condition: Condition, condition_no: int, corpus: Corpus, content: str) -> None:
    spec, common = condition.spec, condition.common
    chosen = dict(TASKS[condition.task].condition_policies)
    # qrels alone do not list the documents: a retrieved document beyond them is unjudged, and counts as not relevant
    if "unknown_documents" in chosen and not corpus.is_listed and "trials" not in spec:
        chosen["unknown_documents"] = "not_relevant"
    keys = TASKS[condition.task].keys  # names may hold blanks
    # policies: a column is NULL for tasks without it
    policies = {
        key: _one_text(spec.get(name, default), "\n" if keys.get(name) == "list of texts" else " ")
        for key, default in chosen.items()
        for name in [_KEY_OF.get(key, key)]
    }
    policies |= {key: "\n" for key in ("attributes", "subsets") if spec.get(key) == []}  # none, and not the default
    if policies.get("score_kind", "score") != "score":
        policies["score_kind"] = "llr"  # what probabilities and base-10 logarithms become
    row = {
        "condition_no": condition_no,
        "condition_id": spec["id"],
        "corpus_no": corpus.corpus_no,
        "task": condition.task,
        "judgment_set": 1,
        "base_condition_no": condition_no,
        "nt": condition.nt,
        "training_language": condition.training_language,
        "languages": " ".join(common["languages"]) if "languages" in common else None,
        "deferral": common.get("deferral"),
        "pointer_type": condition.pointer_type,
        "mapping": common.get("mapping", "majority"),
        "on_topic": " ".join(common.get("on_topic", ["yes"])),
        "topic_pattern": common.get("topic_pattern"),
        "has_key": int("key" in spec),
        **policies,
        "is_required": int(is_required(condition, corpus)),
        "content_sha256": "",  # set after its rows are stored
        "source_sha256": content,
    }
    engine.insert_rows("registry.condition", list(row), [list(row.values())])
