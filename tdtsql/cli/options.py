"""Click commands from functions: options from signatures, help from docstrings."""

import inspect
import io
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, redirect_stdout
from dataclasses import dataclass, is_dataclass
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_origin

import click
from click.core import ParameterSource

from tdtsql.cli.commands import HELP, OPENS, PRINTS, SHARED, SHORT, Command
from tdtsql.errors import Names

if TYPE_CHECKING:
    from tdtsql.api import Store

FORMATS = "table csv tsv json markdown latex".split()
#: ending of an output file -> its format
_ENDINGS = {".csv": "csv", ".tsv": "tsv", ".json": "json", ".md": "markdown", ".tex": "latex"}

#: kinds of paths: any, a file or folder to be written, a file or folder that exists
ANY_PATH = click.Path(path_type=Path)
NEW_FILE, NEW_FOLDER = click.Path(dir_okay=False, path_type=Path), click.Path(file_okay=False, path_type=Path)
OLD_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
OLD_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)

#: kinds of values of shared options
_KINDS: dict[str, dict[str, Any]] = {"format": {"type": click.Choice(FORMATS)}, "file": {"type": ANY_PATH}}

#: parameters that the command line fills in: none is an option
_FILLED = {"self", "store", "engine", "opened", "progress", "format_"}


@dataclass(frozen=True)
class StoreOption:
    """The store that a command names; it is opened when the command needs it."""

    path: str
    trace: bool

    @contextmanager
    def open(self, how: str = "read") -> "Iterator[Store]":
        """Yield the store, opened as `Command.opens` says."""
        from tdtsql.api import connect, connect_current
        from tdtsql.cli.output import warn_of_state

        is_file = self.path != ":memory:"
        if how in ("current", "scored"):
            opened = connect_current(self.path, trace=self.trace)
        else:
            read_only = is_file and how not in ("write", "change")
            opened = connect(self.path, trace=self.trace, read_only=read_only, inspect=how in ("inspect", "stated"))
        with opened as store:
            if how == "stated" and is_file:
                warn_of_state(store)
            yield store


