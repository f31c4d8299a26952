"""What the tasks of TDT differ in on their way into the store; everything else is one path."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import InvalidBundle
from tdtsql.reader.tidy import TidyTable
from tdtsql.intake.inputs import Inputs
from tdtsql.loading.condition import REQUIRED_TRACKING, Condition, tracking_blocks, write_tracking_condition
from tdtsql.loading.corpus import Corpus
from tdtsql.loading.tasks.hierarchy import load_hierarchy_files
from tdtsql.loading.tasks.link import is_required_link, load_link_files, read_link_trials, tidy_link_decisions, write_link_condition
from tdtsql.loading.tasks.new_event import (
    is_required_hierarchy, is_required_new_event, load_new_event_files, tidy_new_event_decisions, topic_blocks,
    write_hierarchy_condition, write_new_event_condition,
)
from tdtsql.loading.tasks.tracking import Decisions, Target, load_tracking_files, tidy_decisions

#: what a condition comes down to before it is stored: its topics, or its pairs
Plan = Any


@dataclass(frozen=True, slots=True)
class Task:
    """How one task's conditions and runs are read and stored."""

    prepare: Callable[[Engine, Condition, Corpus], Plan]  #: reads what else the condition names
    write: Callable[[Engine, int, Condition, Corpus, Plan], None]  #: stores the condition
    load: Callable[[Target, int, Inputs, Sequence[tuple[str, Path]]], str | None]  #: stores a run's TDT files
    formats: tuple[str, ...]  #: of runs, as a bundle names them
    tidy_form: str | None = None
    tidy: Callable[[Target, Inputs, str, TidyTable, dict[str | None, Decisions]], None] | None = None
    is_required: Callable[[Condition, set[str]], bool] = lambda condition, languages: False  #: plan, tables 2, 5, 7, A1


def _required_tracking(condition: Condition, languages: set[str]) -> bool:
    return ((condition.training_language or "").upper(), condition.nt) == REQUIRED_TRACKING


def _tracking_plan(engine: Engine, condition: Condition, corpus: Corpus) -> Plan:
    return tracking_blocks(condition, corpus)


def _topic_plan(engine: Engine, condition: Condition, corpus: Corpus) -> Plan:
    return topic_blocks(condition, corpus)


TASKS: dict[str, Task] = {
    "tracking": Task(_tracking_plan, write_tracking_condition, load_tracking_files, ("tdt", "tidy", "trec"), "tracking", tidy_decisions,
                     _required_tracking),
    "filtering": Task(_tracking_plan, write_tracking_condition, load_tracking_files, ("trec", "tidy", "tdt"), "filtering", tidy_decisions),
    "new_event": Task(_topic_plan, write_new_event_condition, load_new_event_files, ("tdt", "tidy"), "new_event", tidy_new_event_decisions,
                      is_required_new_event),
    "link": Task(lambda engine, condition, corpus: read_link_trials(engine, condition), write_link_condition, load_link_files, ("tdt", "tidy"), "link",
                 tidy_link_decisions, is_required_link),
    "hierarchy": Task(_topic_plan, write_hierarchy_condition, load_hierarchy_files, ("htd-xml",),
                      is_required=lambda condition, languages: is_required_hierarchy(languages)),
}


def task_of(name: str) -> Task:
    """Return how a task is loaded.

    Raises:
        InvalidBundle: it cannot be evaluated.
    """
    if name not in TASKS:
        raise InvalidBundle(f"task '{name}' cannot be evaluated yet. There are {', '.join(TASKS)}.")
    return TASKS[name]


def test_languages(condition: Condition, corpus: Corpus) -> set[str]:
    """Return the languages of the source files that a condition tests."""
    wanted = {language.upper() for language in condition.spec.get("languages", [])}
    files = {entry.name for entries in condition.index_files for entry in entries}
    spoken = {story[3] for story in corpus.stories
              if story[3] and (not files or (story[1] and corpus.file_names[story[1] - 1] in files))}
    return {language for language in spoken if not wanted or language.upper() in wanted}
