"""The command `tdtsql`: its commands, and how a process of it begins and ends."""

import gc
import io
import os
import shlex
import signal
import sys
import threading
import warnings
from collections.abc import Callable
from typing import Any

import click

from tdtsql.cli.commands import COMMANDS, NOUNS
from tdtsql.cli.options import made
from tdtsql.cli.replaced import refuse_deleted
from tdtsql.errors import INTERFACE, InvalidInput, OtherDefinitions, TdtsqlError, WrongCall


class ReaderGone(Exception):
    """The reader of stdout has ended. A separate class, because click ends a process with 1 on BrokenPipeError."""


class Commands(click.Group):
    """The commands that begin with some words; each is loaded at its use, so that help is fast."""

    def __init__(self, *, prefix: str = "", **more: Any):
        super().__init__(**more)
        self.prefix = prefix

    def list_commands(self, ctx: click.Context) -> list[str]:
        names = [name.removeprefix(self.prefix) for name in COMMANDS if name.startswith(self.prefix)]
        return list(dict.fromkeys(name.split()[0] for name in names))

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        words = f"{self.prefix}{name}"
        if words in COMMANDS:
            return made(words, COMMANDS[words])
        return Commands(prefix=f"{words} ", name=name, help=NOUNS[name]) if words in NOUNS else None


class Tdtsql(Commands):
    """All commands."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        refuse_deleted(args)
        try:
            return super().parse_args(ctx, list(args))
        except click.NoSuchOption as error:
            # an option of the command, before it
            words = [at for at, word in enumerate(args) if word in NOUNS]
            at = next((at for at in words if at and not args[at - 1].startswith("-")), next(iter(words), 0))
            if not at:
                raise
            said = shlex.join([*args[at:], *args[:at]])
            raise click.UsageError(f"{error.option_name} goes after the command: tdtsql {said}", ctx) from None

    def invoke(self, ctx: click.Context) -> object:
        spoken = INTERFACE.set("cli")
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()  # here, because later a closed pipe cannot be distinguished from other errors
            return result
        except BrokenPipeError:
            raise ReaderGone from None
        finally:
            INTERFACE.reset(spoken)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(NOUNS.items()))


@click.group(
    cls=Tdtsql,
    invoke_without_command=True,
    no_args_is_help=True,
    subcommand_metavar="COMMAND [ARGS]...",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option("--version", is_flag=True, help="Show the version and exit.")
@click.option("--long", "is_long", is_flag=True, help="With --version: engine and definitions too.")
@click.pass_context
def cli(context: click.Context, version: bool, is_long: bool) -> None:
    """The evaluation database for system outputs: load corpus, judgments and outputs once; every official number is a
    SQL view.

    Tasks: tracking, new_event, link and hierarchy (topic detection and tracking), filtering, summarization and
    value_tracking (temporal summarization), partition (clusterings), verification (scored trials), items (benchmarks).
    """
    if version:
        from tdtsql.version import __version__

        click.echo(f"tdtsql, version {__version__}")
        if is_long:
            from tdtsql.cli.versions import versions

            for name, value in versions():
                click.echo(f"{name} {value}")
        context.exit()
    if is_long:
        raise click.UsageError("--long belongs to --version.")
    if context.invoked_subcommand is None:
        raise click.UsageError("Missing command.")


def main() -> None:
    """Run the command line and end the process with its exit code: 0 done, 1 a problem of the data, 2 a wrong call, 130
    stopped.
    """
    open_missing_streams()
    # numpy's threads wait for work at the engine's expense; its products are small
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # the rows of a file all stay until it is stored: looking for cycles among them takes time and finds none
    gc.set_threshold(100_000, 20, 20)
    _watch_for_ctrl_c()
    warnings.simplefilter("always", OtherDefinitions)
    show = warnings.showwarning
    warnings.showwarning = lambda message, kind, *more, **named: (
        _say(str(message)) if issubclass(kind, OtherDefinitions) else show(message, kind, *more, **named)
    )
    # twice, for Ctrl-C may come while an error is printed
    code = _exit_code(lambda: _exit_code(lambda: cli(prog_name="tdtsql", standalone_mode=False)))
    if _exit_code(sys.stdout.flush):  # a full disk shows when the last lines are written
        code = code or 1
        _drop_output()
    gc.freeze()  # otherwise the end of a process traverses all objects several times
    sys.exit(code)


def _exit_code(step: Callable[[], Any]) -> int:
    """Take a step and return its exit code. Errors that a user can mend are printed; any other is a fault of tdtsql."""
    try:
        # click returns the code of Exit(1), and does not raise it
        code = step()
        return code if isinstance(code, int) else 0
    except (ReaderGone, BrokenPipeError):  # `tdtsql score | head`: who read the output has enough
        _drop_output()
        return 0
    except click.ClickException as error:
        error.show()
        return 2
    except InvalidInput as error:
        from tdtsql.cli.output import print_problems

        print_problems(error.problems, is_refused=True, files=error.files)
        return 1
    except TdtsqlError as error:
        _say(error.message_for("cli"))
        return 2 if isinstance(error, WrongCall) else 1
    except OSError as error:  # a file that may not be read, a folder that may not be written to, a full disk
        _say(f"{error.filename or 'tdtsql'}: {error.strerror or error}.")
        return 1
    except MemoryError:
        _say("There is not enough memory for this. Close other programs, or lift the limit (ulimit -v).")
        return 1
    except (click.Abort, KeyboardInterrupt):
        pass
    except Exception as error:
        # what Ctrl-C becomes inside a query
        if type(error).__name__ != "InterruptException" and str(error) != "Query interrupted":
            if "duckdb" not in type(error).__module__:
                raise
            from tdtsql.engine.duckdb import explain_error

            _say(explain_error(error))
            return 1
    _say("Stopped.")
    return 130


def _watch_for_ctrl_c() -> None:
    """Let Ctrl-C interrupt a running query: the engine checks for it only between its tasks, and one can take hours.

    The number of the signal is written into a pipe at once, also while the engine runs in the main thread.
    """
    heard, said = os.pipe()
    os.set_blocking(said, False)
    signal.set_wakeup_fd(said, warn_on_full_buffer=False)

    def watch() -> None:
        while number := os.read(heard, 1):
            if number[0] == signal.SIGINT and (engine := sys.modules.get("tdtsql.engine.duckdb")):
                engine.interrupt_all()

    threading.Thread(target=watch, daemon=True).start()


def _say(text: str) -> None:
    from tdtsql.cli.output import say

    say(text, err=True)


def open_missing_streams() -> None:
    """Open streams that a process was started without (stdin, stdout or stderr), leading nowhere; write UTF-8 into
    files and pipes, and escape what a terminal cannot show.

    Otherwise the first opened file (the store) gets such a number, and output is written into it.
    """
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(number)
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        mode = "w" if number else "r"
        stream = getattr(sys, name) or open(number, mode, closefd=False, encoding="utf-8")  # noqa: SIM115 - stays open
        setattr(sys, name, stream)
        # a program that calls this may have put another stream there
        if number and isinstance(stream, io.TextIOWrapper):
            encoding = stream.encoding if stream.isatty() else "utf-8"
            stream.reconfigure(encoding=encoding, errors="backslashreplace")


def _drop_output() -> None:
    """Redirect stdout to nowhere, so that the end of the process does not try again to write its buffer."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
