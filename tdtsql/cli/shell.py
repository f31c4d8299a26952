"""`tdtsql sql shell`: a loop of read-only queries. At a terminal with history, completion (readline) and multi-line
queries; otherwise line by line.

Commands begin with a dot; everything else is SQL, which only reads (engine.user_query).
"""

import os
import re
import shlex
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import FrameType, ModuleType
from typing import TYPE_CHECKING

import click

from tdtsql.cli.options import FORMATS
from tdtsql.cli.output import print_relation, print_rows
from tdtsql.engine.user_query import Limits
from tdtsql.errors import InvalidQuery, TdtsqlError, not_none, check_known
from tdtsql.store.registry import COLUMNS_OF_RELATIONS, relations, schema_rows

if TYPE_CHECKING:
    from tdtsql.api import Store

#: command -> (what follows it, what it does)
COMMANDS = {
    ".help": ("", "This list."),
    ".tables": ("[TEXT]", "The relations of the store; with TEXT, those whose name or description contains it."),
    ".schema": ("[SCHEMA|RELATION]", "The relations of the store or of a schema; of a relation, its columns."),
    ".ask": ("[NAME [PARAMETER=VALUE ...]]", "A saved query; without NAME, the list of them."),
    ".format": (f"[{'|'.join(FORMATS)}]", "How rows are printed."),
    ".quit": ("", "End; so does Ctrl-D."),
}
_CTRL_C = "\x03"
_WORD = re.compile(r"[\w.]*$")
_KEYWORDS = (
    "select from where group by|order by|having join|left join|using on with union all|limit distinct case when then "
    "else end as and or not in is null|between like count(*) sum min max asc desc nulls last|over partition by"
)


class Shell:
    """An open store for queries; ``format`` is the output format of rows."""

    def __init__(self, store: "Store", limits: Limits):
        self.store = store
        self.limits = limits
        self.format = "table"

    def run(self, lines: Iterator[str]) -> None:
        """Run each of ``lines``: queries and commands, until .quit or their end.

        Ctrl-C ends a query, never the shell: cli.main interrupts the engine.
        """
        with on_ctrl_c(lambda *_: None):  # also while "Stopped." is printed
            for text in lines:
                try:
                    if text.strip().startswith("."):
                        with on_ctrl_c(signal.default_int_handler):
                            goes_on = self.command(text.strip())
                        if not goes_on:
                            return
                    elif text.strip():
                        columns, rows = self.store.engine.run_user_query(text, self.limits)
                        with on_ctrl_c(signal.default_int_handler):
                            print_rows(columns, rows, self.format)
                except KeyboardInterrupt:
                    click.echo("Stopped.", err=True)
                except TdtsqlError as error:
                    click.echo("Stopped." if "INTERRUPT" in str(error) else error.message_for("cli"), err=True)

    def command(self, text: str) -> bool:
        """Run a command that begins with a dot; return False to end the shell.

        Raises:
            TdtsqlError: unknown command, relation, saved query, ...
        """
        try:
            name, *words = shlex.split(text.rstrip(";"))
        except ValueError:
            raise InvalidQuery(f"a quote is not closed: {text}") from None
        if name in (".quit", ".exit"):
            return False
        check_known("command", name, COMMANDS)
        getattr(self, f"on_{name[1:]}")(words)
        return True

    def on_help(self, words: list[str]) -> None:
        for name, (takes, does) in COMMANDS.items():
            click.echo(f"{f'{name} {takes}'.rstrip()}\n    {does}")
        click.echo(
            "Anything else is a query that reads, over as many lines as it needs; at a terminal it ends with ; and "
            "Tab completes names."
        )

    def on_tables(self, words: list[str]) -> None:
        wanted = " ".join(words).lower()
        rows = [row for row in relations(self.store.engine) if wanted in f"{row[0]} {row[1]}".lower()]
        print_rows(["relation", "what it is"], rows, self.format)

    def on_schema(self, words: list[str]) -> None:
        print_rows(*schema_rows(self.store.engine, " ".join(words) or None), self.format)

    def on_ask(self, words: list[str]) -> None:
        from tdtsql.cookbook.run_query import ask
        from tdtsql.cookbook.saved_query import find, questions

        if not words:
            rows = [(question.about, question.name, question.title) for question in questions().values()]
            print_rows(["about", "name", "title"], rows, self.format)
            return
        question = find(words[0])
        if question.reads_another_store:
            raise InvalidQuery(
                f"{question.name} opens a file, and the shell opens none: tdtsql ask {question.name} {question.usage}"
            )
        given = {}
        for word in words[1:]:
            name, is_one, value = word.removeprefix("--").partition("=")
            if not is_one:
                raise InvalidQuery(
                    f"{word} is not a parameter with a value. Write .ask {question.name} NAME=VALUE; it takes "
                    f"{question.usage}"
                )
            given[name.replace("-", "_")] = value
        answer = ask(self.store.engine, question, given)
        print_relation(answer, self.format)

    def on_format(self, words: list[str]) -> None:
        if words:
            check_known("format", words[0], FORMATS)
            self.format = words[0]
        click.echo(f"Rows are printed as {self.format}.", err=True)