class _Command(click.Command):
    """A command whose argument may begin with a comment of SQL, which must not be read as an option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        comments = [text for text in args if text.startswith("--") and re.search(r"\s", text.split("=")[0])]
        rest = [text for text in args if text not in comments]
        return super().parse_args(ctx, [*rest, "--", *comments] if comments else rest)


def made(name: str, command: Command) -> click.Command:
    """Return the click command of a line of the table."""
    function = resolve_name(f"tdtsql.{command.function}")
    text, helps = _documented(function)
    own = [_parameter(command, one, helps) for one in _parameters(function, helps)]
    order = re.findall(r"\w+", command.positional)
    own.sort(key=lambda one: order.index(one.name) if one.name in order else len(order))
    shared = [
        click.Option(**SHARED[option], **_KINDS.get(option, {}))
        for option in OPENS[command.opens] + PRINTS[command.prints]
    ]
    takes_any = any(one.kind is one.VAR_KEYWORD for one in inspect.signature(function).parameters.values())
    return _Command(
        name.rsplit(maxsplit=1)[-1],
        params=[*own, *shared],
        callback=lambda **given: _call(command, function, **given),
        help=text,
        context_settings={"ignore_unknown_options": takes_any, "allow_extra_args": takes_any},
    )


def _parameters(function: Callable, helps: dict[str, str]) -> Iterator[inspect.Parameter]:
    """Yield what a user gives to a function, instead of a dataclass its fields, whose help is added to ``helps``."""
    for one in inspect.signature(function).parameters.values():
        if one.name in _FILLED or one.kind is one.VAR_KEYWORD:
            continue
        if isinstance(one.annotation, type) and is_dataclass(one.annotation):
            helps |= _documented(one.annotation)[1]
            yield from inspect.signature(one.annotation).parameters.values()
        else:
            yield one


def _documented(function: Callable) -> tuple[str, dict[str, str]]:
    """Return the help of a function, and that of each of its parameters, from its docstring."""
    text = (inspect.getdoc(function) or "").replace("``", "`")
    body, _, rest = re.split(r"\n+(?:Returns|Raises):\n", text)[0].partition("\n\nArgs:\n")
    helps: dict[str, str] = {}
    for names, words in re.findall(r"^    (\w[\w, ]*): (.+(?:\n {8}.+)*)", rest, re.MULTILINE):
        words = " ".join(words.split())
        helps |= dict.fromkeys(names.split(", "), words[:1].upper() + words[1:])
    return body, helps


def _kind(annotation: Any) -> tuple[click.ParamType | type, bool]:
    """Return the type of a value, and whether there may be several."""
    inner = [part for part in get_args(annotation) if get_origin(annotation) is not Literal]
    parts = [annotation, *inner, *(part for one in inner if get_origin(one) is not Literal for part in get_args(one))]
    several = Names in parts or any(get_origin(part) in (Sequence, list) for part in parts)
    if get_origin(annotation) is Annotated:
        first, *more = get_args(annotation)[1:]
        return click.IntRange(first, *more) if isinstance(first, int) else first, several
    if choices := next((part for part in parts if get_origin(part) is Literal), None):
        return click.Choice(get_args(choices)), several
    return next((kind for kind in (float, int, bool) if kind in parts), ANY_PATH if Path in parts else str), several


def _parameter(command: Command, one: inspect.Parameter, helps: Mapping[str, str]) -> click.Parameter:
    """Return the argument or the option of a parameter."""
    kind, several = _kind(one.annotation)
    several = several or one.kind is one.VAR_POSITIONAL
    positional = command.positional.split()
    is_needed = one.default is one.empty and f"[{one.name}]" not in positional
    if one.name in positional or f"[{one.name}]" in positional:
        shown = command.options.get(one.name, one.name.removesuffix("_id").upper())
        shown = (shown if is_needed else f"[{shown}]") + "..." * several
        return click.Argument([one.name], nargs=-1 if several else 1, required=is_needed, type=kind, metavar=shown)
    option = command.options.get(one.name, f"--{one.name.replace('_', '-')}")
    more: dict[str, Any] = {"is_flag": True} if kind is bool else {"type": kind, "multiple": several}
    if kind is bool and one.default:
        option += f"/--no-{option[2:]}"
    if one.default is not one.empty and not several:
        more |= {"default": one.default, "show_default": one.default not in (None, False)}
    names = [one.name, *filter(None, [SHORT.get(one.name)]), option]
    return click.Option(
        names, required=is_needed or one.name in command.needed, help=helps.get(one.name) or HELP.get(one.name), **more
    )


def _call(
    command: Command,
    function: Callable[..., Any],
    *,
    db: str | None,
    trace: bool,
    format_: str = "table",
    rows_file: Path | None = None,
    made_by: str | None = None,
    has_signature: bool = False,  # read from the context where rows are printed
    **given: Any,
) -> None:
    """Call the function of a command and print what it returns; what is printed may go into a file."""
    from tdtsql.output_file import check_writable, write_whole

    context = click.get_current_context()
    # a mistyped name does not create a store
    if command.opens not in ("", "new", "fill") and db not in (None, ":memory:") and not Path(str(db)).exists():
        # TDTSQL_DB may name one that a later command creates, where the store is optional
        if command.opens != "optional" or context.get_parameter_source("db") is not ParameterSource.ENVIRONMENT:
            from tdtsql.engine.duckdb import no_store

            raise no_store(str(db))
        db = None
    opened = StoreOption(db or "", trace)
    if made_by:
        os.environ["TDTSQL_BY"] = made_by
    if rows_file:
        check_writable(rows_file)  # before the work, not after it
        if context.get_parameter_source("format_") is ParameterSource.DEFAULT:
            format_ = _ENDINGS.get(rows_file.suffix.lower(), format_)
    with redirect_stdout(io.StringIO()) if rows_file else nullcontext() as printed:
        code = _run(command, function, opened, format_, given)
    if rows_file and printed:
        write_whole(rows_file, printed.getvalue().encode(errors="backslashreplace"))
    if code:
        raise click.exceptions.Exit(code)


def _run(
    command: Command, function: Callable[..., Any], opened: StoreOption, format_: str, given: Mapping[str, Any]
) -> int:
    """Call a function with what it takes, and show its result; returns the exit code."""
    from tdtsql.cli.output import show
    from tdtsql.cli.progress import progress_bar
    from tdtsql.definitions.sets import use_all

    if function.__module__ in ("tdtsql.cli.metric", "tdtsql.cli.sql", "tdtsql.audit.citation"):
        use_all()
    values = {name: list(value) if isinstance(value, tuple) else value for name, value in given.items()}
    values = {name: value for name, value in values.items() if value not in (None, [])}
    bound = inspect.signature(function).bind_partial()
    with ExitStack() as stack:
        filled: dict[str, Any] = {"opened": opened, "format_": format_, "store": None, "engine": None}
        filled["progress"] = stack.enter_context(progress_bar())
        if command.opens not in ("", "new", "fill", "named") and opened.path:
            store = stack.enter_context(opened.open(command.opens))
            if command.opens == "scored":
                store.refresh(filled["progress"])
            filled |= {"self": store, "store": store, "engine": store.engine}
        for name, one in bound.signature.parameters.items():
            if name in filled:
                bound.arguments[name] = filled[name]
            elif isinstance(one.annotation, type) and is_dataclass(one.annotation):
                names = inspect.signature(one.annotation).parameters
                bound.arguments[name] = one.annotation(**{part: values[part] for part in names if part in values})
            elif name in values:
                bound.arguments[name] = values[name]
        return show(function(*bound.args, **bound.kwargs), format_)
