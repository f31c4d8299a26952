"""A whole bundle into a store: read everything, store it in one transaction, score it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple


from tdtsql.engine.duckdb import Engine
from tdtsql.errors import InvalidInput, Problem, Problems
from tdtsql.metric.ddl import tables
from tdtsql.reader.bundle import Bundle, line_of, read_bundle
from tdtsql.store import registry
from tdtsql.audit.invariants import audit
from tdtsql.store.contents import CHOSEN_PROFILES
from tdtsql.store.ledger import rows_hash, seal
from tdtsql.intake.inputs import Inputs, digested_ahead, fingerprint
from tdtsql.scoring.labelled_stories import label_stories
from tdtsql.loading.report import Report
from tdtsql.loading.run import _check_stored, _recognised, store_run
from tdtsql.loading.condition import Condition, read_condition, training_files
from tdtsql.loading.corpus import Corpus, read_corpus, write_corpus
from tdtsql.loading.tasks.link import LinkTrials, drop_tables
from tdtsql.loading.tasks.temporal_summarization import TrackCondition, read_track_condition
from tdtsql.store.input_folders import remember_folder
from tdtsql.store.profiles import load_profiles, profile_mistakes, profile_number
from tdtsql.scoring.score import score_stale
from tdtsql.loading.second_judgments import mirror_conditions
from tdtsql.intake.staging import stage
from tdtsql.loading.task_loaders import LOADERS, is_required
from tdtsql.task import TASKS
from tdtsql.version import __version__


Progress = Callable[[int, int, str], None]


def evaluate_into(engine: Engine, path: Path, *, progress: Progress | None = None, score: bool = True, with_runs: bool = True) -> Report:
    """Load a bundle into an open store and bring its numbers up to date.

    Everything is one transaction: with an error in any file the store stays as it was.

    Raises:
        InvalidInput: files with errors, all of them reported.
        InvalidBundle: a profile that cannot be.
    """
    engine.check_loads()
    report = Report()
    bundle = _read_bundle(path, engine)
    if not with_runs:
        bundle = replace(bundle, runs=[])
    loader = _Loader(engine, bundle, path.parent, report, progress or (lambda *_: None))
    with engine.exclusive(), engine.transaction():
        loader.load()
        report.said += [f"audit: {result.invariant.title}, and {result.n_bad} rows do not: {result.first}"
                        for result in audit(engine, only_at_load=True) if result.n_bad]
    remember_folder(engine, path.parent)
    if score:
        report.n_scored = score_stale(engine, progress=progress)
        report.said += [f"audit: {result.invariant.title}, and {result.n_bad} rows do not: {result.first}"
                        for result in audit(engine, only_of_kept=True) if result.n_bad]
    return report


def _read_bundle(path: Path, engine: Engine) -> Bundle:
    problems = Problems(str(path))
    try:
        data = path.read_bytes()
    except OSError as error:
        problems.add("E710", f"the bundle cannot be read: {error.strerror}", advice="Name a bundle file.")
        raise InvalidInput(problems.found) from None
    bundle = read_bundle(data, problems)
    if not problems.errors:
        wanted = [name for condition in bundle.conditions for name in condition.get("profile", [])]
        lines = data.decode("utf-8-sig").splitlines()
        for message, key, value, advice in profile_mistakes(engine, bundle.profiles, wanted):
            problems.add("E711", message, line=line_of(lines, key, value), value=value, advice=advice)
    if problems.errors:
        raise InvalidInput(problems.found)
    return bundle


class _RunFiles(NamedTuple):
    """The files of one run of a bundle."""

    spec: Mapping
    inputs: Inputs
    files: list[tuple[str, Path]]  #: (path as given, path on disk)
    format: str


class _Loader:
    """One evaluation under way."""

    def __init__(self, engine: Engine, bundle: Bundle, folder: Path, report: Report, progress: Progress):
        self.engine = engine
        self.bundle = bundle
        self.folder = folder
        self.report = report
        self.progress = progress
        self.problems: list[Problem] = []
        self.underway: list[Inputs] = []  #: files whose problems are not in ``problems`` yet
        self.broken: set[str] = set()  #: conditions whose files, or whose corpus, have errors

    def load(self) -> None:
        runs = [self._run_files(run) for run in self.bundle.runs]
        with digested_ahead((run.inputs, run.files, run.format) for run in runs):
            try:
                self._load(runs)
            except InvalidInput:
                raise
            except Exception:
                # what is wrong with a file was found before its rows came to where they cannot be: that is what to say
                found = [*self.problems, *(problem for inputs in self.underway for problem in inputs.told())]
                if any(problem.is_error for problem in found):
                    raise InvalidInput(dict.fromkeys(found)) from None
                raise

    def _load(self, runs: list[_RunFiles]) -> None:
        load_profiles(self.engine, self.bundle.profiles, f"bundle {self.bundle.name or self.folder.name}")
        conditions = [read_condition(spec, self.folder) for spec in self.bundle.conditions]
        self.progress(0, 1, "reading the corpus")
        corpus = read_corpus(self.bundle.corpus, self.folder, [files for condition in conditions for files in condition.index_files],
                             [file for condition in conditions for file in training_files(condition)])
        self.underway = [corpus.inputs, *(condition.inputs for condition in conditions)]
        prepared = [(condition, self._prepare(condition, corpus)) for condition in conditions]
        # the source files are those of the indexes
        self.problems += corpus.inputs.told(follows=any(condition.inputs.has_errors for condition in conditions))
        corpus_no, structure = self._store_corpus(corpus)
        numbers = {condition.spec["id"]: self._store_condition(condition, blocks, corpus_no, corpus, structure) for condition, blocks in prepared}
        if any(owner.startswith(("corpus:", "condition:")) for owner in self.report.loaded):
            # of all conditions: new judgments are also those of conditions that this bundle does not name
            label_stories(self.engine, [row[0] for row in self.engine.rows("select condition_no from registry.condition where corpus_no = ?", [corpus_no])])
        for condition in conditions:
            self.problems += condition.inputs.told(follows=corpus.inputs.has_errors)
        self.broken = {condition.spec["id"] for condition in conditions if corpus.inputs.has_errors or condition.inputs.has_errors}
        for number, run in enumerate(runs):
            self.progress(number, len(runs), f"loading run {run.spec.get('id', run.spec['files'])}")
            self._store_run(run, *numbers[run.spec["condition"]])
        if any(problem.is_error or self.bundle.strict for problem in self.problems):
            raise InvalidInput(self.problems)
        self.report.warnings = self.problems
        self.report.loaded += [f"condition:{name}" for name in mirror_conditions(self.engine, corpus_no)]
        registry.refresh_current_inputs(self.engine)

    def _prepare(self, condition: Condition, corpus: Corpus):
        if condition.task not in LOADERS:
            track = read_track_condition(self.engine, condition.spec, condition.inputs)
            condition.spec = {**condition.spec, "file_rules": track.file_rules}
            return track
        return LOADERS[condition.task].prepare(self.engine, condition, corpus)

    def _store_corpus(self, corpus: Corpus) -> tuple[int, str]:
        """Store the corpus unless it is there already; returns its number and a hash of its stories and topics."""
        corpus_id = self.bundle.corpus["id"]
        structure = fingerprint(*[f"{story[0]} {story[1]}" for story in corpus.stories], *sorted(corpus.topics))
        content = corpus.inputs.fingerprint(structure, sorted(self.bundle.corpus.items()))
        owner = f"corpus:{corpus_id}"
        row = self.engine.rows("select corpus_no, content_sha256 from registry.corpus where corpus_id = ?", [corpus_id])
        if row and row[0][1] == content:
            self.report.kept.append(owner)
            return row[0][0], structure
        corpus_no = row[0][0] if row else registry.next_number(self.engine, "registry.corpus", "corpus_no")
        others = sorted({name for [name] in self.engine.rows("select condition_id from registry.condition where corpus_no = ? and judgment_set = 1", [corpus_no])}
                        - {condition["id"] for condition in self.bundle.conditions})
        before = self._numbered(corpus_no) if others else []
        registry.clear_corpus(self.engine, corpus_no)
        self.engine.execute("delete from registry.corpus where corpus_no = ?", [corpus_no])
        self.engine.insert("registry.corpus", {"corpus_no": [corpus_no], "corpus_id": [corpus_id], "n_story": [len(corpus.stories)],
                                               "content_sha256": [content]})
        write_corpus(self.engine, corpus_no, corpus)
        if others and self._numbered(corpus_no) != before:
            self.problems.append(Problem(
                "E816", f"corpus '{corpus_id}'", None, None, f"condition {others[0]}, which this bundle does not name, was loaded for other stories or topics",
                others[0], f"Name it in the bundle too, give the corpus another id, or drop it first: tdtsql corpus drop {corpus_id}."))
        stage(self.engine, owner, corpus.inputs)
        registry.record_inputs(self.engine, owner, corpus.inputs.files, corpus.inputs.problems, __version__)
        self.report.loaded.append(owner)
        return corpus_no, structure

    def _numbered(self, corpus_no: int) -> list[tuple[int, str]]:
        """Return what changes with any story, source file or topic that conditions refer to by number."""
        return [rows_hash(self.engine, table, tables()[table].columns, f"corpus_no = {corpus_no}") for table in ("base.source_file", "base.story", "base.topic")]

    def _store_condition(self, condition: Condition, blocks, corpus_no: int, corpus: Corpus, structure: str) -> tuple[int, str]:
        """Store a condition unless it is there already; returns its number and a hash of what decisions refer to."""
        spec = condition.spec
        condition_id = spec["id"]
        owner = f"condition:{condition_id}"
        parameters = sorted((key, value) for key, value in spec.items() if key != "profile")
        names = fingerprint(structure, *_names(blocks), *[f"{file.sha256}" for file in condition.inputs.files], spec.get("mapping"))
        corpus_content = self.engine.value("select content_sha256 from registry.corpus where corpus_no = ?", [corpus_no])
        content = condition.inputs.fingerprint(corpus_content, parameters)
        if TASKS[condition.task].is_tree:  # what is stored of a run depends on the collection and the judgments
            names = content
        row = self.engine.rows("select condition_no, content_sha256, corpus_no from registry.condition where condition_id = ?", [condition_id])
        condition_no = row[0][0] if row else registry.next_number(self.engine, "registry.condition", "condition_no")
        if row and row[0][2] != corpus_no:
            registry.drop_condition(self.engine, condition_no)
            row = []
        if row and row[0][1] == content:
            self.report.kept.append(owner)
            if isinstance(blocks, LinkTrials):
                drop_tables(self.engine, blocks)
        else:
            registry.clear_condition(self.engine, condition_no)
            self.engine.execute("delete from registry.condition where condition_no = ?", [condition_no])
            self._write_condition(condition, condition_no, corpus_no, content, is_required(condition, corpus))
            if isinstance(blocks, TrackCondition):
                blocks.write(self.engine, condition_no)
            else:
                LOADERS[condition.task].write(self.engine, condition_no, condition, corpus, blocks)
            stage(self.engine, owner, condition.inputs)
            registry.record_inputs(self.engine, owner, condition.inputs.files, condition.inputs.problems, __version__)
            self.report.loaded.append(owner)
        self.engine.execute("delete from registry.condition_profile where condition_no = ?", [condition_no])
        profiles = [profile_number(self.engine, name) for name in spec.get("profile") or [TASKS[condition.task].default_profile]]
        self.engine.insert("registry.condition_profile", {"condition_no": [condition_no] * len(profiles), "profile_no": profiles})
        seal(self.engine, owner, CHOSEN_PROFILES)
        return condition_no, names

    def _write_condition(self, condition: Condition, condition_no: int, corpus_no: int, content: str, in_plan: bool) -> None:
        spec = condition.spec
        self.engine.insert("registry.condition", {
            "condition_no": [condition_no], "condition_id": [spec["id"]], "corpus_no": [corpus_no], "task": [condition.task],
            "judgment_set": [1], "base_condition_no": [condition_no], "nt": [condition.nt], "training_language": [condition.training_language],
            "languages": [" ".join(spec["languages"]) if "languages" in spec else None], "deferral": [spec.get("deferral")],
            "pointer_type": [condition.pointer_type], "mapping": [spec.get("mapping", "majority")],
            "on_topic": [" ".join(spec.get("on_topic", ["yes"]))], "topic_pattern": [spec.get("topic_pattern")],
            "has_key": [int("key" in spec)], **self._policies(condition), "is_required": [int(in_plan)], "content_sha256": [content],
        })

    def _run_files(self, spec: Mapping) -> _RunFiles:
        inputs = Inputs(self.folder)
        files = inputs.resolve(spec["files"], "run files")
        return _RunFiles(spec, inputs, files, spec.get("format") or _recognised(files, self._official_format(spec["condition"])))

    def _store_run(self, run: _RunFiles, condition_no: int, names: str) -> None:
        if "format" not in run.spec and run.files:
            self.report.said.append(f"run {run.spec.get('id', run.files[0][0])}: read as {run.format}")
        self.underway = [run.inputs]
        before = len(self.report.loaded) + len(self.report.kept)
        store_run(self.engine, run.spec.get("id"), condition_no, run.inputs, run.files, run.format, names, self.report)
        _check_stored(run.inputs, run.files, len(self.report.loaded) + len(self.report.kept) > before)
        self.problems += run.inputs.told(follows=run.spec["condition"] in self.broken)

    def _official_format(self, condition_id: str) -> str:
        [task] = [condition["task"] for condition in self.bundle.conditions if condition["id"] == condition_id]
        return TASKS[task].official_format

    @staticmethod
    def _policies(condition: Condition) -> dict[str, list[str]]:
        """Return what a condition says where its task lets it choose; NULL for another task."""
        return {key: [condition.spec.get(key, default)] for key, default in TASKS[condition.task].condition_policies.items()}


def _names(blocks) -> list[str]:
    if isinstance(blocks, TrackCondition):
        return blocks.names
    if isinstance(blocks, LinkTrials):
        return [" ".join(pair) for pair in blocks.pairs]
    return [block.block_id for block in blocks]
