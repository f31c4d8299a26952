"""A second opinion: every base and metric view, rendered for ClickHouse and run there, against DuckDB's rows, bit for bit.

Needs chdb (ClickHouse inside Python); skipped, saying so, where it is not installed. Views become tables in build
order: a chain of twenty views as one plan takes ClickHouse minutes to optimise.
"""

from pathlib import Path

import pytest

import tdtsql
from tdtsql.metric.catalog import catalog, redirect
from tdtsql.metric.ddl import tables
from tdtsql.metric.dialect import dialect
from tdtsql.metric.render import portable_trees, render_table, render_tree

pytestmark = pytest.mark.engine
chdb = pytest.importorskip("chdb", reason="ClickHouse is not installed: pip install chdb")

EXAMPLE = Path(__file__).resolve().parents[2] / "fixtures" / "example" / "bundle.toml"
SETTINGS = "settings join_use_nulls = 1, query_plan_max_optimizations_to_apply = 1000000"


def test_every_view_has_the_same_rows(tmp_path):
    relations = {name: relation for name, relation in catalog().items() if relation.schema in ("base", "metric")}
    trees, target = portable_trees(relations, list(relations), tables()), dialect("clickhouse")
    session = chdb.session.Session()
    different = []
    with tdtsql.evaluate(EXAMPLE) as store:
        engine = store.engine
        for schema in ("registry", "staging", "base", "metric"):
            session.query(f"create database {schema}")
        for name, table in tables().items():
            if name.startswith("ledger."):
                continue
            engine.execute(f"copy {name} to '{tmp_path}/{name}.parquet' (format parquet)")
            columns = ", ".join(table.columns)
            session.query(render_table(table, target).rstrip(";"))
            session.query(f"insert into {name} ({columns}) select {columns} from file('{tmp_path}/{name}.parquet', 'Parquet')")
        here: dict[str, str] = {}
        n_row = 0
        for name, relation in relations.items():
            kind = "view" if relation.header.is_large else "table engine = MergeTree order by tuple()"
            body = render_tree(relation, trees[name], target)
            session.query(f"create {kind.split()[0]} {name}{kind.removeprefix('table').removeprefix('view')} as {body} {'' if kind == 'view' else SETTINGS}")
            session.query(f"select * from {name} into outfile '{tmp_path}/out_{name}.parquet' truncate format Parquet {SETTINGS}")
            here[name] = f"temp.main.{name.replace('.', '__')}"
            engine.execute(f"create temp table {name.replace('.', '__')} as {redirect(relation.body, here)}")
            types = engine.rows(f"select column_name, column_type from (describe {here[name]})")
            columns = ", ".join(f"cast({column} as {kind}) as {column}" for column, kind in types)
            theirs = f"(select {columns} from '{tmp_path}/out_{name}.parquet')"
            missing, ours, other = engine.rows(
                f"select (select count(*) from (select * from {here[name]} except all select * from {theirs})), "
                f"(select count(*) from {here[name]}), (select count(*) from {theirs})")[0]
            n_row += ours
            if missing or ours != other:
                different.append(f"{name}: {missing} of {ours} rows differ ({other} there)")
    assert different == []
    assert n_row > 10_000
