"""Facts on how a run was made: stored with the run, without effect on its numbers or its hash."""

from collections.abc import Mapping, Sequence

from tdtsql.engine.duckdb import Engine
from tdtsql.store.recording import note

TABLE = "registry.run_fact"

#: facts that `tdtsql run label` sets: they outlive another metadata file and another submission of the run
LABELS = ("team", "alias")


def labels_of(engine: Engine, run_no: int) -> dict[str, str]:
    rows = engine.rows(f"select name, value from {TABLE} where run_no = ? and path = '' order by name", [run_no])
    return {name: text for name, text in rows if name in LABELS}


def set_labels(engine: Engine, owner: str, run_no: int, labels: Mapping[str, str]) -> None:
    """Set team and alias of a run; an empty text removes one."""
    _write(engine, owner, run_no, None, labels)


def label_loaded_run(engine: Engine, condition_no: int, run_id: str, labels: Mapping[str, str]) -> None:
    """Set team and alias of a run of a condition, and of its copy under second judgments."""
    for run_no, owner in _with_copy(engine, condition_no, run_id):
        set_labels(engine, owner, run_no, labels)


def store_facts(
    engine: Engine, condition_no: int, run_id: str, facts: Sequence[tuple[str, str]], source: tuple[str, str] | None
) -> bool:
    """Store the facts of a run, and of its copy under second judgments, instead of earlier ones; return whether they
    changed.

    Args:
        facts: (name, text).
        source: path and sha256 of the file with the facts; None without one.
    """
    read = [(*fact, *(source or ("", ""))) for fact in facts]
    changed = [_write(engine, owner, run_no, read, {}) for run_no, owner in _with_copy(engine, condition_no, run_id)]
    return any(changed)


def _with_copy(engine: Engine, condition_no: int, run_id: str) -> list[tuple[int, str]]:
    """Return number and owner of a run, and of its copy under second judgments."""
    return engine.rows(
        """select run_no, 'run:' || condition_id || '/' || run_id from registry.run join registry.condition
        using (condition_no) where run_id = ? and base_condition_no = ? order by run_no""",
        [run_id, condition_no],
    )


def _write(engine: Engine, owner: str, run_no: int, read: Sequence[tuple] | None, labels: Mapping[str, str]) -> bool:
    """Store facts (name, text, path, sha256) of a run instead of those of its file (None: these stay), and then its
    labels with those that are set; return whether anything changed.
    """
    before = engine.rows(f"select name, value, path, sha256 from {TABLE} where run_no = ? order by fact_no", [run_no])
    others = [row for row in before if row[2] or row[0] not in LABELS]
    kept = sorted((labels_of(engine, run_no) | {**labels}).items())
    rows = [*(others if read is None else read), *((name, text, "", "") for name, text in kept if text)]
    if rows == before:
        return False
    engine.execute(f"delete from {TABLE} where run_no = ?", [run_no])
    columns = "run_no fact_no name value path sha256".split()
    engine.insert_rows(TABLE, columns, [(run_no, number, *row) for number, row in enumerate(rows, 1)])
    note(engine, owner, (TABLE,))
    return True
