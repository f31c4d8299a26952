"""What users see, written down: the proof that a change of the code changes no output.

`commands.toml` groups calls by store. A group runs in a folder of its own, with a copy of its store (`tdtsql.duckdb`),
`fixtures/` and `inputs/`; `recorded/GROUP.txt` holds each call and its result. The kinds of calls:

    tdtsql ARGUMENTS     standard output, then [stderr] and [exit N] where there is something to tell
    store.METHOD(...)    the result of a method of `Store` as JSON, one row a line
    GET ADDRESS          the tables of a page of the web UI, one row a line as JSON
    TABLES FILE          the same of a file of HTML, such as the report
    FILES                the files and folders that the calls before left, without `fixtures` and `inputs`

`python tests/outputs/record.py [--only PATTERN]` writes the groups whose names match; `test_outputs.py` compares them.
"""

import argparse
import contextlib
import dataclasses
import fnmatch
import gc
import json
import os
import re
import shlex
import shutil
import signal
import socket
import sys
import tempfile
import time
import tomllib
import warnings
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import click
import duckdb
from click.testing import CliRunner

import tdtsql
from tdtsql.cli.main import cli, main

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
TABLE = tomllib.loads((FOLDER / "commands.toml").read_text(encoding="utf-8"))
GROUPS = TABLE["group"]

#: what differs between machines, days and releases, and is not the content of an output
NORMALISED = [
    (r"20(?:2[5-9]|[3-9]\d)-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|\+00(?::?00)?)?", "TIME"),
    (r"\b20(?:2[5-9]|[3-9]\d)-\d\d-\d\d\b", "DATE"),
    (r"(?<![\w.])(?=[0-9a-f]*[a-f])(?=[0-9a-f]*[0-9])(?:[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{8,32})(?![\w.])", "HASH"),
    (r"\b(sql|judgments|run|runs|key|topics_|rows|sha256):[0-9a-f]{8,64}\b", r"\1:HASH"),
    (r"\b(tdtsql|duckdb|DuckDB)(\W{1,4}|, version )\d+\.\d+(?:\.\w+)*", r"\1\2VERSION"),
    (rf"(?<![\w.])(?:{re.escape(tdtsql.__version__)}|{re.escape(duckdb.__version__)})(?![\w.])", "VERSION"),
    (r"\(\d+\.\d [kMG]?B\)|\b\d[\d,]* bytes\b", "SIZE"),
    (r"\b\d+\.\d s\b", "DURATION"),
]


def normalised(text: str, work: Path) -> str:
    """Return a text without times, hashes, versions, durations and the folders of this checkout and this call."""
    for path, name in ((work, "WORK"), (ROOT, "ROOT")):
        text = text.replace(str(path), name)
    # names of blind outputs are hashes: numbers in the order in which they appear
    names: dict[str, str] = {}
    text = re.sub(r"\brun-[0-9a-f]{4,}\b", lambda name: names.setdefault(name[0], f"run-{len(names) + 1}"), text)
    for pattern, value in NORMALISED:
        text = re.sub(pattern, value, text)
    return text


