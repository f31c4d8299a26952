"""Options that many commands share."""

import io
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

if TYPE_CHECKING:
    from tdtsql.api import Store
    from tdtsql.progress import Progress

FORMATS = "table csv tsv json markdown latex".split()
#: ending of an output file -> its format
_ENDINGS = {".csv": "csv", ".tsv": "tsv", ".json": "json", ".md": "markdown", ".tex": "latex"}


def _must_be_there(ctx: click.Context, option: click.Parameter, db: str) -> str:
    """Refuse a missing store, so that a mistyped name does not create one."""
    if db != ":memory:" and not ctx.resilient_parsing and not Path(db).exists():
        from tdtsql.engine.duckdb import no_store

        raise no_store(db)
    return db


#: kinds of paths: any, a file or folder to be written, a file that exists
ANY_PATH = click.Path(path_type=Path)
NEW_FILE, NEW_FOLDER = click.Path(dir_okay=False, path_type=Path), click.Path(file_okay=False, path_type=Path)
OLD_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)

trace_option = click.option("--trace", is_flag=True, help="Print each SQL statement on stderr.")


@dataclass(frozen=True)
class StoreOption:
    """The store that a command names; it is opened when the command needs it."""

    path: str
    trace: bool

    def _open(self, *, read_only: bool = False, inspect: bool = False) -> "Store":
        from tdtsql.api import connect

        return connect(self.path, trace=self.trace, read_only=read_only, inspect=inspect)

    def read(self) -> "Store":
        return self._open(read_only=self.path != ":memory:")

    def inspect(self) -> "Store":
        """Return the store as it is, also where its definitions are damaged."""
        return self._open(read_only=self.path != ":memory:", inspect=True)

    def write(self) -> "Store":
        return self._open()

    @contextmanager
    def current(self, *, blind: bool = False) -> "Iterator[Store]":
        """Yield the store for reading, with all numbers up to date; ``blind``: a copy of it without names."""
        from tdtsql.api import Store, connect_current
        from tdtsql.store.copy import blinded

        with connect_current(self.path, trace=self.trace) as store:
            if not blind:
                yield store
                return
            store.refresh()
            with blinded(store.engine) as copy:
                yield Store(copy)

    @contextmanager
    def scored(self, *, blind: bool = False) -> "Iterator[tuple[Store, Progress]]":
        """Yield the store after computing its missing numbers, and the progress callback."""
        from tdtsql.cli.progress import progress_bar

        with self.current(blind=blind) as store, progress_bar() as progress:
            store.refresh(progress)
            yield store, progress


def _store_options(help_: str, check: Callable | None, **option: Any) -> Callable[[Callable], Callable]:
    """Return what adds --db and --trace: a command gets them as ``opened``, None without a store."""

    def decorated(command: Callable) -> Callable:
        @wraps(command)
        def with_store(*, db: str | None, trace: bool, **others: object) -> object:
            return command(opened=None if db is None else StoreOption(db, trace), **others)

        named = click.option(
            "--db", envvar="TDTSQL_DB", show_envvar=True, metavar="STORE", callback=check, help=help_, **option
        )
        return named(trace_option(with_store))

    return decorated


def _named_store(ctx: click.Context, option: click.Parameter, db: str | None) -> str | None:
    """Refuse a store that is named and missing; TDTSQL_DB may name one that a later command creates."""
    from tdtsql.errors import NotAStore

    try:
        return None if db is None else _must_be_there(ctx, option, db)
    except NotAStore:
        if ctx.get_parameter_source("db") is ParameterSource.ENVIRONMENT:
            return None
        raise


_STORE = "The store: a file, or :memory:."
_DEFAULT: dict[str, Any] = {"default": "tdtsql.duckdb", "show_default": True}
#: --db, of an existing store
store_options = _store_options(_STORE, _must_be_there, **_DEFAULT)
#: --db, of a store that is created if it does not exist: for commands that load, and those that need no store
new_store_options = _store_options(_STORE, None, **_DEFAULT)
#: --db, of a command that needs no store, and prints the definitions of one as well
optional_store_options = _store_options(
    "A store: what is defined in it, too (user-defined metrics, profiles of bundles).", _named_store
)


