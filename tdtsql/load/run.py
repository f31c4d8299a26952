"""Runs: the only module that numbers, replaces, hashes and registers them, whatever their task and format.

Code   Meaning
E705   a duplicate id
E709   a format that the task of the run does not have
W717   several runs in one file, where one was expected
E717   the same with `--one-run`
"""

import os
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_list
from tdtsql.errors import Problem, Problems
from tdtsql.files.checks import execute, report as report_check, select
from tdtsql.files.digest import InputFile
from tdtsql.files.find import ROWS_IN_COMMON, Inputs
from tdtsql.files.staging import forget
from tdtsql.load.plan import RunSpec, Source, StoredCondition
from tdtsql.load.run_metadata import Fact, read_run_metadata
from tdtsql.load.report import Report
from tdtsql.load.tasks import run_formats
from tdtsql.store import registry
from tdtsql.store.contents import Place, contents_of, owned, owner_hash, read_of, stored_tables
from tdtsql.store.derived import compute_run_flags
from tdtsql.store.provenance import LABELS, store_facts
from tdtsql.store.recording import note_load
from tdtsql.store.define import check_not_older
from tdtsql.task import TASKS, formats_of
from tdtsql.version import __version__

#: the format of columns given in Python
FRAME = "frame"


@dataclass(frozen=True, slots=True)
class RunFacts:
    """Provenance of a run, from a file."""

    path: str
    sha256: str
    facts: list[Fact]


class RunFiles(NamedTuple):
    """Files that are a run, or hold several: a ``[[run]]`` of a bundle, or what `run add` is given."""

    spec: Mapping[str, Any]  #: its keys
    inputs: Inputs
    files: Sequence[Source]
    format: str  #: as given, or recognised
    facts: RunFacts | None  #: its provenance

    @property
    def run_id(self) -> str | None:
        """Its name given by the user; None: those in the files."""
        return self.spec.get("id")


class _Run(NamedTuple):
    """A run of files, under the number that it gets."""

    number: int
    in_files: str | None  #: its name in the files; None: they name none
    name: str
    owner: str
    files: Sequence[str]  #: files with rows of it, as given


