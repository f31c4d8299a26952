"""Facts on how a run was made: stored with the run, without effect on its numbers or its hash."""

from collections.abc import Mapping, Sequence

from tdtsql.engine.duckdb import Engine
from tdtsql.store.contents import FACTS
from tdtsql.store.recording import note

#: facts that `tdtsql run label` sets: they outlive another metadata file and another submission of the run
LABELS = ("team", "alias")


def store_facts(
    engine: Engine,
    condition_no: int,
    run_id: str,
    facts: Sequence[tuple[str, str]] | None,
    source: tuple[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
) -> bool:
    """Store the facts and labels of a run, and of its copy under second judgments; return whether they changed.

    Args:
        facts: (name, text), instead of earlier ones; None: these stay.
        source: path and sha256 of the file with the facts; None without one.
        labels: as of `write_facts`.
    """
    read = None if facts is None else [(*fact, *(source or ("", ""))) for fact in facts]
    runs = engine.rows(
        """select run_no, 'run:' || condition_id || '/' || run_id from registry.run join registry.condition
        using (condition_no) where run_id = ? and base_condition_no = ? order by run_no""",
        [run_id, condition_no],
    )
    changed = [write_facts(engine, owner, run_no, read, labels or {}) for run_no, owner in runs]
    return any(changed)


def write_facts(
    engine: Engine, owner: str, run_no: int, read: Sequence[tuple] | None, labels: Mapping[str, str]
) -> bool:
    """Write the facts (name, text, path, sha256) of a run instead of those of its file (None: these stay), and then its
    labels with those that are given (an empty text removes one); return whether anything changed.
    """
    [table] = FACTS
    before = engine.rows(f"select name, value, path, sha256 from {table} where run_no = ? order by fact_no", [run_no])
    of_file = [row for row in before if row[2] or row[0] not in LABELS]
    kept = {name: text for name, text, path, _ in before if name in LABELS and not path} | {**labels}
    rows = of_file if read is None else [*read]
    rows += [(name, text, "", "") for name, text in sorted(kept.items()) if text]
    if rows == before:
        return False
    engine.execute(f"delete from {table} where run_no = ?", [run_no])
    columns = "run_no fact_no name value path sha256".split()
    engine.insert_rows(table, columns, [(run_no, number, *row) for number, row in enumerate(rows, 1)])
    note(engine, owner, FACTS)
    return True