def accept_store_options(command: click.Command) -> None:
    """Make a command that opens no store accept --db and --trace, which every command takes; they change nothing."""
    if isinstance(command, click.Group):
        for one in command.commands.values():
            accept_store_options(one)
    elif not any("--db" in option.opts for option in command.params):
        said = "Accepted by every command; this one opens no store."
        command.params += [
            click.Option(["--db"], metavar="STORE", expose_value=False, hidden=True, help=said),
            click.Option(["--trace"], is_flag=True, expose_value=False, hidden=True, help=said),
        ]


def by_option(command: Callable) -> Callable:
    """Add --by, for commands that change loaded data."""

    def keep(context: click.Context, option: click.Parameter, name: str | None) -> None:
        if name:
            os.environ["TDTSQL_BY"] = name

    return click.option(
        "--by",
        metavar="NAME",
        expose_value=False,
        callback=keep,
        help="Who does this, for the ledger (default TDTSQL_BY; user and host are always recorded).",
    )(command)


#: --format alone, for commands whose --output is another file than what they print
rows_option = click.option(
    "-f",
    "--format",
    "format_",
    type=click.Choice(FORMATS),
    default="table",
    show_default=True,
    help="How rows are printed.",
)


def format_option(command: Callable) -> Callable:
    """Add --format and --output: what the command prints goes into a file, whose ending may name the format."""

    @wraps(command)
    def with_output(*, output: Path | None, format_: str, **others: object) -> object:
        from tdtsql.output_file import check_writable, write_whole

        if output is None:
            return command(format_=format_, **others)
        check_writable(output)  # before the work, not after it
        if click.get_current_context().get_parameter_source("format_") is ParameterSource.DEFAULT:
            format_ = _ENDINGS.get(output.suffix.lower(), format_)
        printed = io.StringIO()

        def save() -> None:
            write_whole(output, printed.getvalue().encode(errors="backslashreplace"))

        try:
            with redirect_stdout(printed):
                made = command(format_=format_, **others)
        except (click.exceptions.Exit, SystemExit):  # a verdict: what was printed holds
            save()
            raise
        save()
        return made

    return rows_option(
        click.option(
            "-o",
            "--output",
            type=click.Path(path_type=Path),
            metavar="FILE",
            help="Write the rows into this file; without --format its ending (.csv .tsv .json .md .tex) names the "
            "format.",
        )(with_output)
    )


#: names that choose rows: the same options in every command that prints numbers
metric_option = click.option("-m", "--metric", multiple=True, help="Only this metric, by id or usual name; repeatable.")
subset_option = click.option(
    "--subset",
    multiple=True,
    help="Only this subset, e.g. all or language=ENGLISH, or a product codec=C01,gender=female; repeatable.",
)
condition_option = click.option("--condition", multiple=True, help="Only this condition; repeatable.")
profile_option = click.option("-p", "--profile", multiple=True, help="Only this scoring profile; repeatable.")

run_argument = click.argument("run_id", metavar="RUN")
runs_argument = click.argument("runs", nargs=-1, metavar="[RUN]...")

blind_option = click.option(
    "--blind",
    is_flag=True,
    help="Hide the names of runs and teams: a run is shown as run- and the first digits of its hash in signatures.",
)

_SIGNATURES = "tdtsql.signatures"


def signature_option(command: Callable) -> Callable:
    """Add --signature, for `print_rows`: full signatures in the formats for people."""

    def keep(context: click.Context, option: click.Parameter, wanted: bool) -> None:
        context.meta[_SIGNATURES] = wanted

    return click.option(
        "--signature",
        is_flag=True,
        expose_value=False,
        callback=keep,
        help="The signature of each row too; csv, tsv and json always have it.",
    )(command)