@contextlib.contextmanager
def _in(folder: Path) -> Iterator[None]:
    """Work in a folder, as one user of one machine, on a terminal of 80 columns that shows no colours."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TDTSQL_")}
    kept |= {"COLUMNS": "80", "LOGNAME": "user", "XDG_CACHE_HOME": str(folder.parent / "cache")}
    kept["TDTSQL_THREADS"] = os.environ.get("TDTSQL_THREADS", "1")
    with (
        contextlib.chdir(folder),
        patch.dict(os.environ, kept, clear=True),
        patch.object(socket, "gethostname", lambda: "host"),
        warnings.catch_warnings(),
    ):
        yield


class Ended(NamedTuple):
    """How a command ended, and what it printed."""

    returncode: int
    stdout: str
    stderr: str


def ended(*arguments: object) -> Ended:
    """Run a command in this process, as the process of the command does."""
    with (
        CliRunner().isolation() as (out, err, _),
        patch.object(sys, "argv", ["tdtsql", *map(str, arguments)]),
        patch.object(sys.modules["__main__"], "__package__", None, create=True),  # else click says `python -m pytest`
        patch.object(gc, "freeze", lambda: None),  # what a process does before it ends
    ):
        try:
            main()
            code = 0
        except SystemExit as end:
            code = end.code
        os.close(signal.set_wakeup_fd(-1))  # ends the thread that waits for Ctrl-C
        sys.stdout.flush()
        sys.stderr.flush()
        return Ended(code, out.getvalue().decode(), err.getvalue().decode())


def command(arguments: list[str]) -> str:
    """Return what a command prints and how it ends, as `recorded` has it."""
    code, text, said = ended(*arguments)
    return text + (f"[stderr]\n{said}" if said else "") + (f"[exit {code}]\n" if code else "")


class _Cells(HTMLParser):
    """The rows of all tables of a page, each a list of texts, and the headings between them."""

    def __init__(self, text: str):
        super().__init__()
        self.rows: list[list[str]] = []
        self._cell: list[str] | None = None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        if tag == "tr":
            self.rows.append([])
        elif tag in ("h1", "h2", "h3", "caption"):
            self.rows.append([f"<{tag}>"])
        if tag in ("td", "th", "h1", "h2", "h3", "caption"):
            self._cell = []

    def handle_endtag(self, tag):
        if tag in ("td", "th", "h1", "h2", "h3", "caption") and self._cell is not None:
            self.rows[-1].append(" ".join(" ".join(self._cell).split()))
            self._cell = None

    def handle_data(self, data):
        if self._cell is not None:
            self._cell.append(data)


def cells(page: str) -> str:
    """Return the tables and headings of a page, one row a line."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in _Cells(page).rows if row)


def as_json(result: object) -> str:
    """Return the result of a method as JSON: a relation as its columns and rows, one a line."""
    if hasattr(result, "fetchall"):
        return "".join(_json(row) + "\n" for row in [list(result.columns), *result.fetchall()])
    if dataclasses.is_dataclass(result):
        fields = [field.name for field in dataclasses.fields(result) if field.repr]
        return "".join(f"{name}: {_json(getattr(result, name))}\n" for name in fields)
    if isinstance(result, str):
        return result.rstrip("\n") + "\n"
    if isinstance(result, (list, tuple)):
        return "".join(_json(part) + "\n" for part in result) or "[]\n"
    return _json(result) + "\n"


def _json(value: object) -> str:
    def other(part: object) -> object:
        return dataclasses.asdict(part) if dataclasses.is_dataclass(part) else str(part)

    return json.dumps(value, ensure_ascii=False, default=other)


def write_store(name: str, folder: Path) -> None:
    """Write the store ``name`` of the table, ``folder/NAME.duckdb``, from the bundles that it names."""
    made = folder / f"{name}.made"
    made.mkdir()
    with _in(made):
        for bundle in TABLE["stores"][name]:
            with tdtsql.evaluate(ROOT / bundle, folder / f"{name}.duckdb") as store:
                store.refresh()  # in tests, the first file that asks for it may be one whose loads compute no numbers


def play(group: dict, store: Path | None, folder: Path) -> str:
    """Return the calls of a group with their results, run in the new ``folder`` on a copy of ``store``."""
    work = folder.resolve() / group["name"]
    work.mkdir()
    (work / "fixtures").symlink_to(ROOT / "fixtures")
    (work / "inputs").symlink_to(FOLDER / "inputs")
    if store is not None:
        shutil.copy(store, work / "tdtsql.duckdb")
    with _in(work), contextlib.ExitStack() as opened:
        return "\n".join(f"> {call}\n{normalised(_result(call, opened), work)}" for call in calls_of(group))