class Runs:
    """The runs of one load: those of some files are read and stored together; then all are registered."""

    def __init__(self, engine: Engine, report: Report):
        self.engine, self.report = engine, report
        execute(engine, "run/begin")
        self._next_no = registry.next_number(engine, "registry.run", "run_no")
        self._are_first = self._next_no == 1  #: the store has no run yet
        self._noted: dict[str, tuple[list[InputFile], list[Problem]]] = {}  #: owner -> its files and warnings

    def read(self, target: StoredCondition, run: RunFiles, names: str) -> list[str]:
        """Store the rows of files, unless they are stored already; every problem goes to the inputs. Returns the
        owners.

        Args:
            names: a hash of what runs of the condition refer to.
        """
        inputs, report, paths = run.inputs, self.report, [given for given, _ in run.files]
        options = (*sorted(target.policies.items()), *sorted(inputs.options.items()))
        is_columns = any(not isinstance(source, Path) for _, source in run.files)  # not hashed before they are read
        parameters: dict[str, Any] = {
            "condition": target.condition_no,
            "condition_id": target.condition_id,
            "name": run.run_id,
            "format": run.format,
            "paths": paths,
            "hashes": [] if is_columns else [inputs.digest(*file, run.format).file.sha256 for file in run.files],
            "how": [*map(str, (names, run.format, run.run_id, __version__, *options))],
        }
        if unchanged := not is_columns and not self._are_first and select(self.engine, "run/unchanged", parameters):
            owners = [self._own(target, inputs, **one) for one in unchanged]
            report.kept += owners
            return owners
        check_not_older(self.engine, target.task)
        run_format = run_formats(target.task).get(run.format)
        if run_format is None:
            how = "given as columns" if run.format == FRAME else f"in format {run.format}"
            said = f"a run of task {target.task} cannot be {how}, expected {' or '.join(formats_of(target.task))}"
            advice = "Give files in such a format, and name it."
            inputs.add("E709", paths[0] if paths else target.condition_id, said, advice)
        if run_format is None or not run.files:
            return []
        spec = run_format.read(target, inputs, run.files, run.run_id)
        parameters |= {
            "next_no": self._next_no,
            "runs": [{"run_id": name, "files": [*files]} for name, files in spec.runs.items()],
            "called": spec.called,
            "system": spec.system,
            "read": [{"path": file.path, "sha256": file.sha256} for file in inputs.files],
            "named_by": run_format.named_by,
        }
        execute(self.engine, "run/new", parameters)
        found = [_Run(*row) for row in self.engine.rows("select run_no, run_id, name, owner, files from new_run")]
        for one in found:
            self._own(target, inputs, one.name, one.files)
        report.loaded += [one.owner for one in found]
        report_check(inputs, paths, self.engine, ("run/E708", "run/E705"), parameters)
        spec.write(self.engine, target.condition_no)
        noted = self._problems_of(found, spec, inputs.problems, paths)
        n_apart = sum(problem.code == "E870" for problem in inputs.problems)
        others = {problem.code for problem in inputs.problems if problem.is_error and problem.line != 1} - {"E870"}
        is_partial = not others <= ROWS_IN_COMMON  # rows with other errors may have known ids
        if is_partial or len(found) == n_apart > 0:
            apart = {"E870"} if is_partial else ROWS_IN_COMMON
            inputs.problems = [problem for problem in inputs.problems if problem.code not in apart]
        counted = spec.counted or TASKS[target.task].run_table
        if report.several:
            self._report_several(target, inputs, paths, counted)
        parameters["is_sound"] = not inputs.has_errors
        report_check(inputs, paths, self.engine, ("run/E714", "run/E837"), parameters)
        if inputs.has_errors:  # nothing is stored, and the numbers are used again
            _discard(self.engine, [one.number for one in found])
        else:
            for one in found:
                problems, count = noted[one.number], Counter[str]()
                for problem in problems:
                    count[problem.path] += problem.n
                files = [file for file in inputs.files if file.path in one.files]
                self._noted[one.owner] = [replace(file, n_problem=count[file.path]) for file in files], problems
            self._add(len(found), counted)
        spec.drop(self.engine)
        forget(self.engine, inputs)
        return [one.owner for one in found]

    def _own(self, target: StoredCondition, inputs: Inputs, name: str, files: Sequence[str]) -> str:
        """Return the owner of a run, and keep its files; report one that other files of the load contain too (E705)."""
        owner, known = f"run:{target.condition_id}/{name}", self.report.files
        if owner in known:
            said = f"a second run '{name}' of condition '{target.condition_id}', the first is from "
            advice = "Give each run its own name, or the files of one run together, with an id."
            inputs.add("E705", files[0], f"{said}{', '.join(known[owner][:3])}", advice, value=name)
        known[owner] = [*files]
        return owner

    def _problems_of(
        self, found: Sequence[_Run], spec: RunSpec, problems: Sequence[Problem], paths: Sequence[str]
    ) -> dict[int, list[Problem]]:
        """Return number of a run -> its problems: those of its lines, and of its files as a whole."""
        noted: dict[int, list[Problem]] = {one.number: [] for one in found}
        said = [{"nth": nth, "path": one.path, "line": one.line, "run": one.run} for nth, one in enumerate(problems)]
        if said:
            self.engine.execute(f"create or replace temp view named_row as from {spec.rows or 'unnamed_row'}")
            for row in select(self.engine, "run/problems", {"problems": said, "paths": paths}):
                noted[row["run_no"]].append(problems[row["nth"]])
        return noted

    def _report_several(self, target: StoredCondition, inputs: Inputs, paths: Sequence[str], counted: str) -> None:
        """Report several runs in a file, where one was expected."""
        parameters = {
            "counted": counted,
            "condition": target.condition_no,
            "has_topics": TASKS[target.task].is_by_topic,
            "paths": paths,
            "code": self.report.several,
        }
        execute(self.engine, "run/extent", parameters)
        self.report.extents |= dict(self.engine.rows("select owner, extent from new_run order by run_no"))
        report_check(inputs, paths, self.engine, "run/W717", parameters)

    def _add(self, n_run: int, counted: str) -> None:
        """Keep runs for their registration."""
        execute(self.engine, "run/add", {"counted": counted})
        self._next_no += n_run

    def add_derived(
        self, target: StoredCondition, name: str, write: Callable[[int], object], format_: str, source: str
    ) -> None:
        """Store a run that is derived from runs in the store.

        Args:
            write: stores its rows under a number.
            source: hash of all its inputs.
        """
        number, owner = self._next_no, f"run:{target.condition_id}/{name}"
        self.report.loaded.append(owner)
        self._noted[owner] = [], []
        row = {"run": number, "name": name, "condition": target.condition_no, "owner": owner}
        execute(self.engine, "run/derived", row | {"format": format_, "source": source})
        write(number)
        self._add(1, TASKS[target.task].run_table)

    def register(self) -> None:
        """Register the runs with their hashes and files, instead of earlier ones of their names. An earlier run with
        the same rows keeps its number and its results.
        """
        engine, report = self.engine, self.report
        rows = engine.rows("select owner, run_no, run_id from load_run order by run_no")
        if rows:
            numbers = {owner: number for owner, number, _ in rows}
            places = {owner: Place("run_no", number) for owner, number in numbers.items()}
            contents = contents_of(engine, dict.fromkeys(numbers, read_of("run_no")), places)
            hashes = [owner_hash("run_no", name, contents[owner]) for owner, _, name in rows]
            parameters = {"runs": list(numbers.values()), "contents": hashes, "loaded": report.loaded}
            execute(engine, "run/replaced", parameters)
            _discard(engine, engine.column("select run_no from replaced_run where is_same"))
            for row in engine.records("from replaced_run order by run_no"):
                owner = row["owner"]
                if row["is_same"]:
                    del numbers[owner]
                    report.loaded.remove(owner)
                    report.kept.append(owner)
                    if row["is_unchanged"]:
                        del self._noted[owner]
                    continue
                registry.drop(engine, "run_no", row["before_no"])
                if not row["is_read_again"]:
                    report.replaced[owner] = row["said"]
            execute(engine, "run/register")
            for owner, noted in self._noted.items():
                note_load(engine, owner, *noted, contents[owner])
            query = """select task, list(run_no order by run_no)
                from load_run join registry.condition using (condition_no) where list_contains($made, run_no)
                group by task"""
            compute_run_flags(engine, dict(engine.rows(query, {"made": list(numbers.values())})))
        execute(engine, "run/end")