def signatures_are_wanted() -> bool:
    """Return True if the current command has --signature."""
    context = click.get_current_context(silent=True)
    return bool(context and context.meta.get(_SIGNATURES))


correction_option = click.option(
    "--correction",
    type=click.Choice(["holm", "bh", "none"]),
    default="holm",
    show_default=True,
    help="How p values allow for several comparisons.",
)


def missing_option(default: str) -> Callable:
    """Return --missing, for commands that compare runs."""
    return click.option(
        "--missing",
        type=click.Choice(["error", "common", "zero", "worst"]),
        default=default,
        show_default=True,
        help="How to handle topics missing from a run.",
    )


level_option = click.option(
    "--level", type=float, default=0.95, show_default=True, help="Confidence level of the interval."
)
seed_option = click.option(
    "--seed", type=int, default=20040, show_default=True, help="Seed; the same seed gives bitwise identical results."
)

_METHOD = (
    click.option(
        "--test",
        type=click.Choice(["randomisation", "bootstrap", "t", "wilcoxon", "delong", "mcnemar"]),
        help="Paired test (default randomisation over topics; scored trials: delong for auc, mcnemar for error rates, "
        "else bootstrap).",
    ),
    correction_option,
    click.option(
        "--interval",
        type=click.Choice(["bca", "percentile", "t", "normal"]),
        help="Confidence interval of the difference (default bca; scored trials: percentile, auc normal).",
    ),
    click.option(
        "--unit",
        metavar="COLUMN",
        help="What is resampled of scored trials: trial (default), an attribute, enroll_id or test_id; A,B: both "
        "sides; A=B: one population on both sides. Of items: item, cluster, or an attribute.",
    ),
    click.option(
        "--no-cluster", is_flag=True, help="Compare item by item where the condition names a cluster (--unit item)."
    ),
    level_option,
    click.option(
        "--permutations",
        "n_permutation",
        type=int,
        default=100_000,
        show_default=True,
        help="Drawn where more than 20 topics differ.",
    ),
    click.option(
        "--resamples",
        "n_resample",
        type=int,
        help="Resamples of the bootstrap (default 10,000; above 100,000 trials 1,000).",
    ),
    seed_option,
)


def method_options(command: Callable) -> Callable:
    """Add the options of a comparison (test, correction, interval, unit, level, permutations, resamples, seed), which
    the command gets as one argument, ``requested``.
    """

    @wraps(command)
    def with_method(*, no_cluster: bool, unit: str | None, **others: Any) -> object:
        from tdtsql.errors import WrongCall
        from tdtsql.compare.settings import Method

        method = {name: others.pop(name) for name in Method.__dataclass_fields__ if name in others}
        try:
            requested = Method.of_call(no_cluster=no_cluster, unit=unit, **method)
        except WrongCall as error:
            raise click.UsageError(str(error)) from None
        return command(requested=requested, **others)

    return with_options(*_METHOD)(with_method)


def with_options(*options: Callable) -> Callable[[Callable], Callable]:
    """Return what adds options and arguments, in this order."""

    def decorated(command: Callable) -> Callable:
        for option in reversed(options):
            command = option(command)
        return command

    return decorated


#: what is compared: metric, subset, profile and condition
setting_options = with_options(
    click.option("-m", "--metric", help="The metric (default: that by which runs are ranked)."),
    click.option("--subset", default="all", show_default=True, help="For example language=ENGLISH."),
    click.option("-p", "--profile", help="Scoring profile, where the condition has several."),
    click.option("--condition", help="Condition, where several have runs of these names."),
)

#: where a number of a run is: condition, profile and subset
place_options = with_options(
    click.option("--condition", help="The condition, where the run is in several."),
    click.option("-p", "--profile", help="The scoring profile; the condition's first without it."),
    click.option("--subset", default="all", show_default=True, help="A subset, e.g. codec=C01."),
)
