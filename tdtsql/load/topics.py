"""Conditions over topics and stories: which stories are tested for which topic, and how they fall into segments.

A segment is a largest set of stories that belong to the same test sets and the same subsets. Counting trials per
(topic, segment) replaces listing them: 111 topics x 208,000 stories are some thousand cells. ``sql/load/topics`` has
it all.

Code   Meaning
E809   an index of a topic that the corpus neither lists nor judges
E810   a second index of one topic
E811   a training story of a topic that the corpus does not have
E812   a training story that the corpus does not have
E813   a trial of a topic that the corpus does not have
E814   a trial of a story that the corpus does not have
W863   a period without documents
E864   periods that are not ascending
E871   a condition of which no story or trial counts
W872   a condition without a target: no judgment is on topic
W874   a language that no story has
"""

import re
from collections.abc import Collection, Sequence

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import counted
from tdtsql.files.checks import execute, report
from tdtsql.files.rows import Rows
from tdtsql.load.indexes import RELATIONS
from tdtsql.load.plan import IF_SOUND, ConditionSpec, relation
from tdtsql.load.condition import Condition, left_out
from tdtsql.load.corpus import Corpus

_BEGUN = ("topics/begun", "topics/segment", "topics/begun_cells")
_ALL = ("topics/all", "topics/segment", "topics/all_cells")
_LISTED = ("topics/listed", "topics/E813", "topics/E814", "topics/E872", IF_SOUND, "topics/listed_cells")
_SUBSETS = ("topics/subsets", "condition/subsets")
_COUNTED = (IF_SOUND, "topics/E871", "topics/W874", "topics/W872")


def own_trials(engine: Engine, condition: Condition, corpus: Corpus) -> ConditionSpec:
    """Return the topics of a condition, each with its training stories and trials: tracking and filtering."""
    spec, indexes = story_spec(engine, condition, corpus, condition.training), condition.indexes
    spec.steps = [*spec.steps, "topics/block", *(_BEGUN if condition.trials is None else _LISTED), *_SUBSETS, *_COUNTED]
    if condition.trials is not None:
        spec.tables["trial_row"], spec.paths = condition.trials.table, [*condition.trials.paths, *spec.paths]
    spec.show(engine)
    if indexes:
        checks = "topics/E809", "topics/E810"
        report(condition.inputs, indexes.paths, engine, checks, {**spec.parameters, "paths": indexes.paths})
    elif condition.training is not None:
        report(condition.inputs, condition.training.paths, engine, ("topics/E811", "topics/E812"), spec.parameters)
    nt = condition.nt or ""
    # plan, B.3: only the last Nt of the training stories of an index are to be used
    spec.parameters |= {"by_index": bool(indexes), "nt": int(nt) or None if nt.isdigit() else None}
    return _with_topics(engine, spec, condition, corpus)


def one_test_set(
    engine: Engine, condition: Condition, corpus: Corpus, *, subsets: Sequence[str] = _SUBSETS
) -> ConditionSpec:
    """Return the topics of a condition, which share their test set."""
    spec = story_spec(engine, condition, corpus)
    spec.steps = [*spec.steps, "topics/block", *_ALL, *subsets, *_COUNTED]
    return _with_topics(engine, spec, condition, corpus)


def _with_topics(engine: Engine, spec: ConditionSpec, condition: Condition, corpus: Corpus) -> ConditionSpec:
    """Number the topics that a condition scores, in the order of their ids."""
    spec.show(engine)
    names = engine.column("select topic_id from index_topic") if spec.parameters["by_index"] else corpus.topics
    execute(engine, "topics/topics", {**spec.parameters, "topics": sorted(chosen_topics(condition, set(names)))})
    spec.hide(engine)
    spec.names = engine.column("select block_id from topic_block order by block_no")
    spec.keep(engine, "topic_block", "topic_training", "test_begin")
    return spec


def chosen_topics(condition: Condition, topics: Collection[str]) -> set[str]:
    """Return the topics that the condition's ``topic_pattern`` matches, all without one, but those that
    ``exclude_topics`` leaves out; reports E817 where the pattern matches none.
    """
    pattern = condition.spec.get("topic_pattern")
    matched = {topic for topic in topics if pattern is None or re.fullmatch(pattern, topic)}
    if topics and not matched:
        condition.inputs.add(
            "E817",
            f"condition '{condition.spec['id']}'",
            f"topic_pattern matches no id of the {counted(len(topics), 'topic')} as a whole, expected to match ids "
            f"such as {min(topics)!r}",
            "Correct the pattern (.* stands for any text), or leave it out.",
            value=pattern,
        )
    return matched - left_out(condition, topics)


#: the training stories of tables
_TRAINING = "file integer, line bigint, topic_id varchar, story_id varchar"


def story_spec(engine: Engine, condition: Condition, corpus: Corpus, training: Rows | None = None) -> ConditionSpec:
    """Return the first steps of a condition over stories, which make ``condition_story``, and the relations that it
    reads.
    """
    found = condition.indexes
    tables = {name: found.tables.get(name, relation(columns)) for name, columns in RELATIONS.items()}
    tables["training_row"] = relation(_TRAINING) if training is None else training.table
    return ConditionSpec(
        steps=["topics/stories", "topics/E864", "topics/W863"],
        inputs=condition.inputs,
        paths=[f"condition {condition.spec['id']}", f"condition '{condition.spec['id']}'"],
        parameters={
            "corpus": corpus.corpus_no,
            "cuts": condition.common.get("periods", []),
            "is_listed": corpus.is_listed,
            "languages": condition.common.get("languages", []),
            "training_language": condition.training_language,
            "on_topic": condition.common.get("on_topic", ["yes"]),
            "has_index": bool(found),
            "by_index": False,
            "where": 0 if condition.trials is None else len(condition.trials.paths),
            "nt": None,
        },
        tables=tables,
    )
