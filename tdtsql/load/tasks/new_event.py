"""New event detection: its test set, and what systems say of it.

Every story of the test set has one decision; the topics share it, so decisions
are stored under block 0. Which stories are targets is SQL (base.new_event_trial__v1).

Code   Meaning
E840   a deferral period other than the condition's
E841   a pointer type other than the index's
E842   records of a source file outside the test set
E843   no record of a source file of the test set
E844   time pointers without seconds
E845   a story with two decisions, in two files
"""

from collections.abc import Mapping, Sequence

from tdtsql.engine.quoting import sql_list
from tdtsql.files.find import Inputs
from tdtsql.load.decision_files import tidy_format
from tdtsql.load.decisions import by_story, decided_runs
from tdtsql.load.outputs import FINITE_SCORE, Header, check_deferral, read_outputs
from tdtsql.load.pointers import Mapped, Span, map_records, stories_tested
from tdtsql.load.plan import RunSpec, Source, StoredCondition
from tdtsql.load.topics import one_test_set
from tdtsql.tasks.declaration import RunFormat

#: returns the topics of a condition; they share one test set
read_plan = one_test_set

#: stories of the test set without a decision, and decisions on others
_MISSING = ("decision/W847", "decision/W846")


def read_official(target: StoredCondition, inputs: Inputs, files: Sequence[Source], run_id: str | None) -> RunSpec:
    """Return the run of official output files."""
    paths, stories, answered = [given for given, _ in files], stories_tested(target), set[str]()
    rows, heads = read_outputs(target.engine, inputs, "new_event", files)
    mapped, sound = Mapped(target.engine), [-1]  #: of files with errors the rows do not count
    for file, head in heads.items():
        if any(problem.is_error and problem.path == paths[file] for problem in inputs.problems):
            continue
        sound.append(file)
        _check_header(target, inputs, paths[file], head)
        if head.pointer_type != "docno":
            _map_file(target, inputs, paths[file], file, head, stories, answered, mapped)
    if not inputs.has_errors and not any(head.pointer_type == "docno" for head in heads.values()):
        for source in (source for source in stories if source not in answered):
            said = "no record of a source file of the test set"
            inputs.add("E843", paths[0], said, "Add at least one record of it.", value=source)
    relation = f"""
        select file, line, cast(null as varchar) as run_id, story_id, is_yes, {FINITE_SCORE} as score
        from {rows.table} where story_id is not null and file in ({sql_list(sound)})
        union all select file, line, null, story_id, is_yes, score from {mapped.table}"""
    how = by_story(missing=_MISSING, repeated="E845")
    systems = [head.system for head in heads.values()]
    return decided_runs(how, target, inputs, paths, rows.table, relation, {None: paths}, systems, run_id)


def _check_header(target: StoredCondition, inputs: Inputs, given: str, head: Header) -> None:
    check_deferral(target.deferral, inputs, given, head, "E840")
    if target.pointer_type not in (None, head.pointer_type, "docno") and head.pointer_type != "docno":
        said = f"the header says {head.pointer_type} pointers, the index {target.pointer_type}"
        inputs.add("E841", given, said, "Give the pointers of the index, or docno.", head.line, head.pointer_type)


def _map_file(
    target: StoredCondition,
    inputs: Inputs,
    given: str,
    file: int,
    head: Header,
    stories: Mapping[str, list[Span]],
    answered: set[str],
    mapped: Mapped,
) -> None:
    """Map the records of each source file to its stories."""
    known = target.engine.column("select source_file from base.source_file where corpus_no = ?", [target.corpus_no])
    records = mapped.records(file)
    for source, own in records.items():
        line = own[0][0]
        if source not in known:
            said = "records of a source file outside the test set"
            inputs.add("E842", given, said, "Leave its records out.", line, source)
        elif source in answered:
            said = "a source file that another file of the run has answered"
            inputs.add("E845", given, said, "Give each source file one block.", line, source)
        elif not map_records(target, mapped, file, head, own, stories.get(source, []), is_shortened=False):
            said = "time pointers, but the boundary table of a source file has no seconds"
            inputs.add("E844", given, said, "Give recid or docno pointers.", line, source)
    answered.update(records)
    mapped.store()


FORMATS = {
    "tdt": RunFormat(read_official),
    "tidy": tidy_format("new_event", lambda target: by_story(missing=_MISSING)),
}
