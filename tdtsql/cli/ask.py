"""`tdtsql ask`: the saved queries of the cookbook."""

from typing import TYPE_CHECKING

import click

from tdtsql.cli.options import StoreOption, format_option, new_store_options
from tdtsql.cli.output import counted, print_rows

if TYPE_CHECKING:
    from tdtsql.api import Store


@click.command("ask", context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
@click.argument("name", required=False)
@click.option(
    "--param",
    "parameters",
    multiple=True,
    metavar="NAME=VALUE",
    help="A parameter of the query; --NAME VALUE does the same.",
)
@click.option("--sql", "as_sql", is_flag=True, help="Print the query's file instead: parameters, columns, SQL.")
@new_store_options
@format_option
@click.pass_context
def command(context: click.Context, name, parameters, as_sql, opened: StoreOption, format_) -> None:
    """Run saved query NAME, or list the saved queries (the cookbook).

    \b
        tdtsql ask
        tdtsql ask worst_topics --run osprey --limit 5
        tdtsql ask worst_topics --sql
    """
    from tdtsql.cookbook.run_query import ask
    from tdtsql.cookbook.saved_query import find, questions
    from tdtsql.installed import use_all

    use_all()
    if name is None or name.startswith("-"):
        if name or context.args:
            raise click.UsageError(f"'{name or context.args[0]}' needs the name of a saved query before it.")
        columns = ["about", "name", "title", *(["parameters"] if format_ != "table" else [])]
        print_rows(
            columns,
            [(every.about, every.name, every.title, every.usage)[: len(columns)] for every in questions().values()],
            format_,
        )
        click.echo("Parameters of a query: tdtsql ask NAME --sql", err=True)
        return
    question = find(name)
    if as_sql:
        click.echo(question.text, nl=False)
        return
    given = _given([*(part for text in parameters for part in ("--param", text)), *context.args])
    question.values(given)  # a wrong call, before the store is opened
    with opened.inspect() as store:
        warn_of_state(store)
        answer = ask(store.engine, question, given)
        print_rows(answer.columns, answer.fetchall(), format_, question.title)


def _given(words: list[str]) -> dict[str, str]:
    """Return parameters by name, from ``--param name=value``, ``--name value`` and ``--name=value``."""
    given: dict[str, str] = {}
    waiting = iter(words)
    for word in waiting:
        text = next(waiting) if word == "--param" else word.removeprefix("--")
        if word == text:
            raise click.UsageError(f"Got unexpected extra argument ({word}).")
        name, is_whole, value = text.partition("=")
        if not is_whole and word == "--param":
            raise click.UsageError(f"--param '{text}' has no value: --param NAME=VALUE.")
        try:
            value = value if is_whole else next(waiting)
        except StopIteration:
            raise click.UsageError(f"Option '--{name}' requires an argument.") from None
        name = name.replace("-", "_")
        if name in given:
            raise click.UsageError(f"--{name} is given twice.")
        given[name] = value
    return given


def warn_of_state(store: "Store") -> None:
    """Report on stderr the state of the store: stale runs, which have no numbers, and stored numbers that violate their
    contracts.
    """
    from tdtsql.store.stored_results import broken_stored_results

    for message in broken_stored_results(store.engine):
        click.echo(message, err=True)
    stale = store.engine.value("select count(*) from report.stale")
    if stale:
        click.echo(
            f"{counted(stale, 'run')} not up to date and so not in report.*: `tdtsql score --db {store.path}` "
            f"computes what is missing.",
            err=True,
        )
