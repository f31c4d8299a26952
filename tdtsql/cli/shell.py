"""`tdtsql sql shell`: one question after the other. At a terminal with history, completion and many-line queries; else
line by line.

Commands begin with a dot; everything else is SQL, which only reads (engine.typed).
"""

import os
import re
import shlex
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tdtsql.cli.options import FORMATS
from tdtsql.engine.quoting import quoted
from tdtsql.engine.typed import Limits
from tdtsql.errors import InvalidQuery, TdtsqlError, unknown
from tdtsql.store.registry import relations

if TYPE_CHECKING:
    from prompt_toolkit.completion import Completer

    from tdtsql.api import Store

#: command -> (what follows it, what it does)
COMMANDS = {
    ".help": ("", "This list."),
    ".tables": ("[TEXT]", "The relations of the store; with TEXT, those whose name or meaning has it."),
    ".schema": ("RELATION", "The columns of a relation: name, type, meaning."),
    ".ask": ("[NAME [PARAMETER=VALUE ...]]", "A question of the cookbook; without NAME, the list of them."),
    ".format": (f"[{'|'.join(FORMATS)}]", "How rows are printed."),
    ".quit": ("", "End; so does Ctrl-D."),
}
_WORD = re.compile(r"[\w.]*$")
_KEYWORDS = (
    "select",
    "from",
    "where",
    "group by",
    "order by",
    "having",
    "join",
    "left join",
    "using",
    "on",
    "with",
    "union all",
    "limit",
    "distinct",
    "case",
    "when",
    "then",
    "else",
    "end",
    "as",
    "and",
    "or",
    "not",
    "in",
    "is null",
    "between",
    "like",
    "count(*)",
    "sum",
    "min",
    "max",
    "asc",
    "desc",
    "nulls last",
    "over",
    "partition by",
)


class Shell:
    """An open store that is asked; ``format`` is how rows are printed."""

    def __init__(self, store: "Store", limits: Limits):
        self.store = store
        self.limits = limits
        self.format = "table"

    def run(self, lines: Iterator[str]) -> None:
        """Answer each of ``lines``: queries and commands, until .quit or their end."""
        for text in lines:
            try:
                if text.strip().startswith("."):
                    if not self.command(text.strip()):
                        return
                elif text.strip():
                    with ctrl_c_only_stops_the_engine():
                        columns, rows = self.store.engine.ask_untrusted(text, self.limits)
                    self.print(columns, rows)
            except KeyboardInterrupt:
                click.echo("Stopped.", err=True)
            except TdtsqlError as error:
                click.echo("Stopped." if "INTERRUPT" in str(error) else str(error), err=True)

    def print(self, columns: list[str], rows: list[tuple]) -> None:
        from tdtsql.cli.output import print_rows

        print_rows(columns, rows, self.format)

    def command(self, text: str) -> bool:
        """Do what a line that begins with a dot says; returns False where the shell is to end.

        Raises:
            TdtsqlError: there is no such command, relation, question, ...
        """
        try:
            name, *words = shlex.split(text.rstrip(";"))
        except ValueError:
            raise InvalidQuery(f"a quote is not closed: {text}") from None
        if name in (".quit", ".exit"):
            return False
        if name not in COMMANDS:
            raise unknown("command", name, [*COMMANDS])
        {
            ".help": self.help,
            ".tables": self.tables,
            ".schema": self.schema,
            ".ask": self.ask,
            ".format": self.set_format,
        }[name](words)
        return True

    def help(self, words: list[str]) -> None:
        for name, (takes, does) in COMMANDS.items():
            click.echo(f"{name} {takes}".rstrip())
            click.echo(f"    {does}")
        click.echo(
            "Anything else is a query that reads, over as many lines as it needs; at a terminal it ends with ; and "
            "Tab completes names."
        )

    def tables(self, words: list[str]) -> None:
        wanted = " ".join(words).lower()
        self.print(
            ["relation", "what it is"],
            [row for row in relations(self.store.engine) if wanted in f"{row[0]} {row[1]}".lower()],
        )

    def schema(self, words: list[str]) -> None:
        if len(words) != 1:
            raise InvalidQuery(".schema takes the name of a relation: .schema report.score. .tables lists them.")
        known = {
            row[0]
            for row in self.store.engine.rows(
                "select schema_name || '.' || table_name from duckdb_tables() where not internal "
                "union all select schema_name || '.' || view_name from duckdb_views() where not internal"
            )
        }
        if words[0] not in known:
            raise unknown("relation", words[0], sorted(known))
        self.print(
            ["column", "type", "what it is"],
            self.store.engine.rows(
                f"select column_name, data_type, comment from duckdb_columns() where schema_name || '.' || table_name "
                f"= {quoted(words[0])} order by column_index"
            ),
        )

    def ask(self, words: list[str]) -> None:
        from tdtsql.cookbook.asking import ask
        from tdtsql.cookbook.question import find, questions

        if not words:
            self.print(
                ["about", "name", "title"],
                [(question.about, question.name, question.title) for question in questions().values()],
            )
            return
        question = find(words[0])
        if question.reads_another_store:
            raise InvalidQuery(
                f"{question.name} opens a file, and the shell opens none: tdtsql sql cookbook {question.name} "
                f"{question.usage}"
            )
        given = {}
        for word in words[1:]:
            name, is_one, value = word.removeprefix("--").partition("=")
            if not is_one:
                raise InvalidQuery(
                    f"{word} is no parameter with a value. Write .ask {question.name} NAME=VALUE; it takes "
                    f"{question.usage}"
                )
            given[name.replace("-", "_")] = value
        answer = ask(self.store.engine, question, given)
        self.print(answer.columns, answer.fetchall())

    def set_format(self, words: list[str]) -> None:
        if words:
            if words[0] not in FORMATS:
                raise unknown("format", words[0], list(FORMATS))
            self.format = words[0]
        click.echo(f"Rows are printed as {self.format}.", err=True)


