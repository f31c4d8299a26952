"""Deleted commands and options, and what replaces each."""

import os
from fnmatch import fnmatchcase
from itertools import pairwise

import click

from tdtsql.cli.commands import REPLACED


def refuse_deleted(arguments: list[str]) -> None:
    """Refuse a deleted command or option among the arguments of the command line, or in TDTSQL_DB.

    Raises:
        click.UsageError: it ends with exit code 2.
    """
    words = arguments[: arguments.index("--")] if "--" in arguments else arguments
    pairs = [f"{name}={value}" for name, value in pairwise(words) if name.startswith("-")]
    typed = {word for argument in words for word in (argument, argument.partition("=")[0])} | set(pairs)
    if not any(word.startswith("--db") for word in arguments):
        typed.add(f"--db={os.environ.get('TDTSQL_DB')}")
    for command, argument, instead in REPLACED:
        first = command.split()
        if words[: len(first)] == first and (not argument or any(fnmatchcase(word, argument) for word in typed)):
            raise click.UsageError(f"`{f'{command} {argument}'.strip()}` was removed. Use {instead}.")
