"""What the tasks of TDT differ in on their way into the store; everything else is one path."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tdtsql.engine.duckdb import Engine
from tdtsql.intake.inputs import Inputs
from tdtsql.loading.condition import Condition
from tdtsql.loading.story_trials import tracking_blocks, write_tracking_condition
from tdtsql.loading.corpus import Corpus
from tdtsql.loading.tasks.hierarchy import load_hierarchy_files
from tdtsql.loading.tasks.link import load_link_files, read_link_trials, tidy_link_decisions, write_link_condition
from tdtsql.loading.tasks.new_event import (
    load_new_event_files, tidy_new_event_decisions, topic_blocks, write_hierarchy_condition, write_new_event_condition,
)
from tdtsql.loading.tasks.tracking import Decisions, Target, load_tracking_files, tidy_decisions
from tdtsql.reader.tidy import TidyTable
from tdtsql.task import TASKS

#: what a condition comes down to before it is stored: its topics, or its pairs
Plan = Any


@dataclass(frozen=True, slots=True)
class Loader:
    """How one task's conditions and runs are read and stored."""

    prepare: Callable[[Engine, Condition, Corpus], Plan]  #: reads what else the condition names
    write: Callable[[Engine, int, Condition, Corpus, Plan], None]  #: stores the condition
    load: Callable[[Target, int, Inputs, Sequence[tuple[str, Path]]], str | None]  #: stores a run's TDT files
    tidy_form: str | None = None
    tidy: Callable[[Target, Inputs, str, TidyTable, dict[str | None, Decisions]], None] | None = None


def _tracking_plan(engine: Engine, condition: Condition, corpus: Corpus) -> Plan:
    return tracking_blocks(condition, corpus)


def _topic_plan(engine: Engine, condition: Condition, corpus: Corpus) -> Plan:
    return topic_blocks(condition, corpus)


LOADERS: dict[str, Loader] = {
    "tracking": Loader(_tracking_plan, write_tracking_condition, load_tracking_files, "tracking", tidy_decisions),
    "filtering": Loader(_tracking_plan, write_tracking_condition, load_tracking_files, "filtering", tidy_decisions),
    "new_event": Loader(_topic_plan, write_new_event_condition, load_new_event_files, "new_event", tidy_new_event_decisions),
    "link": Loader(lambda engine, condition, corpus: read_link_trials(engine, condition), write_link_condition, load_link_files, "link", tidy_link_decisions),
    "hierarchy": Loader(_topic_plan, write_hierarchy_condition, load_hierarchy_files),
}


def test_languages(condition: Condition, corpus: Corpus) -> set[str]:
    """Return the languages of the source files that a condition tests."""
    wanted = {language.upper() for language in condition.spec.get("languages", [])}
    files = {entry.name for entries in condition.index_files for entry in entries}
    spoken = {story[3] for story in corpus.stories
              if story[3] and (not files or (story[1] and corpus.file_names[story[1] - 1] in files))}
    return {language for language in spoken if not wanted or language.upper() in wanted}


def is_required(condition: Condition, corpus: Corpus) -> bool:
    """Return whether the 2004 TDT evaluation plan requires this condition of every site."""
    required = TASKS[condition.task].required
    return bool(required) and any(one.is_met(
        languages=frozenset(language.upper() for language in test_languages(condition, corpus)), nt=condition.nt,
        training_language=(condition.training_language or "").upper(), deferral=condition.spec.get("deferral")) for one in required)