@contextmanager
def ctrl_c_only_stops_the_engine() -> Iterator[None]:
    """Let Ctrl-C end the query, of which cli.main tells the engine, and not raise KeyboardInterrupt too, whenever that
    comes, and end the shell.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def typed(store: "Store") -> Iterator[str]:
    """Yield what a person types at a terminal: queries of many lines, each ended by a semicolon, and commands."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.history import FileHistory, InMemoryHistory
    from prompt_toolkit.key_binding import KeyBindings
    from prompt_toolkit.lexers import PygmentsLexer
    from prompt_toolkit.shortcuts import CompleteStyle
    from pygments.lexers.sql import SqlLexer

    keys = KeyBindings()

    @keys.add("enter")
    def _(event) -> None:
        buffer = event.current_buffer
        if buffer.complete_state and buffer.complete_state.current_completion:
            buffer.complete_state = None
        elif is_whole(buffer.text):
            buffer.validate_and_handle()
        else:
            buffer.insert_text("\n")

    file = history_file()
    session: PromptSession[str] = PromptSession(
        "tdtsql> ",
        multiline=True,
        prompt_continuation="   ...> ",
        history=FileHistory(str(file)) if file else InMemoryHistory(),
        key_bindings=keys,
        completer=completer(store),
        complete_while_typing=False,
        complete_style=CompleteStyle.MULTI_COLUMN,
        lexer=PygmentsLexer(SqlLexer),
        enable_history_search=True,
    )
    click.echo(
        f"{store.path}, read-only. A query ends with ; and may have many lines. Tab completes, .help lists commands, "
        f".quit ends."
    )
    while True:
        told_of_ctrl_c = signal.set_wakeup_fd(
            -1
        )  # the prompt takes it for itself: a query that follows must hear of Ctrl-C again
        try:
            text = session.prompt()
        except KeyboardInterrupt:  # the line is given up
            continue
        except EOFError:
            return
        finally:
            signal.set_wakeup_fd(told_of_ctrl_c, warn_on_full_buffer=False)
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
    """Return the file of what was typed, for this user's eyes alone; None where it cannot be written."""
    named = os.environ.get("XDG_STATE_HOME", "")
    folder = (Path(named) if os.path.isabs(named) else Path.home() / ".local" / "state") / "tdtsql"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        file = folder / "shell_history"
        file.touch(mode=0o600)
        return file if os.access(file, os.R_OK | os.W_OK) else None
    except OSError:
        return None


def completer(store: "Store") -> "Completer":
    """Return what completes names of relations, columns, metrics, runs, conditions, profiles and questions, and words
    of SQL.
    """
    from prompt_toolkit.completion import Completer, Completion
    from prompt_toolkit.document import Document

    from tdtsql.cookbook.question import questions

    ask: Callable = store.engine.rows
    known = dict(relations(store.engine))
    columns: dict[str, list[str]] = {}
    for relation, column in ask(
        "select schema_name || '.' || table_name, column_name from duckdb_columns() where not internal order by 1, "
        "column_index"
    ):
        columns.setdefault(relation, []).append(column)
    names = {
        name: kind
        for kind, query in (
            ("metric", "select distinct metric from registry.metric"),
            ("run", "select distinct run_id from registry.run"),
            ("condition", "select condition_id from registry.condition"),
            ("profile", "select profile_id from registry.profile"),
        )
        for [name] in ask(f"{query} order by 1")
    }

    def candidates(document: Document, word: str) -> Iterator[tuple[str, str]]:
        line = document.text.lstrip()
        before = line.split()[: -1 if word else None]
        if line.startswith("."):
            if not before:
                yield from ((name, does) for name, (_, does) in COMMANDS.items())
            elif before[0] == ".schema":
                yield from known.items()
            elif before[0] == ".format":
                yield from ((name, "") for name in FORMATS)
            elif before[0] == ".ask" and len(before) == 1:
                yield from ((question.name, question.title) for question in questions().values())
            elif before[0] == ".ask" and before[1] in questions():
                yield from ((f"{parameter.name}=", parameter.text) for parameter in questions()[before[1]].parameters)
            return
        yield from known.items()
        # columns of the relations that the query names; of all of report where it names none yet
        read = [name for name in re.findall(r"\b\w+\.\w+", document.text) if name in columns] or [
            name for name in columns if name.startswith("report.")
        ]
        seen = set()
        for relation in read:
            for column in columns[relation]:
                if column not in seen:
                    seen.add(column)
                    yield column, relation
        yield from names.items()
        yield from ((name, "") for name in _KEYWORDS)

    class Names(Completer):
        def get_completions(self, document: Document, complete_event: object) -> Iterator[Completion]:
            word = _WORD.search(document.text_before_cursor)[0]
            for name, meaning in candidates(document, word):
                if name.lower().startswith(word.lower()) or (
                    word and "." not in word and name.partition(".")[2].lower().startswith(word.lower())
                ):
                    yield Completion(name, start_position=-len(word), display_meta=(meaning or "")[:60])

    return Names()


def at_a_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()
