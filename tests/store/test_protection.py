"""What each check protects against, and whom: the table of docs/how-to/audit.md is what these tests find.

TDTSQL_WRITE_TABLE=1 python -m pytest tests/store/test_protection.py     writes it
"""

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import duckdb
import pytest

import tdtsql
from load_entry import load_entry, sealed_again
from bundle_file import write_part
from tdtsql.errors import TdtsqlError
from tdtsql.definitions import lock
from tdtsql.definitions.catalogue import sql_root
from tdtsql.audit.archive import pack
from tdtsql.audit.invariants import audit
from tdtsql.scoring.recompute import derived_again, recompute
from tdtsql.store.contents import contents_of, owner_hash, owners
from tdtsql.store.opening import check_store, foreign
from tdtsql.store.ledger import verify_chain
from tdtsql.store.recording import append, head
from tdtsql.store.registry import refresh_current_inputs
from places import ROOT

PAGE = ROOT / "docs" / "how-to" / "audit.md"
BEGIN, END = "<!-- table of tests/store/test_protection.py -->\n", "<!-- end of the table -->\n"

#: columns of the table
CHECKS = (
    "opening it",
    "`audit`",
    "`check --recompute`",
    "`ledger verify --head`",
    "`verify` of a saved signature",
    "saved archive root",
)

COLLEAGUE = "colleague, by accident"
OWNER = "owner with SQL access"
CODE = "owner who runs this package's code"


class Tamper(NamedTuple):
    """One change of a store that an auditor should notice."""

    who: str
    what: str
    make: Callable[[Path], None]


def sql(*statements: str) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        with duckdb.connect(str(path)) as connection:
            for statement in statements:
                connection.execute(statement)

    return make


def resealed(statement: str, kind: str, prefix: str, names: tuple[str, ...] = ()) -> Callable[[Path], None]:
    """Change rows and append an entry that records them, with hashes of the registry to match; numbers are computed
    anew.
    """

    def make(path: Path) -> None:
        with tdtsql.connect(path) as store:
            engine = store.engine
            engine.execute(statement)
            for owner, place in owners(engine).items():
                if not owner.startswith(prefix):
                    continue
                if kind == "content":
                    append(engine, ("content", owner, {"tables": contents_of(engine, {owner: names})[owner]}))
                    continue
                table = {"corpus_no": "corpus", "condition_no": "condition", "run_no": "run"}[place[0]]
                name = engine.value(f"select {table}_id from registry.{table} where {place[0]} = {place[1]}")
                sha256 = owner_hash(place[0], name, contents_of(engine, {owner: None})[owner])
                engine.execute(f"update registry.{table} set content_sha256 = '{sha256}' where {place[0]} = {place[1]}")
                append(engine, load_entry(engine, owner))
            refresh_current_inputs(engine)
            for table in ("result_score", "result_block", "result_label", "result_det_point", "computation"):
                engine.execute(f"delete from ledger.{table}")
            engine.verified_owners.update(owners(engine))
            try:
                store.refresh()
            except TdtsqlError:
                pass  # refused: the check that the table is about

    return make


def swapped(path: Path) -> None:
    """Exchange two columns of a view by an alias list."""
    with duckdb.connect(str(path)) as connection:
        [(text,)] = connection.execute("select sql from duckdb_views() where view_name = 'det_point'").fetchall()
        body = re.sub(r"^CREATE VIEW \S+ (?:\([^)]*\) )?AS ", "", text).rstrip(";")
        names = [row[0] for row in connection.execute("describe report.det_point").fetchall()]
        other = {"p_miss": "p_fa", "p_fa": "p_miss"}
        listed = ", ".join(other.get(name, name) for name in names)
        connection.execute(f"create or replace view report.det_point ({listed}) as {body}")


def rebuilt(path: Path) -> None:
    """Evaluate forged files into a new store: everything in it is sound."""
    with tdtsql.connect(path) as store:
        rows = store.relation(
            "select block_id as topic_id, story_id, score from report.trial where run_id = 'R5' and is_scored"
        ).fetchall()
        store.drop_run("R5", condition="small")
        names = {
            "topic_id": [r[0] for r in rows],
            "story_id": [r[1] for r in rows],
            "score": [r[2] or 0.0 for r in rows],
        }
        store.add_run("R5", condition="small", decisions=names | {"decision": ["no"] * len(rows)})
        store.refresh()
        sealed_again(store.engine)


def replaced(path: Path) -> None:
    """Load a run of the same name with other decisions, by the command."""
    with tdtsql.connect(path) as store:
        rows = store.relation(
            "select block_id, story_id from report.trial where run_id = 'R5' and is_scored limit 5"
        ).fetchall()
        decisions = {"topic_id": [r[0] for r in rows], "story_id": [r[1] for r in rows], "score": [0.0] * len(rows)}
        store.drop_run("R5", condition="small")
        store.add_run("R5", condition="small", decisions=decisions | {"decision": ["yes"] * len(rows)})
        store.refresh()