def calls_of(group: dict) -> list[str]:
    """Return the calls of a group."""
    if group.get("help"):
        return ["tdtsql --help", *(f"tdtsql {path} --help" for path in command_paths(inner=True))]
    if group.get("malformed"):
        bundles = [ROOT / f"fixtures/malformed/bundle/{name}/bundle.toml" for name in group["malformed"].split()]
        return [f"tdtsql evaluate --check {path.relative_to(ROOT)}" for path in bundles]
    return [line for line in group["calls"].replace("\\\n", "").splitlines() if line and not line.startswith("#")]


def command_paths(inner: bool = False) -> list[str]:
    """Return the words of every command, with ``inner`` those of groups of commands, too."""

    def within(group: click.Group, path: str) -> Iterator[str]:
        for name in group.list_commands(click.Context(group)):
            command = group.get_command(click.Context(group), name)
            words = f"{path} {name}".strip()
            if inner or not isinstance(command, click.Group):
                yield words
            if isinstance(command, click.Group):
                yield from within(command, words)

    return list(within(cli, ""))


def _result(call: str, opened: contextlib.ExitStack) -> str:
    first, _, rest = call.partition(" ")
    if first == "tdtsql":
        return command(shlex.split(rest))
    if first == "GET":
        return _page(opened, rest)
    if first == "TABLES":
        return cells(Path(rest).read_text(encoding="utf-8"))
    if first == "FILES":
        return "".join(f"{path}\n" for path in sorted(_left()))
    store = _once(opened, "store", lambda: opened.enter_context(tdtsql.connect("tdtsql.duckdb")))
    try:
        return as_json(eval(call, {"store": store, "tdtsql": tdtsql}))
    except (tdtsql.errors.TdtsqlError, TypeError) as error:
        return f"{type(error).__name__}: {error}\n"


def _left() -> Iterator[str]:
    for path in Path().rglob("*"):
        if path.parts[0] not in ("fixtures", "inputs") and not path.is_dir():
            yield str(path)


def _once(opened: contextlib.ExitStack, name: str, make: Callable) -> object:
    """Return what ``make`` makes, once for a group."""
    if not hasattr(opened, name):
        setattr(opened, name, make())
    return getattr(opened, name)


def _page(opened: contextlib.ExitStack, address: str) -> str:
    from starlette.testclient import TestClient

    from tdtsql.serve.app import application
    from tdtsql.serve.server import Server

    def client():
        server = Server("tdtsql.duckdb")
        opened.callback(server.close)
        return TestClient(application(server, seconds=None), base_url="http://127.0.0.1:8420")

    answer = _once(opened, "client", client).get(address)
    text = cells(answer.text) if "html" in answer.headers["content-type"] else answer.text
    return text + (f"[status {answer.status_code}]\n" if answer.status_code != 200 else "")


def recorded(group: dict) -> Path:
    """Return the file of a group."""
    return FOLDER / "recorded" / f"{group['name']}.txt"


def _record(only: str) -> None:
    sys.path.insert(0, str(ROOT / "tests" / "support"))
    import pytest
    from new_stores import made_quickly

    with tempfile.TemporaryDirectory() as temporary, pytest.MonkeyPatch.context() as quick:
        made_quickly(quick)
        folder = Path(temporary)
        for group in GROUPS:
            if not fnmatch.fnmatch(group["name"], only):
                continue
            store = folder / f"{group['store']}.duckdb" if "store" in group else None
            if store and not store.exists():
                write_store(group["store"], folder)
            began = time.process_time()
            recorded(group).write_text(play(group, store, folder), encoding="utf-8")
            print(f"{time.process_time() - began:6.1f} CPU s  {recorded(group).relative_to(ROOT)}", flush=True)
    if only == "*":
        for path in set((FOLDER / "recorded").glob("*.txt")) - {recorded(group) for group in GROUPS}:
            path.unlink()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Write the recorded outputs again; review them with git diff.")
    parser.add_argument("--only", default="*", metavar="PATTERN", help="groups of this name, such as 'ask_*'")
    _record(parser.parse_args().only)
