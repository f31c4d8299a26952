"""Changes of loaded data on request: drop runs and corpora; rename, withdraw and restore runs.

Each function returns what it changed, by name and with counts, for the report. An ambiguous name is refused unless the
caller selects one, or all.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import NamedTuple

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import (
    INTERFACE,
    AmbiguousName,
    Names,
    UnknownName,
    WrongCall,
    check_run_name,
    counted,
    first_few,
    is_name,
    listed,
    check_known,
)
from tdtsql.store import registry
from tdtsql.store.contents import WITHDRAWN, owner_of
from tdtsql.store.recording import append, note, note_load
from tdtsql.store.provenance import write_facts


def _advice(others: str) -> str:
    """Return how a caller chooses one of several conditions, or all."""
    names = ("--condition", "--yes") if INTERFACE.get() == "cli" else ("condition=...", "yes=True")
    return f"Name one with {names[0]}, or {others} with {names[1]}."


class ChangedRun(NamedTuple):
    """A run that was dropped, renamed, withdrawn or restored."""

    condition_id: str
    run_id: str
    n_row: int  #: rows that were read of it
    reason: str | None = None  #: why it was withdrawn before

    def __str__(self) -> str:
        before = "" if self.reason is None else f"; the reason was '{self.reason}'"
        return f"{self.condition_id} ({self.n_row:,} rows{before})"


class DroppedCondition(NamedTuple):
    """A condition that was dropped with its runs."""

    condition_id: str
    n_run: int

    def __str__(self) -> str:
        return f"{self.condition_id} ({counted(self.n_run, 'run')})"


class Changed(list):
    """What was changed, by name and with counts, and a sentence on it (``remarks``)."""

    def __init__(self, changed: "Sequence[ChangedRun | DroppedCondition]", sentence: str):
        super().__init__(changed)
        self.remarks = (sentence,)


def drop_run(engine: Engine, run_id: Names, condition: str | None = None, *, yes: bool = False) -> Changed:
    """Remove RUN and its numbers; a run of several conditions only with --condition or --yes.

    Args:
        condition: only from this condition.
        yes: from all conditions that have it.

    Returns:
        What was removed: condition_id, run_id, n_row.

    Raises:
        UnknownName: no such run or condition.
        AmbiguousName: the run is in several conditions. Name one, or pass ``yes`` to remove it from all.
    """
    with _change(engine):
        found = _runs_called(engine, run_id, condition)
        for name in listed(run_id):
            of_name = [str(run) for run, _ in found if run.run_id == name]
            if condition is None and len(of_name) > 1 and not yes:
                raise AmbiguousName(
                    f"run '{name}' is in {len(of_name)} conditions: {', '.join(of_name)}. "
                    + _advice("drop it from all")
                )
        for _, number in _numbered(engine, found):
            registry.drop(engine, "run_no", number)
    return _changed(f"Dropped run {', '.join(listed(run_id))} from", found)


def drop_corpus(engine: Engine, corpus_id: str, *, condition: str | None = None, yes: bool = False) -> Changed:
    """Remove CORPUS, its conditions and their runs; of several conditions only with --condition or --yes.

    Args:
        condition: only this condition, with its runs.
        yes: with all of its conditions.

    Returns:
        What was removed, per condition: condition_id, n_run.

    Raises:
        UnknownName: no such corpus, or no such condition of it.
        AmbiguousName: it has several conditions. Name one, or pass ``yes``.
    """
    with _change(engine):
        corpora = dict(engine.rows("select corpus_id, corpus_no from registry.corpus order by corpus_id"))
        check_known("corpus", corpus_id, corpora)
        rows = engine.rows(
            """select condition_id, condition_no, count(run_no) from registry.condition
            left join registry.run using (condition_no) where corpus_no = ? and judgment_set = 1 group by all
            order by 1""",
            [corpora[corpus_id]],
        )
        check_known(f"condition of corpus {corpus_id}", condition, [name for name, *_ in rows])
        rows = [row for row in rows if condition in (None, row[0])]
        found = [DroppedCondition(name, n_run) for name, _, n_run in rows]
        named = ", ".join(map(str, found)) or "no conditions"
        if len(found) > 1 and not yes:
            raise AmbiguousName(
                f"corpus '{corpus_id}' has {len(found)} conditions with "
                f"{counted(sum(one.n_run for one in found), 'run')}: {named}. " + _advice("drop all")
            )
        if condition is None:
            registry.drop(engine, "corpus_no", corpora[corpus_id])
            return Changed(found, f"Dropped corpus {corpus_id}: {named}.")
        copies = "select condition_no from registry.condition where base_condition_no = ? order by 1 desc"
        for number in engine.column(copies, [rows[0][1]]):
            registry.drop(engine, "condition_no", number)
        return Changed(found, f"Dropped one condition of corpus {corpus_id}: {named}.")


def rename_run(engine: Engine, old: str, new: str, *, condition: str | None = None) -> Changed:
    """Rename run OLD to NEW, and score it again: signatures name the run.

    Args:
        condition: only in this condition.

    Raises:
        UnknownName: no such run or condition.
        WrongCall: another run has the new name.
    """
    check_run_name(new)
    with _change(engine):
        found = _runs_called(engine, old, condition)
        of_new = "select condition_id from registry.run join registry.condition using (condition_no) where run_id = ?"
        taken = engine.column(of_new, [new])
        for run, _ in found:
            if run.condition_id in taken:
                raise WrongCall(f"condition '{run.condition_id}' has a run '{new}' already. Choose another name.")
        for owner, number in _numbered(engine, found):
            _rename(engine, owner, number, new)
    return _changed(f"Renamed run {old} to {new} in", [(run._replace(run_id=new), numbers) for run, numbers in found])


def _rename(engine: Engine, old: str, run_no: int, new: str) -> None:
    condition, _, name = old.removeprefix("run:").partition("/")
    owner = f"run:{condition}/{new}"
    append(engine, ("rename", old, {"to": new}), ("drop", old, {}))
    registry.forget_results(engine, run_no)
    engine.execute(
        "update ledger.past_score set run_id = ? where condition_id = ? and run_id = ?", [new, condition, name]
    )
    engine.execute("update registry.run set run_id = ? where run_no = ?", [new, run_no])
    for table in ("registry.input_file", "registry.problem"):
        engine.execute(f"update {table} set owner = ? where owner = ?", [owner, old])
    note_load(engine, owner)


def withdraw_run(engine: Engine, run_id: Names, *, reason: str, condition: str | None = None) -> Changed:
    """Withdraw RUN: its numbers stay, and it has no rank.

    Args:
        reason: why; shown with the run.
        condition: only in this condition.

    Raises:
        UnknownName: no such run or condition.
        WrongCall: the reason is missing, or not printable.
    """
    at, reason = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"), " ".join(str(reason or "").split())
    if not is_name(reason):
        said = f"a run is withdrawn for a reason in printable text, not {reason!r}"
        raise WrongCall(f"{said}. Give one, such as 'bug in the decoder'.")
    with _change(engine):
        found = _runs_called(engine, run_id, condition)
        for owner, number in _numbered(engine, found):
            engine.execute("insert or replace into registry.withdrawal values (?, ?, ?)", [number, at, reason])
            append(engine, ("withdraw", owner, {"reason": reason}))
            note(engine, owner, WITHDRAWN)
    names = listed(run_id)
    again = f" `tdtsql run restore {' '.join(names)}` ranks it again."
    return _changed(f"Withdrew run {', '.join(names)} in", found, again)


def restore_run(engine: Engine, run_id: Names, *, condition: str | None = None) -> Changed:
    """Rank RUN again, which was withdrawn.

    Args:
        condition: only in this condition.

    Raises:
        UnknownName: no such run, or it is not withdrawn.
    """
    with _change(engine):
        found = [one for one in _runs_called(engine, run_id, condition) if one[0].reason is not None]
        if not found:
            raise UnknownName(f"run {first_few(listed(run_id))} is not withdrawn. `tdtsql run list` shows which are.")
        for owner, number in _numbered(engine, found):
            engine.execute("delete from registry.withdrawal where run_no = ?", [number])
            append(engine, ("restore", owner, {}))
            note(engine, owner, WITHDRAWN)
    return _changed(f"Restored run {', '.join(listed(run_id))} in", found)


def label_run(
    engine: Engine, run_id: Names, *, team: str | None = None, alias: str | None = None, condition: str | None = None
) -> Changed:
    """Set the team of RUN, and the name that leaderboards show for it.

    Args:
        team: who submitted it; an empty text removes it.
        alias: the name that leaderboards show; an empty text removes it.
        condition: only in this condition.

    Raises:
        UnknownName: no such run or condition.
        WrongCall: neither is given, or one is not printable.
    """
    labels = {name: text for name, text in (("team", team), ("alias", alias)) if text is not None}
    if not labels or (odd := [text for text in labels.values() if text and not is_name(text)]):
        shown = f", not {odd[0]!r}" if labels else ""
        raise WrongCall(f"a label is printable text without blanks at the ends{shown}. Give a team or an alias.")
    with _change(engine):
        found = _runs_called(engine, run_id, condition)
        for owner, number in _numbered(engine, found):
            write_facts(engine, owner, number, None, labels)
    return _changed(f"Labelled run {', '.join(listed(run_id))} in", found)


#: runs that are changed, each with its number and that of its copy under second judgments
_Found = list[tuple[ChangedRun, list[int]]]


def _runs_called(engine: Engine, run_id: Names, condition: str | None) -> _Found:
    """Return the runs of a name or several, each with its number and that of its copy under second judgments.

    Raises:
        UnknownName: no such run.
    """
    if condition is not None:
        registry.check_name(engine, "condition_id", condition)
        base = engine.value(
            """select base.condition_id from registry.condition as condition join registry.condition as base on
            base.condition_no = condition.base_condition_no where condition.condition_id = ?""",
            [condition],
        )
        if base != condition:
            raise WrongCall(
                f"condition '{condition}' is the copy of '{base}' under the second judgments. Name '{base}'."
            )
    found: _Found = []
    for name in dict.fromkeys(listed(run_id)):
        registry.run_numbers(engine, name, condition)
        rows = engine.rows(
            """select base.condition_id, run_id, min_by(n_row, run.run_no), min_by(reason, run.run_no),
                list(run.run_no order by run.run_no) from registry.run as run
            join registry.condition as condition using (condition_no)
            join registry.condition as base on base.condition_no = condition.base_condition_no
            left join registry.withdrawal as withdrawal on withdrawal.run_no = run.run_no
            where run_id = ? and (? is null or base.condition_id = ?) group by all order by 1""",
            [name, condition, condition],
        )
        found += [(ChangedRun(*run), numbers) for *run, numbers in rows]
    return found


def _numbered(engine: Engine, found: _Found) -> list[tuple[str, int]]:
    """Return owner and number of these runs and of their copies."""
    return [(owner_of(engine, "run_no", number), number) for _, numbers in found for number in numbers]


def _changed(done: str, found: _Found, more: str = "") -> Changed:
    """Return the runs that were changed, with a sentence: dropped run kestrel from 2 conditions: a (12 rows), b."""
    changed = [run for run, _ in found]
    where = counted(len(changed), "condition")
    return Changed(changed, f"{done} {where}: {', '.join(map(str, changed))}.{more}")


@contextmanager
def _change(engine: Engine) -> Iterator[None]:
    """All of a change, or nothing."""
    with engine.change():
        yield
        registry.refresh_current_inputs(engine)
