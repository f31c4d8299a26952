"""A whole bundle into a store: read everything, store it in one transaction, score it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

import duckdb

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import InvalidInput, Problem, Problems, UnknownName
from tdtsql.metric.ddl import tables
from tdtsql.reader.bundle import Bundle, line_of, read_bundle
from tdtsql.store import registry
from tdtsql.audit.invariants import audit
from tdtsql.store.contents import CHOSEN_PROFILES, READ_OF_RUN, contents_of, run_hash
from tdtsql.store.ledger import rows_hash, seal
from tdtsql.intake.inputs import Inputs, digested_ahead, fingerprint
from tdtsql.scoring.labelled_stories import label_stories
from tdtsql.loading.condition import Condition, read_condition, training_files
from tdtsql.loading.corpus import Corpus, read_corpus, write_corpus
from tdtsql.loading.tasks.filtering import load_trec_files
from tdtsql.loading.tasks.link import LinkTrials, drop_tables
from tdtsql.loading.tasks.tracking import (
    append_table, frame_decisions, load_tidy_files, parse_clean_tidy_files, target_of, warn_of_missing, write_decisions,
)
from tdtsql.loading.tasks.partition import FORMATS as PARTITION_FORMATS, TASK as PARTITION, PartitionPlan, format_of, read_partition_condition, stored_policies
from tdtsql.loading.tasks.temporal_summarization import TrackCondition, load_track_columns, load_track_runs, read_track_condition
from tdtsql.scoring.partitions import mark_run
from tdtsql.store.input_folders import remember_folder
from tdtsql.store.profiles import load_profiles, profile_mistakes, profile_number
from tdtsql.scoring.score import score_stale
from tdtsql.loading.second_judgments import mirror_conditions
from tdtsql.intake.staging import stage
from tdtsql.loading.task_loaders import LOADERS, is_required
from tdtsql.task import CONDITION_POLICIES, TASKS
from tdtsql.version import __version__


@dataclass(slots=True)
class Report:
    """What an evaluation did."""

    warnings: list[Problem] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)  #: owners that were loaded or replaced
    kept: list[str] = field(default_factory=list)  #: owners that had not changed
    said: list[str] = field(default_factory=list)  #: what was recognised rather than told
    n_scored: int = 0  #: runs, per profile, that were scored


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
        if condition.task == PARTITION:
            return read_partition_condition(self.engine, condition.spec, condition.inputs)
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
            if isinstance(blocks, PartitionPlan):
                blocks.discard(self.engine)
        else:
            registry.clear_condition(self.engine, condition_no)
            self.engine.execute("delete from registry.condition where condition_no = ?", [condition_no])
            self._write_condition(condition, condition_no, corpus_no, content, is_required(condition, corpus))
            if isinstance(blocks, TrackCondition | PartitionPlan):
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
        inputs = Inputs(self.folder, options={key: spec[key] for key in ("item", "cluster", "block") if key in spec})
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
    if isinstance(blocks, TrackCondition | PartitionPlan):
        return blocks.names
    if isinstance(blocks, LinkTrials):
        return [" ".join(pair) for pair in blocks.pairs]
    return [block.block_id for block in blocks]


def _recognised(files: list, otherwise: str = "tdt") -> str:
    """Return the format of run files by their names: never by their content."""
    name = files[0][0].removesuffix(".gz") if files else ""
    if otherwise == "tidy":
        return format_of(files)
    if otherwise in ("ts", "vt"):  # the track's own files are called .tsv
        return "tidy" if name.endswith((".csv", ".parquet")) else otherwise
    return "tidy" if name.endswith((".csv", ".tsv", ".parquet")) else otherwise


def store_run(engine: Engine, run_id: str | None, condition_no: int, inputs: Inputs, files, format_: str, names: str, report: Report) -> list[Problem]:
    """Store the run or runs that files hold, unless they are there already; returns the problems."""
    target = target_of(engine, condition_no)
    [(condition_id, *said)] = engine.rows(f"select condition_id, {', '.join(CONDITION_POLICIES)} from registry.condition where condition_no = ?", [condition_no])
    policies = {key: value for key, value in zip(CONDITION_POLICIES, said, strict=True) if value is not None}
    hashes = [inputs.digest(given, path, format_)[0].sha256 for given, path in files]
    content = fingerprint(*hashes, *[given for given, _ in files], names, format_, run_id, __version__, *sorted(policies.items()), *sorted(inputs.options.items()))
    owned = engine.rows("select run_no, run_id from registry.run where condition_no = ? and source_sha256 = ?", [condition_no, content])
    if owned and files:
        report.kept += [f"run:{condition_id}/{name}" for _, name in owned]
        return inputs.problems
    task = engine.value("select task from registry.condition where condition_no = ?", [condition_no])
    if format_ not in TASKS[task].formats:
        inputs.add("E709", files[0][0] if files else condition_id, f"a run of task {task} cannot be in format {format_}, expected "
                   f"{' or '.join(TASKS[task].formats)}", "Name the format of the files.")
        return inputs.problems
    if task == PARTITION:
        _store_partitions(engine, run_id, condition_no, condition_id, inputs, files, format_, content, policies, report)
        return inputs.problems
    if task not in LOADERS:
        runs = load_track_runs(engine, condition_no, inputs, files, task, format_, run_id, _numbering(engine, condition_no, inputs, files, report))
        _write_track_runs(engine, condition_no, runs, format_, content, inputs, report)
        return inputs.problems
    known = LOADERS[task]
    if format_ in ("tdt", "htd-xml"):
        run_no = registry.next_number(engine, "registry.run", "run_no") if run_id is None else _new_run(engine, run_id, condition_no)
        system = known.load(target, run_no, inputs, files)
        name = run_id or system or "run"
        owner = f"run:{condition_id}/{name}"
        if owner in report.loaded or (run_id is None and owner in report.kept):
            inputs.add("E705", files[0][0] if files else condition_id, f"a second run of condition '{condition_id}' with the same name",
                       "Give each run its own id.", value=name)
            return inputs.problems
        if run_id is None:  # the file names the run, and may replace one
            for [earlier] in engine.rows("select run_no from registry.run where run_id = ? and condition_no = ?", [name, condition_no]):
                registry.drop_run(engine, earlier)
        _write_run(engine, run_no, name, condition_no, system, format_, content, inputs)
        report.loaded.append(owner)
        return inputs.problems
    if format_ == "trec":
        runs = load_trec_files(target, inputs, files, **policies)
        if run_id is not None and len(runs) == 1:  # the tag names the run, unless the user does
            runs = {run_id: next(iter(runs.values()))}
    elif task == "tracking" and run_id is not None and f"run:{condition_id}/{run_id}" not in report.loaded \
            and (parsed := parse_clean_tidy_files(target, inputs, files)):
        run_no = _new_run(engine, run_id, condition_no)
        append_table(engine, run_no, condition_no, parsed)
        warn_of_missing(target, run_no, inputs, {}, files[0][0])
        _write_run(engine, run_no, run_id, condition_no, None, format_, content, inputs)
        report.loaded.append(f"run:{condition_id}/{run_id}")
        return inputs.problems
    else:
        runs = load_tidy_files(target, inputs, files, known.tidy_form, known.tidy)
    _write_runs(engine, run_id, condition_no, condition_id, runs, format_, content, inputs, report)
    return inputs.problems


@dataclass(frozen=True, slots=True)
class _Stored:
    """A condition that is in the store."""

    engine: Engine
    condition_no: int
    condition_id: str
    policies: Mapping[str, str]


def _store_partitions(engine: Engine, run_id: str | None, condition_no: int, condition_id: str, inputs: Inputs, files, format_: str, content: str,
                      policies: Mapping[str, str], report: Report) -> None:
    target = _Stored(engine, condition_no, condition_id, policies)
    for answer in PARTITION_FORMATS["tidy" if format_ == "frame" else format_].answers(target, inputs, files, inputs.options, run_id):
        if answer.name is None:
            inputs.add("E708", files[0][0] if files else "clusters", "the run has no id: neither the bundle nor the file names it",
                       "Give the run an id, or the file a column run_id.")
            continue
        if f"run:{condition_id}/{answer.name}" in report.loaded:
            inputs.add("E705", files[0][0], f"a second run of condition '{condition_id}' with the same name", "Give each run its own run_id or id.", value=answer.name)
            continue
        run_no = _new_run(engine, answer.name, condition_no)
        n_row = answer.write(target, inputs, run_no, stored_policies(engine, condition_no))
        _write_run(engine, run_no, answer.name, condition_no, None, format_, content, inputs, n_row)
        report.loaded.append(f"run:{condition_id}/{answer.name}")


def _check_stored(inputs: Inputs, files: list, is_stored: bool) -> None:
    """Report files from which no run came, though nothing in them is an error."""
    if files and not is_stored and not inputs.has_errors:
        inputs.add("E837", files[0][0], "no run is in the file: not one of its rows can be read as a decision", "Is it in the format that the condition takes?")


def _numbering(engine: Engine, condition_no: int, inputs: Inputs, files, report: Report) -> Callable[[str], int]:
    """Return what gives each run of a file its number, dropping the run it replaces."""
    condition_id = engine.value("select condition_id from registry.condition where condition_no = ?", [condition_no])
    used: set[int] = set()

    def number(name: str) -> int:
        if f"run:{condition_id}/{name}" in report.loaded:
            inputs.add("E705", files[0][0], f"a second run of condition '{condition_id}' with the same name",
                       "Give each run its own team and run name, or name its files together.", value=name)
        found = _new_run(engine, name, condition_no)
        while found in used:
            found += 1
        used.add(found)
        return found

    return number


def _write_track_runs(engine: Engine, condition_no: int, runs: Mapping[str, tuple[int, int]], format_: str, content: str, inputs: Inputs,
                      report: Report) -> None:
    condition_id = engine.value("select condition_id from registry.condition where condition_no = ?", [condition_no])
    for name, (run_no, n_row) in runs.items():
        _write_run(engine, run_no, name, condition_no, None, format_, content, inputs, n_row)
        report.loaded.append(f"run:{condition_id}/{name}")


def _write_runs(engine: Engine, run_id: str | None, condition_no: int, condition_id: str, runs: Mapping, format_: str, content: str,
                inputs: Inputs, report: Report) -> None:
    task = engine.value("select task from registry.condition where condition_no = ?", [condition_no])
    for name, decisions in runs.items():
        if name is None and run_id is None:
            inputs.add("E708", inputs.files[0].path if inputs.files else "decisions", "the run has no id: neither the bundle nor the file names it",
                       "Give the run an id, or the file a column run_id.")
            continue
        chosen = name if name is not None else run_id
        if f"run:{condition_id}/{chosen}" in report.loaded:
            inputs.add("E705", inputs.files[0].path, f"a second run of condition '{condition_id}' with the same name",
                       "Give each run its own tag, run_id or id.", value=chosen)
            continue
        run_no = _new_run(engine, chosen, condition_no)
        write_decisions(engine, run_no, decisions, condition_no=condition_no)
        if task == "tracking" and not any(problem.is_error for problem in inputs.problems):
            warn_of_missing(target_of(engine, condition_no), run_no, inputs, {}, inputs.files[0].path if inputs.files else "decisions")
        _write_run(engine, run_no, chosen, condition_no, None, format_, content, inputs)
        report.loaded.append(f"run:{condition_id}/{chosen}")


def _new_run(engine: Engine, run_id: str, condition_no: int) -> int:
    """Return a number for a run, that of the run of this name where it replaces one."""
    row = engine.rows("select run_no from registry.run where run_id = ? and condition_no = ?", [run_id, condition_no])
    if row:
        registry.drop_run(engine, row[0][0])
        return row[0][0]
    return registry.next_number(engine, "registry.run", "run_no")


def _write_run(engine: Engine, run_no: int, run_id: str, condition_no: int, system: str | None, format_: str, content: str, inputs: Inputs,
               n_row: int | None = None) -> None:
    if n_row is None:
        n_row = engine.value("select (select count(*) from base.decision where run_no = $run) + (select count(*) from base.vertex where run_no = $run)",
                             {"run": run_no})
    condition_id = engine.value("select condition_id from registry.condition where condition_no = ?", [condition_no])
    owner = f"run:{condition_id}/{run_id}"
    read = contents_of(engine, owner, ("run_no", run_no), READ_OF_RUN)
    engine.insert("registry.run", {
        "run_no": [run_no], "run_id": [run_id], "condition_no": [condition_no], "system": [system], "format": [format_],
        "n_row": [n_row], "content_sha256": [run_hash(run_id, read) if read or engine.has_decisions else content], "source_sha256": [content],
    })
    mark_run(engine, run_no)
    registry.record_inputs(engine, owner, inputs.files, inputs.problems, __version__, read)


def add_run(engine: Engine, run_id: str | None, condition_id: str, decisions, format_: str | None, *, keep: bool = True) -> list[Problem]:
    """Add or replace one run from files or from columns, or, without ``keep``, only read it; see Store.add_run."""
    engine.check_loads()
    report = Report()
    with engine.exclusive(), engine.transaction(keep=keep):
        condition_no = _condition_number(engine, condition_id)
        if isinstance(decisions, str | Path) or (isinstance(decisions, list) and all(isinstance(entry, str | Path) for entry in decisions)):
            paths = [decisions] if isinstance(decisions, str | Path) else decisions
            inputs = Inputs(Path())
            files = [(str(path), Path(path)) for path in paths if Path(path).is_file() and inputs.may_read(str(path), Path(path), "run files")]
            for path in paths:
                if not Path(path).is_file():
                    inputs.add("E710", str(path), "there is no such file", "Correct the path.")
            task = engine.value("select task from registry.condition where condition_no = ?", [condition_no])
            otherwise = TASKS[task].official_format
            try:
                store_run(engine, run_id, condition_no, inputs, files, format_ or _recognised(files, otherwise), "", report)
            except Exception:
                if inputs.has_errors:  # what is wrong with a file was found before its rows came to where they cannot be
                    raise InvalidInput(inputs.told()) from None
                raise
            _check_stored(inputs, files, bool(report.loaded or report.kept))
            problems = inputs.told()
        else:
            inputs = Inputs(Path())
            _add_columns(engine, run_id, condition_no, condition_id, _columns(engine, decisions), inputs, report)
            problems = inputs.told()
        if any(problem.is_error for problem in problems):
            raise InvalidInput(problems)
        mirror_conditions(engine, engine.value("select corpus_no from registry.condition where condition_no = ?", [condition_no]))
        registry.refresh_current_inputs(engine)
        odd = [Problem("W891", f"run:{condition_id}/{run_id}", None, None, f"{result.invariant.title}, and {result.n_bad} rows do not", result.first,
                       "`tdtsql audit` tells more.") for result in audit(engine, only_at_load=True) if result.n_bad]
    if keep and inputs.files:
        remember_folder(engine, Path())
    return [*problems, *odd]


def _condition_number(engine: Engine, condition_id: str) -> int:
    number = engine.value("select condition_no from registry.condition where condition_id = ?", [condition_id])
    if number is None:
        known = [name for [name] in engine.rows("select condition_id from registry.condition order by condition_id")]
        raise UnknownName(f"condition '{condition_id}' is not in the store. It has {', '.join(known) or 'none'}.")
    return number


def _add_columns(engine: Engine, run_id: str | None, condition_no: int, condition_id: str, columns: dict[str, list], inputs: Inputs, report: Report) -> None:
    """Store a run given as columns."""
    task = engine.value("select task from registry.condition where condition_no = ?", [condition_no])
    if task == "summarization":
        content = fingerprint(run_id, condition_id, *[f"{name} {values!r}" for name, values in columns.items()])
        number = _numbering(engine, condition_no, inputs, [("decisions", None)], report)
        runs = load_track_columns(engine, condition_no, inputs, columns, run_id, number)
        _write_track_runs(engine, condition_no, runs, "frame", content, inputs, report)
        return
    if task == PARTITION:
        content = fingerprint(run_id, condition_id, *[f"{name} {values!r}" for name, values in columns.items()])
        policies = {"noise_label": engine.value("select noise_label from registry.condition where condition_no = ?", [condition_no])}
        _store_partitions(engine, run_id, condition_no, condition_id, inputs, [("decisions", columns)], "frame", content, policies, report)
        return
    known = LOADERS.get(task)
    if known is None or known.tidy is None:
        raise InvalidInput([Problem("E709", "decisions", None, None, f"a run of task {task} cannot be given as columns", None,
                                    f"Give a file in format {TASKS[task].official_format}.")])
    runs = frame_decisions(target_of(engine, condition_no), inputs, columns, known.tidy_form, known.tidy)
    content = fingerprint(run_id, condition_id, *[repr((d.block_no, d.trial_no, d.is_yes, d.score)) for d in runs.values()])
    if run_id is not None and len(runs) == 1:  # a column run_id names the runs, unless there is one and the user names it
        runs = {run_id: next(iter(runs.values()))}
    _write_runs(engine, run_id, condition_no, condition_id, runs, "frame", content, inputs, report)


def _columns(engine: Engine, frame) -> dict[str, list]:
    """Return the columns of a data frame, an Arrow table, a relation or a mapping as lists.

    Raises:
        InvalidInput: it is none of them.
    """
    if isinstance(frame, Mapping):
        return _of_mapping(frame)
    relation = frame if hasattr(frame, "fetchall") else engine.connection.from_arrow(frame) if _is_arrow(frame) else None
    if relation is None:
        try:
            engine.connection.register("incoming_frame", frame)
            relation = engine.connection.sql("select * from incoming_frame")
        except (duckdb.Error, TypeError, RuntimeError):  # by kind of object
            raise InvalidInput([Problem("E709", "decisions", None, None, f"a {type(frame).__name__} has no columns that can be read", None,
                                        "Give a data frame (pandas, polars), an Arrow table, a relation, a mapping of columns to lists, or a path.")]) from None
    names = relation.columns
    rows = relation.fetchall()
    return {name: [row[place] for row in rows] for place, name in enumerate(names)}


def _of_mapping(columns: Mapping) -> dict[str, list]:
    """Return columns as lists; arrays give values of Python, not their own."""
    lists = {str(name): values.tolist() if hasattr(values, "tolist") else values for name, values in columns.items()}
    if any(not isinstance(values, list | tuple) for values in lists.values()) or len({len(values) for values in lists.values()}) > 1:
        raise InvalidInput([Problem("E709", "decisions", None, None, "the columns of a mapping are not lists of one length", None,
                                    "Give every column as a list or an array, all equally long.")])
    return {name: list(values) for name, values in lists.items()}


def _is_arrow(frame: object) -> bool:
    return type(frame).__module__.split(".")[0] == "pyarrow"