@contextmanager
def on_ctrl_c(handler: Callable[[int, FrameType | None], object]) -> Iterator[None]:
    """Make Ctrl-C call ``handler``; no-op outside the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def ctrl_c_is_a_key() -> Iterator[None]:
    """Let the terminal send Ctrl-C to its reader as a key, in order with the others, and not as a signal: readline
    notices a signal during another key only at the end of the line.
    """
    import termios  # exists wherever readline does

    before = termios.tcgetattr(sys.stdin)
    changed = termios.tcgetattr(sys.stdin)
    changed[6][termios.VINTR] = os.fpathconf(sys.stdin.fileno(), "PC_VDISABLE").to_bytes()
    termios.tcsetattr(sys.stdin, termios.TCSADRAIN, changed)
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


def typed(store: "Store") -> Iterator[str]:
    """Yield typed input: queries of several lines, each ended by a semicolon, and commands."""
    try:
        import readline
    except ImportError:  # not on Windows: the same loop without history and completion
        readline = None  # type: ignore[assignment]
    file = history_file()
    if readline is not None:
        readline.set_completer_delims(" \t\n'\"()=,;")
        readline.parse_and_bind("tab: complete")
        readline.parse_and_bind(r'"\C-c": "\C-v\C-c\C-m"')  # puts that character into the line, and ends it
        readline.set_auto_history(False)
        readline.set_completer(_readline_completer(store, readline))
        if file is not None:
            readline.read_history_file(file)
    click.echo(
        f"{store.path}, read-only. A query ends with ; and may have many lines. Tab completes, .help lists commands, "
        f".quit ends."
    )
    lines: list[str] = []
    while True:
        try:
            with on_ctrl_c(signal.default_int_handler), nullcontext() if readline is None else ctrl_c_is_a_key():
                line = input("   ...> " if lines else "tdtsql> ")
        except KeyboardInterrupt:
            click.echo("")
            line = _CTRL_C
        except EOFError:
            click.echo("")
            return
        if _CTRL_C in line:  # the lines so far are dropped
            lines = []
            continue
        lines.append(line)
        if readline is not None and line.strip():
            readline.add_history(line)
        if is_whole(text := "\n".join(lines)):
            lines = []
            if readline is not None and file is not None and text.strip():
                readline.write_history_file(file)
            yield text


def is_whole(text: str) -> bool:
    """Return True where Enter sends what was typed: a command, nothing, or a query whose last line ends with a
    semicolon outside of quotes and comments.
    """
    if not text.strip() or text.lstrip().startswith("."):
        return True
    bare = re.sub(
        r"--[^\n]*|/\*.*?(?:\*/|\Z)|'(?:[^']|'')*(?:'|\Z)|\"[^\"]*(?:\"|\Z)",
        lambda found: "'" if found[0][0] in "'\"" else "",
        text,
        flags=re.DOTALL,
    )
    return bare.rstrip().endswith(";")


def history_file() -> Path | None:
    """Return the file of the input history, readable by this user only; None if it is not writable."""
    named = os.environ.get("XDG_STATE_HOME", "")
    folder = (Path(named) if os.path.isabs(named) else Path.home() / ".local" / "state") / "tdtsql"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        file = folder / "shell_history"
        file.touch(mode=0o600)
        return file if os.access(file, os.R_OK | os.W_OK) else None
    except OSError:
        return None


def _readline_completer(store: "Store", readline: ModuleType) -> Callable[[str, int], str | None]:
    complete = completer(store)
    found: list[str] = []

    def candidate(word: str, number: int) -> str | None:
        if not number:
            found[:] = complete(readline.get_line_buffer()[: readline.get_endidx()])
        return found[number] if number < len(found) else None

    return candidate


def completer(store: "Store") -> Callable[[str], list[str]]:
    """Return what completes the last word of a line: names of relations, columns, metrics, runs, conditions, profiles
    and saved queries, and words of SQL.
    """
    from tdtsql.cookbook.saved_query import questions

    rows = store.engine.rows
    known = [name for name, _ in relations(store.engine)]
    columns: dict[str, list[str]] = dict(rows(COLUMNS_OF_RELATIONS))
    names = [
        name
        for [name] in rows(
            "select metric from registry.metric union select run_id from registry.run union select condition_id from "
            "registry.condition union select profile_id from registry.profile order by 1"
        )
    ]

    def candidates(line: str, word: str) -> list[str]:
        before = line.split()[: -1 if word else None]
        if line.startswith("."):
            first = {(): COMMANDS, (".schema",): known, (".format",): FORMATS, (".ask",): questions()}
            if tuple(before) in first:
                return [*first[tuple(before)]]
            asked = questions().get(before[1]) if before[0] == ".ask" else None
            return [f"{parameter.name}=" for parameter in asked.parameters] if asked else []
        # columns of the relations that the query names; of all of report where it names none yet
        read = [name for name in re.findall(r"\b\w+\.\w+", line) if name in columns] or [
            name for name in columns if name.startswith("report.")
        ]
        words = re.findall(r"[^ |]+(?: (?:by|join|all|null|last)\b)?", _KEYWORDS)
        return [*known, *dict.fromkeys(column for name in read for column in columns[name]), *names, *words]

    def complete(line: str) -> list[str]:
        word = not_none(_WORD.search(line))[0]
        typed_word = word.lower()
        return [
            name
            for name in candidates(line.lstrip(), word)
            if name.lower().startswith(typed_word)
            or (word and "." not in word and name.partition(".")[2].lower().startswith(typed_word))
        ]

    return complete


def at_a_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()
