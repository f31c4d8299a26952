"""Deleted commands and options, and what replaces each."""

import os
from fnmatch import fnmatchcase
from itertools import pairwise

import click

from tdtsql.cli.commands import REPLACED


def replacement(arguments: list[str]) -> str | None:
    """Return a sentence on the first deleted command or option among the arguments of the command line, or None."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    words = arguments[:end]
    pairs = [f"{name}={value}" for name, value in pairwise(words) if name.startswith("-")]
    typed = {word for argument in words for word in (argument, argument.partition("=")[0])} | set(pairs)
    for command, argument, instead in REPLACED:
        first = command.split()
        if words[: len(first)] == first and (not argument or any(fnmatchcase(word, argument) for word in typed)):
            return f"`{f'{command} {argument}'.strip()}` was removed. Use {instead}."
    return None


def refuse_deleted(arguments: list[str]) -> None:
    """Raise click.UsageError (exit code 2) where the arguments have a deleted command or option."""
    store = None if any(word.startswith("--db") for word in arguments) else os.environ.get("TDTSQL_DB")
    if found := replacement([*arguments[:2], *([f"--db={store}"] if store else []), *arguments[2:]]):
        raise click.UsageError(found)
