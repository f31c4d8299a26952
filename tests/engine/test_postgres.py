"""A second opinion: every base and metric view, rendered for PostgreSQL and run there, against DuckDB's rows.

Starts a server of its own in a temporary folder, on a socket without network; skipped, saying so, where PostgreSQL's
programs are not installed. Views of class exact must have the same bits, those of class libm agree to 1e-15.
"""

import math
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

import tdtsql
from tdtsql.metric.catalog import catalog, redirect
from tdtsql.metric.ddl import tables
from tdtsql.metric.dialect import dialect
from tdtsql.metric.render import portable_trees, render_table, render_tree

pytestmark = pytest.mark.engine

EXAMPLE = Path(__file__).resolve().parents[2] / "fixtures" / "example" / "bundle.toml"
PROGRAMS = next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), None)


@pytest.fixture(scope="module")
def psql():
    """Return a function that runs statements on a server of our own."""
    if PROGRAMS is None or shutil.which("psql") is None:
        pytest.skip("PostgreSQL is not installed (Debian: apt install postgresql)")
    folder = Path(tempfile.mkdtemp(prefix="tdtsql-pg-"))
    folder.chmod(0o755)
    become = []
    if os.getuid() == 0:  # the server refuses to run as root
        shutil.chown(folder, "postgres")
        become = ["su", "postgres", "-c"]

    def call(command: str) -> None:
        subprocess.run([*become, command] if become else ["sh", "-c", command], check=True, capture_output=True)

    call(f"{PROGRAMS}/initdb -D {folder}/data -A trust -U postgres --locale=C -E UTF8")
    call(f"{PROGRAMS}/pg_ctl -D {folder}/data -o \"-c listen_addresses='' -k {folder} -c fsync=off\" -l {folder}/log -w start")

    def run(statements: str) -> str:
        done = subprocess.run(["psql", "-h", str(folder), "-U", "postgres", "-q", "-v", "ON_ERROR_STOP=1", "postgres"],
                              input=statements, capture_output=True, text=True, check=False)
        return done.stderr

    yield run
    call(f"{PROGRAMS}/pg_ctl -D {folder}/data -m immediate stop")
    shutil.rmtree(folder, ignore_errors=True)


def test_every_view_has_the_same_rows(psql, tmp_path):
    relations = {name: relation for name, relation in catalog().items() if relation.schema in ("base", "metric")}
    trees, target = portable_trees(relations, list(relations), tables()), dialect("postgres")
    different = []
    with tdtsql.evaluate(EXAMPLE) as store:
        engine = store.engine
        script = "".join(f"create schema {schema};\n" for schema in ("registry", "staging", "base", "metric"))
        for name, table in tables().items():
            if not name.startswith("ledger."):
                columns = ", ".join(table.columns)
                engine.execute(f"copy (select {columns} from {name}) to '{tmp_path}/{name}.csv' (format csv, header false, nullstr '\\N')")
                script += f"{render_table(table, target)}\n\\copy {name} from '{tmp_path}/{name}.csv' with (format csv, null '\\N')\n"
        assert psql(script) == ""
        here: dict[str, str] = {}
        n_row = 0
        for name, relation in relations.items():
            # tables in build order: each step is computed once
            assert psql(f"create table {name} as {render_tree(relation, trees[name], target)};\n\\copy (select * from {name}) to '{tmp_path}/out.csv' "
                        "with (format csv, null '\\N')\n") == "", name
            here[name] = f"temp.main.{name.replace('.', '__')}"
            engine.execute(f"create temp table {name.replace('.', '__')} as {redirect(relation.body, here)}")
            columns = engine.rows(f"select column_name, column_type from (describe {here[name]})")
            spec = ", ".join(f"'{column}': '{'DOUBLE' if kind == 'DOUBLE' else 'VARCHAR'}'" for column, kind in columns)
            cast = ", ".join(f"cast({column} as {kind}) as {column}" for column, kind in columns)
            ours = engine.rows(f"select * from {here[name]} order by all")
            theirs = engine.rows(f"select {cast} from read_csv('{tmp_path}/out.csv', header = false, nullstr = '\\N', auto_detect = false, "
                                 f"columns = {{{spec}}}) order by all") if ours else []
            n_row += len(ours)
            wrong = [pair for pair in zip(ours, theirs, strict=False) if not _same(*pair, exact=relation.header.is_exact)]
            if wrong or len(ours) != len(theirs):
                different.append(f"{name}: {len(wrong)} of {len(ours)} rows differ ({len(theirs)} there), first {wrong[:1]}")
    assert different == []
    assert n_row > 10_000


def _same(ours: tuple, theirs: tuple, *, exact: bool) -> bool:
    return all(a == b or (not exact and isinstance(a, float) and isinstance(b, float) and math.isclose(a, b, rel_tol=1e-15)) for a, b in zip(ours, theirs, strict=True))
