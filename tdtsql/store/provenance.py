"""Facts on how a run was made: stored with the run, without effect on its numbers or its hash."""

from collections.abc import Mapping, Sequence

from tdtsql.engine.duckdb import Engine
from tdtsql.store.recording import note

TABLE = "registry.run_fact"

#: facts that `tdtsql run label` sets: they outlive another metadata file and another submission of the run
LABELS = ("team", "alias")
_OF_LABELS = f"from {TABLE} where run_no = ? and path = '' and name in {LABELS}"

#: facts needed to reproduce a run: description, and the facts of which one is required (a name, or a prefix of names)
NEEDED = (
    ("the hardware", ("platform.hardware",)),
    ("the operating system", ("platform.operating_system",)),
    ("software libraries with versions", ("platform.software",)),
    ("the command that made it", ("implementation.executable",)),
    ("the repository of the code", ("implementation.source.repository",)),
    ("the commit of the code", ("implementation.source.commit",)),
    ("the method with its parameters", ("method.retrieval", "method.params", "method.name", "method.description")),
    ("whether it is automatic", ("method.automatic",)),
    ("the test collection", ("data.test_collection",)),
    ("training and other data", ("data.training_data", "data.other")),
    ("the research goal", ("research_goal",)),
    ("who made it", ("actor.name", "actor.team")),
    ("experimenter or reproducer", ("actor.role",)),
)


def missing(names: Sequence[str]) -> list[str]:
    """Return, as a text, the missing facts of a run that its reproduction needs."""
    return [
        words
        for words, any_of in NEEDED
        if not any(name == known or name.startswith(f"{known}.") for name in names for known in any_of)
    ]


def labels_of(engine: Engine, run_no: int) -> dict[str, str]:
    return dict(engine.rows(f"select name, value {_OF_LABELS} order by name", [run_no]))


def set_labels(engine: Engine, owner: str, run_no: int, labels: Mapping[str, str]) -> None:
    """Set team and alias of a run; an empty text removes one."""
    before = labels_of(engine, run_no)
    kept = {name: text for name, text in (before | dict(labels)).items() if text}
    if kept == before:
        return
    engine.execute(f"delete {_OF_LABELS}", [run_no])
    last = engine.value(f"select coalesce(max(fact_no), 0) from {TABLE} where run_no = ?", [run_no])
    for number, (name, text) in enumerate(sorted(kept.items()), last + 1):
        engine.insert(
            TABLE,
            {"run_no": [run_no], "fact_no": [number], "name": [name], "value": [text], "path": [""], "sha256": [""]},
        )
    note(engine, owner, (TABLE,))


def label_loaded_run(engine: Engine, condition_no: int, run_id: str, labels: Mapping[str, str]) -> None:
    """Set team and alias of a run of a condition, and of its copy under second judgments."""
    for run_no, condition_id in _with_copy(engine, condition_no, run_id):
        set_labels(engine, f"run:{condition_id}/{run_id}", run_no, labels)


def _with_copy(engine: Engine, condition_no: int, run_id: str) -> list[tuple[int, str]]:
    """Return number and condition of a run, and of its copy under second judgments."""
    return engine.rows(
        """select run.run_no, condition.condition_id from registry.run as run join registry.condition as condition
        using (condition_no)
        where run.run_id = ? and condition.base_condition_no = ? order by run.run_no""",
        [run_id, condition_no],
    )


def store_facts(
    engine: Engine, condition_no: int, run_id: str, facts: Sequence[tuple[str, str]], source: tuple[str, str] | None
) -> bool:
    """Store the facts of a run, and of its copy under second judgments, instead of earlier ones; return whether they
    changed.

    Args:
        facts: (name, text).
        source: path and sha256 of the file with the facts; None without one.
    """
    path, sha256 = source or ("", "")
    read = [(number, name, text, path, sha256) for number, (name, text) in enumerate(facts, 1)]
    changed = False
    for run_no, condition_id in _with_copy(engine, condition_no, run_id):
        labels = enumerate(labels_of(engine, run_no).items(), len(read) + 1)
        rows = read + [(number, name, text, "", "") for number, (name, text) in labels]
        if (
            engine.rows(
                f"select fact_no, name, value, path, sha256 from {TABLE} where run_no = ? order by fact_no", [run_no]
            )
            == rows
        ):
            continue
        changed = True
        engine.execute(f"delete from {TABLE} where run_no = ?", [run_no])
        if rows:
            columns = "run_no fact_no name value path sha256".split()
            engine.insert_rows(TABLE, columns, [(run_no, *row) for row in rows])
        note(engine, f"run:{condition_id}/{run_id}", (TABLE,))
    return changed
