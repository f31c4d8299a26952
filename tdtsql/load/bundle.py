"""A whole bundle into a store: read everything, store it in one transaction, score it."""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import InvalidInput, Problem, Problems
from tdtsql.files.checks import select
from tdtsql.files.digest import digest_threads
from tdtsql.files.find import Inputs
from tdtsql.files.frame import NAME, Frame
from tdtsql.load.tasks import read_plan, recognised_format
from tdtsql.load.condition import (
    Condition,
    index_topics,
    left_behind,
    read_condition,
    store_condition,
)
from tdtsql.load.corpus import Corpus, CorpusFiles, store_corpus, stored_corpus
from tdtsql.load.decisions import move_decisions
from tdtsql.load.plan import ConditionSpec, Source, StoredCondition, stored_condition
from tdtsql.load.report import Report, oddities
from tdtsql.progress import Progress, silent
from tdtsql.load.run import RunFiles, Runs, check_provenance, read_facts, store_provenance
from tdtsql.load.second_judgments import copy_to_second_judgments
from tdtsql.load.settings import Bundle, Check, read_bundle, run_options
from tdtsql.store.derived import build_labelled_story
from tdtsql.scoring.hierarchy import refresh_hierarchies_not_loaded
from tdtsql.scoring.score import score_stale
from tdtsql.store import registry
from tdtsql.store.define import add_own, read_files
from tdtsql.store.profiles import load_profiles, profile_mistakes


def evaluate_into(
    engine: Engine,
    path: Path,
    *,
    progress: Progress = silent,
    score: bool = True,
    with_runs: bool = True,
) -> Report:
    """Load a bundle into an open store and update its numbers.

    Everything is one transaction: with an error in any file the store stays unchanged. Every file is read;
    content that is stored already is not stored again.

    Raises:
        InvalidInput: files with errors, all of them reported.
    """
    bundle = _read_bundle(path, engine)
    report = Report(bundle=bundle.name or path.stem)
    if not with_runs:
        bundle = replace(bundle, runs=[])
    load = Load(engine, bundle, path.parent, report, progress)
    with engine.change():
        load.load()
        report.notes += [f"audit: {said}: {first}" for said, first in oddities(engine, "at_load")]
    if score:
        report.n_scored = score_stale(engine, progress=progress)
        report.notes += [f"audit: {said}: {first}" for said, first in oddities(engine, "of_kept")]
    return report


def _read_bundle(path: Path, engine: Engine) -> Bundle:
    problems = Problems(str(path))
    try:
        if path.is_fifo():
            raise OSError(0, "it is a pipe")
        data = path.read_bytes()
    except OSError as error:
        problems.add("E710", f"the bundle cannot be read: {error.strerror}", advice="Name a bundle file.")
        raise InvalidInput(problems.found) from None
    bundle = read_bundle(data, problems)
    if not problems.errors:
        check = Check(data.decode("utf-8-sig"), problems)
        for profile, message, key, value, advice in profile_mistakes(engine, bundle.profiles, bundle.conditions):
            check.begin = check.header(f"profile.{profile}") or 0
            check.add("E711", message, key, value, advice)
    if problems.errors:
        raise InvalidInput(problems.found)
    return bundle


