"""Runs as files of decisions: tidy tables (CSV, TSV, Parquet, columns given in Python) and run files of TREC."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from functools import partial

from tdtsql.files.find import Inputs
from tdtsql.files.table import read_table
from tdtsql.load.decisions import Decisions, decided_runs
from tdtsql.load.tidy import TIDY
from tdtsql.load.trec import MOST_PLACES, read_runs
from tdtsql.load.plan import RunSpec, Source, StoredCondition, files_of_runs, has_columns
from tdtsql.tasks.declaration import RunFormat

#: how the rows of a format are numbered and checked, under a condition
How = Callable[[StoredCondition], Decisions]


def tidy_format(form: str, how: How) -> RunFormat:
    """Return the format of tidy decisions of a form: a run a run_id, which names it, unless the user does and it is the
    only one.
    """
    needed = [name for name in TIDY[form].fields if name not in TIDY[form].absent]
    return RunFormat(partial(_read_tidy, form, how), "run_id", has_columns(*needed))


def _read_tidy(
    form: str, how: How, target: StoredCondition, inputs: Inputs, files: Sequence[Source], run_id: str | None
) -> RunSpec:
    rows, paths = read_table(target.engine, inputs, TIDY[form], files), [given for given, _ in files]
    ids = ", ".join(name for name in TIDY[form].key if name != "run_id")
    # a retrieved set without scores: yes before no
    relation = f"""
        select file, line, run_id, {ids}, decision as is_yes, coalesce(score, cast(decision as double)) as score
        from {rows.table}"""
    runs = files_of_runs(target.engine, paths, rows.table)
    for part in rows.parts:
        for file, problems in part.files.items():
            if "run_id" in part.cells or problems.errors or paths[file] in runs.get(None, ()):
                continue
            inputs.add(
                "W836", paths[file], "the run has no decisions", "Every trial counts as no with the score -9e99.", 1
            )
            runs[None] = [path for path in paths if path in {paths[file], *runs.get(None, ())}]
    return decided_runs(how(target), target, inputs, paths, rows.table, relation, runs, run_id=run_id)


def trec_format(how: How) -> RunFormat:
    """Return the format of TREC run files, one run per tag; a tidy header may look like their first line."""
    return RunFormat(partial(_read_trec, how), "tag", lambda first: len(first.split()) == 6 and "," not in first)


def _read_trec(
    how: How, target: StoredCondition, inputs: Inputs, files: Sequence[Source], run_id: str | None
) -> RunSpec:
    rows, paths = read_runs(target.engine, inputs, files), [given for given, _ in files]
    relation = f"select file, line, run_id, topic_id, story_id, true as is_yes, score from {rows.table}"
    runs = files_of_runs(target.engine, paths, rows.table, "run_id")
    return decided_runs(how(target), target, inputs, paths, rows.table, relation, runs, run_id=run_id)


#: how lines of TREC are numbered: the policies of the condition decide about topics and documents that the corpus does
#: not have; lines on topics that the condition leaves out have no effect and are not reported
TREC: Mapping[str, Any] = {
    "topic": (
        "the run answers a topic that the corpus does not have",
        'Correct the topic, add it to the topics, or give the condition unknown_topics = "ignore".',
    ),
    "story": (
        "the run retrieved a document that the corpus does not have",
        "Correct the document, or add it to the document order.",
    ),
    "most": MOST_PLACES,
    "repeated": "E865",
}
