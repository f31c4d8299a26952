"""System output on stories, topic by topic, into ``base.decision``.

Code   Meaning
E820   a topic of a run that the condition does not have
E821   a second file of one topic
E825   records of a source file that the topic's index does not list
W825   a partial first file that the topic's index does not list
W826   a header with another Nt than the condition's
E827   a source file of the topic's index without a record
E828   time pointers, and a source file whose boundary table has no seconds
"""

from collections.abc import Mapping, Sequence
from typing import Any
from functools import partial

from tdtsql.files.find import Inputs
from tdtsql.load.decision_files import TREC, tidy_format, trec_format
from tdtsql.load.decisions import OF_STORIES, Decisions, by_topic, decided_runs
from tdtsql.load.outputs import FINITE_SCORE, Header, read_outputs
from tdtsql.load.pointers import Mapped, map_records, stories_tested
from tdtsql.load.plan import RunSpec, Source, StoredCondition
from tdtsql.load.topics import own_trials
from tdtsql.tasks.declaration import RunFormat

#: returns the topics of a condition, with their training and test stories
read_plan = own_trials

#: topics, and stories of the test set, without a decision
_MISSING = ("decision/W862", "decision/W822")
#: of files that are not those of topics
_STORIES: Mapping[str, Any] = {"missing": _MISSING, "parameters": {"topics": [""]}}


# ---- official tracking output


def read_official(target: StoredCondition, inputs: Inputs, files: Sequence[Source], run_id: str | None) -> RunSpec:
    """Return the run of official output files, one file per topic."""
    paths = [given for given, _ in files]
    rows, heads = read_outputs(target.engine, inputs, "tracking", files)
    answers: dict[int, str] = {}  #: number of a file -> its topic, where the condition has it
    answered: dict[str, str] = {}  #: topic -> its file
    for file, head in heads.items():
        is_answer = _is_topic(target, inputs, paths[file], head, answered)
        # of files with errors the rows do not count
        if is_answer and not any(problem.is_error and problem.path == paths[file] for problem in inputs.problems):
            answers[file] = head.block_id
    mapped = Mapped(target.engine)
    for file in answers:
        if heads[file].pointer_type in ("recid", "time"):
            _map_file(target, inputs, paths[file], file, heads[file], mapped)
    answer = ", ".join(f"({file}, '{topic}')" for file, topic in [(-1, ""), *answers.items()])
    relation = f"""
        with answer as (select * from (values {answer}) as answer(file, topic_id)),
        decided_on as (
            select file, line, story_id, is_yes, {FINITE_SCORE} as score from {rows.table} where story_id is not null
            union all select * from {mapped.table})
        select file, line, cast(null as varchar) as run_id, topic_id, story_id, is_yes, score
        from decided_on join answer using (file)"""
    topic_of = {given: topic for topic, given in answered.items()}
    parameters = {"topics": [topic_of.get(given, "") for given in paths], "unlisted": ""}
    how = Decisions("topics", [OF_STORIES], missing=_MISSING, parameters=parameters)
    systems = [head.system for head in heads.values()]
    return decided_runs(how, target, inputs, paths, rows.table, relation, {None: paths}, systems, run_id)


def _is_topic(target: StoredCondition, inputs: Inputs, given: str, head: Header, answered: dict[str, str]) -> bool:
    """Return whether a file answers a topic that the condition has and no other file answers."""
    if head.topic_id is None:
        return False
    if target.nt is not None and head.nt != target.nt and head.nt_variant is None:
        said = f"the header says Nt {head.nt}, the condition {target.nt}"
        inputs.add("W826", given, said, "Give the condition its own runs.", head.line)
    first = answered.setdefault(head.block_id, given)
    if first != given:
        said = f"a second file of topic {head.block_id}, the first is {first}"
        inputs.add("E821", given, said, "Give each topic one file.", head.line)
        return False
    if head.block_id not in target.known_topics:
        said = "the run answers a topic that the condition does not have"
        advice = "Correct the header, or add the topic's index."
        if head.block_id.isdecimal() and len(head.block_id) <= 3:
            advice = "Write the topic's id into the header; index numbers of topics (1, 2, ...) are not supported."
        inputs.add("E820", given, said, advice, head.line, head.block_id)
    return head.block_id in target.block_no


def _map_file(target: StoredCondition, inputs: Inputs, given: str, file: int, head: Header, mapped: Mapped) -> None:
    """Decide on the stories of the topic's test set by the records of their source files."""
    records = mapped.records(file)
    stories = stories_tested(target, target.block_no[head.block_id])
    stories.pop("", None)
    without_trials = _files_without_trials(target)
    for number, (source, own) in enumerate(records.items()):
        if source in stories or source in without_trials:
            continue
        line, first = own[0][:2]
        is_partial = number == 0 and first > (0 if head.pointer_type == "time" else 1)
        code, what, advice = (
            ("W825", "a partial first file", "Its records have no effect.")
            if is_partial
            else ("E825", "records of a source file", "Leave its records out.")
        )
        inputs.add(code, given, f"{what} that the topic's index does not list", advice, line, source)
    for source, members in stories.items():
        if source not in records:
            said = "no record of a source file that the topic's index lists"
            inputs.add("E827", given, said, "Add at least one record of it.", head.line, source)
        elif not map_records(target, mapped, file, head, records[source], members, is_shortened=True):
            said = "time pointers, but the boundary table of a source file has no seconds"
            inputs.add("E828", given, said, "Give recid or docno pointers.", value=source)
    mapped.store()


def _files_without_trials(target: StoredCondition) -> set[str]:
    """Return the source files that an index may list although they have no trial."""
    return set(
        target.engine.column(
            """
        select file.source_file from base.source_file as file
        join registry.condition as condition on condition.condition_no = $condition
            and condition.corpus_no = file.corpus_no
        where file.is_excluded = 1
            or not list_contains(string_split(upper(coalesce(condition.languages, file.language)), ' '),
                upper(file.language))
            or not exists (select 1 from base.story as story where story.corpus_no = file.corpus_no
                and story.source_file_no = file.source_file_no and story.is_news = 1)""",
            {"condition": target.condition_no},
        )
    )


# ---- tidy output

#: what rows of tidy tables may be on that the condition does not have
TIDY: Mapping[str, Any] = {
    "topic": (
        "the run answers a topic that the condition does not have",
        "Correct the topic, or add it to the corpus.",
    ),
    "story": (
        "a decision on a story that the corpus does not have",
        "Correct the story, or add it to the document order.",
    ),
}

OFFICIAL = RunFormat(read_official)

FORMATS = {
    "tdt": OFFICIAL,
    "tidy": tidy_format("tracking", partial(by_topic, **TIDY, **_STORIES)),
    "trec": trec_format(partial(by_topic, **TREC, **_STORIES)),
}