@dataclass
class Load:
    """One load under way, step by step."""

    engine: Engine
    bundle: Bundle
    folder: Path
    report: Report
    progress: Progress = silent
    corpus_no: int | None = None  #: of a stored corpus, which the conditions and runs are for; None: the bundle has it
    problems: list[Problem] = field(default_factory=list)
    read: list[Inputs] = field(default_factory=list)  #: all files that are read or looked for
    run_files: list[str] = field(default_factory=list)  #: those of runs
    underway: list[Inputs] = field(default_factory=list)  #: files whose problems are not in ``problems`` yet

    def load(self) -> None:
        try:
            with digest_threads() as threads:
                self._load(self._find_runs(threads))
        except InvalidInput:
            raise
        except Exception:
            # what is wrong with a file was found before its rows came to where they cannot be: that is what to say
            found = [*self.problems, *(problem for inputs in self.underway for problem in inputs.reported())]
            if any(problem.is_error for problem in found):
                raise InvalidInput(dict.fromkeys(found), self._files()) from None
            raise

    def _load(self, runs: list[RunFiles]) -> None:
        source = f"bundle {self.bundle.name or self.folder.name}"
        if self.bundle.profiles:
            self.report.notes += load_profiles(self.engine, self.bundle.profiles, source)
        self._load_metrics()
        conditions = [read_condition(self.engine, spec, self.folder) for spec in self.bundle.conditions]
        corpus, of_corpus, problems = self._read_corpus(conditions)
        plans = [read_plan(self.engine, condition, corpus) for condition in conditions]
        self.report.notes += [note for plan in plans for note in plan.notes]
        # the source files of the corpus are those of the indexes
        self.problems += of_corpus.reported(follows=any(condition.inputs.has_errors for condition in conditions))
        self.problems += problems
        names = self._store_conditions(conditions, plans, corpus)
        names |= {name: (number, "") for name, (number, _) in self._stored.items() if name not in names}
        for condition in conditions:
            self.problems += condition.inputs.reported(follows=of_corpus.has_errors)
        # the conditions whose files, or whose corpus, have errors
        broken = {one.spec["id"] for one in conditions if of_corpus.has_errors or one.inputs.has_errors}
        self._store_runs(runs, names, broken)
        if any(owner.startswith(("corpus:", "condition:")) for owner in self.report.loaded):
            move_decisions(self.engine, [condition_no for condition_no, _ in names.values()], self.report.loaded)
            refresh_hierarchies_not_loaded(self.engine, self.report.loaded)
        if not any(problem.is_error for problem in self.problems):  # else its cause may be one of these
            self.problems += left_behind(self.engine, self.report)
        if any(problem.is_error or self.bundle.strict for problem in self.problems):
            raise InvalidInput(self.problems, self._files())
        self.report.warnings = self.problems
        self.report.notes += self.report.replaced.values()
        self.report.loaded += [f"condition:{name}" for name in copy_to_second_judgments(self.engine, corpus.corpus_no)]
        registry.refresh_current_inputs(self.engine)
        if self.bundle.runs and self.corpus_no is None:
            known = [*self.report.loaded, *self.report.kept]
            there = [condition["id"] for condition in self.bundle.conditions]
            parameters = {"corpus": corpus.corpus_no, "known": known, "conditions": there}
            self.report.notes += [row["said"] for row in select(self.engine, "run/not_in_bundle", parameters)]

    def _load_metrics(self) -> None:
        """Add the user-defined metrics that the bundle lists."""
        if not self.bundle.metrics:
            return
        inputs = Inputs(self.folder)
        self.read.append(inputs)
        files = inputs.resolve(self.bundle.metrics, "metric")
        inputs.check()
        add_own(
            self.engine,
            [
                (given, name, text)
                for (given, _), (_, name, text) in zip(files, read_files([path for _, path in files]), strict=True)
            ],
        )

    def _files(self) -> list[str]:
        """Return the names of all files that were read."""
        return list(dict.fromkeys([*(file.path for inputs in self.read for file in inputs.files), *self.run_files]))

    def _find_runs(self, threads: Executor) -> list[RunFiles]:
        tasks = {condition["id"]: condition["task"] for condition in self.bundle.conditions}
        tasks |= {name: task for name, (_, task) in self._stored.items()}
        runs = []
        for spec in self.bundle.runs:
            inputs = Inputs(self.folder, options={key: spec[key] for key in (*run_options(), "format") if key in spec})
            self.read.append(inputs)
            files = self._sources(inputs, spec["files"])
            if spec["files"] == []:
                inputs.add("E702", f"run '{spec.get('id', '?')}'", "the list of files is empty", "Name its files.")
            self.run_files += [given for given, _ in files]
            format_ = spec.get("format") or recognised_format(tasks[spec["condition"]], files)
            inputs.digest_ahead(threads, files)
            facts = read_facts(inputs, spec["meta"], self.folder / spec["meta"]) if "meta" in spec else None
            runs.append(RunFiles(spec, inputs, files, format_, facts))
        return runs

    @cached_property
    def _stored(self) -> dict[str, tuple[int, str]]:
        """The stored conditions that runs without a bundle may be for: name -> number, task."""
        query = "select condition_id, condition_no, task from registry.condition where corpus_no = ?"
        return {name: (number, task) for name, number, task in self.engine.rows(query, [self.corpus_no])}

    def _sources(self, inputs: Inputs, given: Any) -> Sequence[Source]:
        """Return the files of a run: the patterns of a bundle, names, or the columns given in Python."""
        if isinstance(given, Frame):
            return [(NAME, given)]
        if self.corpus_no is None:
            return inputs.resolve(given, "run files")
        return [source for name in given for source in inputs.resolve(name, "run files", "")]

    def _read_corpus(self, conditions: Sequence[Condition]) -> tuple[Corpus, Inputs, list[Problem]]:
        """Return the corpus, stored, its files, and problems of its replacement."""
        if self.corpus_no is not None:
            self.underway = [condition.inputs for condition in conditions]
            return stored_corpus(self.engine, self.corpus_no), Inputs(self.folder), []
        self.progress(0, 1, "reading the corpus")
        files = CorpusFiles(
            self.engine,
            self.bundle.corpus,
            self.folder,
            [condition.indexes.tables for condition in conditions if condition.indexes],
            [topic for condition in conditions for topic in index_topics(self.engine, condition)],
        )
        self.underway = [files.inputs, *(condition.inputs for condition in conditions)]
        self.read += self.underway
        names = [condition.spec["id"] for condition in conditions]
        corpus, problems = store_corpus(self.engine, self.bundle.corpus, files, names, self.report)
        return corpus, files.inputs, problems

    def _store_conditions(
        self, conditions: Sequence[Condition], plans: Sequence[ConditionSpec], corpus: Corpus
    ) -> dict[str, tuple[int, str]]:
        """Return condition -> its number and a hash of what its runs refer to."""
        names = {
            condition.spec["id"]: store_condition(self.engine, condition, plan, corpus, self.report)
            for condition, plan in zip(conditions, plans, strict=True)
        }
        if any(owner.startswith(("corpus:", "condition:")) for owner in self.report.loaded):
            # of all conditions: new judgments are also those of conditions that this bundle does not name
            build_labelled_story(
                self.engine,
                self.engine.column(
                    "select condition_no from registry.condition where corpus_no = ?", [corpus.corpus_no]
                ),
            )
        return names

    def _store_runs(self, runs: list[RunFiles], names: dict[str, tuple[int, str]], broken: set[str]) -> None:
        targets: dict[str, StoredCondition] = {}
        stored, owners = Runs(self.engine, self.report), []
        for number, run in enumerate(runs):
            condition_id = run.spec["condition"]
            shown = run.run_id or (run.files[0][0] if run.files else condition_id)
            self.progress(number, len(runs), f"loading run {shown}")
            if "format" not in run.spec and run.files:
                self.report.notes.append(f"run {shown}: read as {run.format}")
            self.underway = [run.inputs]
            condition_no, referred = names[condition_id]
            if condition_id not in targets:
                targets[condition_id] = stored_condition(self.engine, condition_no)
            owners.append(stored.read(targets[condition_id], run, referred))
            check_provenance(run, owners[-1])
            self.problems += run.inputs.reported(follows=condition_id in broken)
        if any(problem.is_error for problem in self.problems):
            return
        stored.register()
        has_facts = bool(self.engine.value("select count(*) from registry.run_fact"))
        for run, of_run in zip(runs, owners, strict=True):
            store_provenance(targets[run.spec["condition"]], run, of_run, has_facts=has_facts)
