"""Numbers of replaced computations: kept with their time, shown by `ask history`, covered by the ledger."""

import shutil
from pathlib import Path

import pytest

import tdtsql
from tdtsql.store.sets import verify_ledger
from places import FIXTURES

BAGGA = FIXTURES / "bagga"


@pytest.fixture(scope="module")
def corrected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store in which a file of a run was corrected, and another run was dropped and came back."""
    folder = shutil.copytree(BAGGA, tmp_path_factory.mktemp("history") / "bagga")
    with tdtsql.connect(folder / "s.duckdb", create=True) as store:
        store.evaluate(folder / "bundle.toml")
        run = (folder / "R1.csv").read_text()
        (folder / "R1.csv").write_text(run.replace("t1,S1,yes", "t1,S1,no"))
        store.drop_run("R5")
        store.evaluate(folder / "bundle.toml")
    return folder / "s.duckdb"


def history(path: Path, run: str) -> list[tuple]:
    with tdtsql.connect(path, read_only=True) as store:
        found = store.ask("history", run=run, metric="c_det_norm", weighting="topic")
        names = found.columns
        return [
            tuple(dict(zip(names, row, strict=True))[name] for name in ("computation", "cause", "changed", "state"))
            for row in found.fetchall()
        ]


def test_both_values_of_a_corrected_run_are_told(corrected: Path) -> None:
    assert history(corrected, "R1") == [(1, "first", None, "past"), (7, "loaded data", "run:large/R1", "current")]


def test_a_dropped_run_keeps_its_history_and_no_number_is_used_again(corrected: Path) -> None:
    (first, again) = history(corrected, "R5")
    assert first[1:] == ("first", None, "past")
    assert again == (8, "recomputed", "run:small/R5", "current")


def test_a_dropped_run_can_be_asked_for(corrected: Path, tmp_path: Path) -> None:
    with tdtsql.connect(shutil.copy(corrected, tmp_path / "s.duckdb")) as store:
        store.drop_run("R5")
    assert [state for *_, state in history(tmp_path / "s.duckdb", "R5")] == ["past", "past"]


@pytest.mark.parametrize(
    "statement",
    ["update ledger.past_score set value = value + 1 where metric = 'c_det'", "delete from ledger.past_score"],
)
def test_an_edited_past_number_is_found(corrected: Path, tmp_path: Path, statement: str) -> None:
    path = shutil.copy(corrected, tmp_path / "s.duckdb")
    with tdtsql.connect(path, inspect=True) as store:
        assert verify_ledger(store.engine) == []
        store.engine.execute(statement)
        assert "ledger.past_score" in verify_ledger(store.engine)[0]
