"""`tdtsql sql`: ask the store in SQL."""

import click

from tdtsql.cli.options import format_option, store_options
from tdtsql.engine.quoting import quoted


@click.group("sql")
def command() -> None:
    """Ask the store in SQL."""


@command.command("query")
@click.argument("query")
@store_options
@format_option
def query_command(query: str, db: str, trace: bool, format_: str) -> None:
    """Run QUERY read-only, with no access to files, network or settings."""
    from tdtsql.cli.output import print_rows
    from tdtsql.api import connect

    with connect(db, read_only=True, trace=trace) as store:
        stale = store.engine.value("select count(*) from report.stale")
        if stale:
            click.echo(f"{stale} runs are not up to date and not in report.*; `tdtsql score --db {store.path}` computes them.", err=True)
        columns, rows = store.engine.ask_untrusted(query)
        print_rows(columns, rows, format_)


@command.command("schema")
@click.argument("relation", required=False)
@store_options
@format_option
def schema_command(relation: str | None, db: str, trace: bool, format_: str) -> None:
    """List the relations of the store, or the columns of one."""
    from tdtsql.cli.output import print_relation
    from tdtsql.api import connect
    from tdtsql.errors import unknown

    with connect(db, read_only=db != ":memory:", trace=trace) as store:
        relations = """
            select schema_name || '.' || table_name as relation, 'table' as kind, comment from duckdb_tables() where not internal
            union all
            select schema_name || '.' || view_name, 'view', comment from duckdb_views() where not internal"""
        if relation is None:
            print_relation(store.relation(f"select * from ({relations}) order by relation"), format_)
            return
        names = [row[0] for row in store.engine.rows(f"select relation from ({relations}) order by relation")]
        if relation not in names:
            raise unknown("relation", relation, names)
        print_relation(store.relation(f"""
            select column_name as "column", data_type as type, comment from duckdb_columns()
            where schema_name || '.' || table_name = {quoted(relation)} order by column_index"""), format_)


@command.command("shell")
@store_options
def shell_command(db: str, trace: bool) -> None:
    """Ask one query after the other, read-only; an empty line ends."""
    from tdtsql.cli.output import print_rows
    from tdtsql.errors import InvalidQuery
    from tdtsql.api import connect

    with connect(db, read_only=True, trace=trace) as store:
        while text := click.prompt("tdtsql", default="", show_default=False, prompt_suffix="> "):
            try:
                columns, rows = store.engine.ask_untrusted(text)
            except InvalidQuery as error:
                click.echo(str(error), err=True)
            else:
                print_rows(columns, rows, "table")


@command.command("render")
@click.argument("name")
@click.option("--dialect", "engine", required=True, metavar="NAME", help="spark, postgres, clickhouse, datafusion, trino, snowflake, bigquery or duckdb.")
@click.option("--with-tables", is_flag=True, help="Begin with the tables that the views read.")
def render_command(name: str, engine: str, with_tables: bool) -> None:
    """Write metric or view NAME, and all it reads, as SQL for another engine; refuse what it cannot take."""
    from tdtsql.metric.render import render

    click.echo(render(name, engine, with_tables=with_tables), nl=False)