def _discard(engine: Engine, run_nos: Collection[int]) -> None:
    """Remove the rows of runs that are not registered."""
    for table in stored_tables(engine, owned("run_no")) if run_nos else ():
        engine.execute(f"delete from {table} where run_no in ({sql_list(run_nos)})")


# ---- provenance


def read_facts(inputs: Inputs, given: str, path: Path) -> RunFacts | None:
    """Return the provenance of a file; its problems go to ``inputs``. The file is not among those from which the run is
    read.
    """
    if not os.path.isfile(path):
        inputs.say_missing(given, path, "meta", "in a bundle it is relative to the bundle")
        return None
    if not inputs.may_read(given, path, "meta"):
        return None
    data = path.read_bytes()
    problems = Problems(given)
    facts = read_run_metadata(data, problems)
    inputs.problems += problems.found
    return None if problems.errors else RunFacts(given, sha256(data).hexdigest(), facts)


def check_provenance(run: RunFiles, owners: Sequence[str]) -> None:
    """Report what is wrong with provenance and labels of the runs of files: a tag that is not the name of the run, one
    alias for several runs.
    """
    for fact, text, line in run.facts.facts if run.facts else ():
        for name in _names(run, owners) if fact == "tag" else ():
            if run.facts and text != name:
                said = f"the tag is not the name of the run, which is '{name}'"
                run.inputs.add("W713", run.facts.path, said, "Is it the file of this run?", line, text)
    if run.spec.get("alias") and len(owners) > 1:
        said = f"alias is the name of one run, and the files of this [[run]] hold {len(owners)}"
        advice = "Leave it out, and set aliases with `tdtsql run label`."
        run.inputs.add("E704", run.files[0][0], said, advice, value=run.spec["alias"])


def store_provenance(target: StoredCondition, run: RunFiles, owners: Sequence[str], *, has_facts: bool) -> None:
    """Store provenance and labels of the runs of files; without provenance they have none any more (``has_facts``:
    runs of the store have some).
    """
    facts, labels = run.facts, {name: run.spec[name] for name in LABELS if name in run.spec}
    read = [fact[:2] for fact in facts.facts] if facts else [] if has_facts else None
    about = (facts.path, facts.sha256) if facts else None
    for name in _names(run, owners) if read is not None or labels else ():
        store_facts(target.engine, target.condition_no, name, read, about, labels)


def _names(run: RunFiles, owners: Sequence[str]) -> list[str]:
    return [owner.removeprefix(f"run:{run.spec['condition']}/") for owner in owners]