TAMPERS = (
    Tamper(COLLEAGUE, "a stored number", sql(
        "update ledger.result_score set value = value / 2 where metric = 'p_miss'")),
    Tamper(COLLEAGUE, "decisions", sql("update base.decision set is_yes = not is_yes")),
    Tamper(COLLEAGUE, "a profile", sql("update registry.profile set c_miss = 2 where profile_id = 'tdt2004'")),
    Tamper(COLLEAGUE, "a view", sql("drop view report.leaderboard")),
    Tamper(COLLEAGUE, "a run, loaded again with other rows", replaced),
    Tamper(OWNER, "columns of a view, by an alias list", swapped),
    Tamper(OWNER, "decisions, with a `content` entry", resealed(
        "update base.decision set is_yes = not is_yes", "content", "run:", ("base.decision",))),
    Tamper(OWNER, "labels, with a `content` entry", resealed(
        "update base.labelled_story set label = 'no'", "content", "condition:", ("base.labelled_story",))),
    Tamper(OWNER, "judgments, with a `load` entry and new hashes", resealed(
        "update base.judgment set label = 'no' where story_no % 2 = 0", "load", "corpus:")),
    Tamper(OWNER, "a view, and the recorded definitions of it", sql(
        "drop view report.leaderboard",
        "update registry.made_with set value = repeat('f', 64) where item = 'definitions'",
        "delete from registry.made_with where item = 'catalog'")),
    Tamper(CODE, "a run, and the whole ledger rebuilt", rebuilt),
)  # fmt: skip


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    """Return a store, the head of its ledger, a signature and the root of its archive, as an auditor saved them."""
    folder = tmp_path_factory.mktemp("protection")
    bundle = write_part(ROOT / "fixtures" / "bagga" / "bundle.toml", folder, ["small"])
    path = folder / "store.duckdb"
    tdtsql.evaluate(bundle, path).close()
    with tdtsql.connect(path, read_only=True) as store:
        signed = tdtsql.signature(store, "R5", "p_miss", weighting="topic")
        return path, head(store.engine)[1], signed, pack(store.engine, folder / "a.zip").root


def noticed(check: str, path: Path, saved: str, signed: str, root: str) -> bool:
    """Return whether a check finds something wrong with a store."""
    try:
        with tdtsql.connect(path, read_only=True, inspect=check != "opening it") as store:
            engine = store.engine
            if check == "`audit`":
                check_store(engine, thorough=True)
                return any(result.failed for result in audit(engine))
            if check in ("`check --recompute`", "`ledger verify --head`"):
                check_store(engine, thorough=True)
                found = foreign(engine) + verify_chain(engine, expected=saved if "head" in check else None)
                return bool(found or derived_again(engine) or recompute(engine).divergences)
            if check == "`verify` of a saved signature":
                return not tdtsql.verify(signed, store)
            if check == "saved archive root":
                return pack(engine, path.with_suffix(".zip")).root != root
            return bool(foreign(engine))
    except TdtsqlError:
        return True


@pytest.fixture(scope="module")
def found(good, tmp_path_factory) -> dict[Tamper, list[bool]]:
    """Return what each check notices of each change."""
    path, *saved = good
    rows = {}
    for place, tamper in enumerate((Tamper("", "nothing", lambda _: None), *TAMPERS)):
        copy = Path(shutil.copy(path, tmp_path_factory.mktemp(f"tamper{place}") / "store.duckdb"))
        tamper.make(copy)
        rows[tamper] = [noticed(check, copy, *saved) for check in CHECKS]
    return rows


@pytest.mark.full
@pytest.mark.filterwarnings("ignore::tdtsql.errors.OtherDefinitions")
def test_the_table_of_checks_is_what_they_notice(found):
    lines = [f"| Who | Changes | {' | '.join(CHECKS)} |", "|---|---|" + "---|" * len(CHECKS)]
    lines += [
        f"| {tamper.who} | {tamper.what} | {' | '.join('found' if is_found else '-' for is_found in row)} |"
        for tamper, row in found.items()
        if tamper.who
    ]
    table = "\n".join(lines) + "\n"
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    written, after = rest.split(END)
    if os.environ.get("TDTSQL_WRITE_TABLE"):
        PAGE.write_text(f"{before}{BEGIN}\n{table}\n{END}{after}", encoding="utf-8")
        return
    assert written.strip() == table.strip()


@pytest.mark.full
@pytest.mark.filterwarnings("ignore::tdtsql.errors.OtherDefinitions")
def test_nothing_is_found_in_a_good_store_and_every_change_by_who_kept_the_head(found):
    for tamper, row in found.items():
        notices = dict(zip(CHECKS, row, strict=True))
        assert any(row) == bool(tamper.who), tamper.what
        assert notices["`ledger verify --head`"] == bool(tamper.who), tamper.what
        assert notices["saved archive root"] == bool(tamper.who), tamper.what


def test_a_definition_of_the_installation_that_was_changed_is_refused(tmp_path):
    """Every command compares the installed definitions with their lock before it opens a store."""
    root = Path(shutil.copytree(sql_root(), tmp_path / "sql"))
    path = root / "metric" / "detection" / "rate__v1.sql"
    path.write_text(path.read_text().replace("n_miss", "n_target", 1).replace("ratio(n_miss", "0.5 * ratio(n_miss"))
    with pytest.raises(TdtsqlError, match=r"metric.detection_rate__v1 .* its SQL changed"):
        lock.check(root)
