"""Deleted commands and options, and what replaces each."""

import os
from fnmatch import fnmatchcase
from itertools import pairwise

import click

_SHARED = "a file (one writer, any number of readers), tdtsql serve, or export and sql render --dialect postgres"
_SPARK = "tdtsql export DIR on each machine, and tdtsql.spark.register in Spark"
#: first words of the command ("": any), an argument that it has ("": none needed; * matches any text), replacement
REPLACED: tuple[tuple[str, str, str], ...] = (
    ("sql shell", "", "duckdb -readonly FILE"),
    ("sql cookbook", "", "tdtsql ask"),
    ("sql", "--max-rows", "--limit"),
    ("report leaderboard", "", "tdtsql leaderboard"),
    ("report det", "", "tdtsql plot det"),
    ("report hierarchy", "", "tdtsql plot hierarchy"),
    ("report walk", "", "tdtsql plot path"),
    ("report subsets", "", "tdtsql stats subsets"),
    ("report make", "--draws", "--resamples"),
    ("compare", "--fail-if", "tdtsql gate NEW BASELINE --fail-if RULE"),
    ("compare", "--ranks", "tdtsql stats ranks"),
    ("compare", "--reproduce", "tdtsql compare RUN_A RUN_B --per-topic"),
    ("compare", "--det", "tdtsql plot det, and tdtsql ask miss_at_false_alarm for each run"),
    ("stats reproduce", "", "tdtsql compare RUN_A RUN_B --per-topic"),
    ("stats det", "", "tdtsql plot det, and tdtsql ask miss_at_false_alarm for each run"),
    ("", "--correction=bonferroni", "--correction holm, which finds at least as much"),
    ("", "--correction=max-t", "--correction holm"),
    ("", "--test=sign", "--test wilcoxon or --test randomisation"),
    ("verify", "table:*", "the signature of a number (tdtsql score --long) or of tdtsql compare"),
    ("metric eer", "", "tdtsql ask eer_definitions --run RUN"),
    ("metric plan", "", "tdtsql metric impact"),
    ("metric lineage", "--picture", "--output"),
    ("score", "--per-block", "--per-topic"),
    ("ask", "--most", "--limit"),
    ("explain", "--files", "--source-dir"),
    ("adjudicate", "--export", "--output"),
    ("audit", "--all", "--verbose"),
    ("gate", "--baseline-run", "--baseline-id"),
    ("", "--db=postgres*://*", _SHARED),
    ("", "--db=spark://*", _SPARK),
    ("", "--db=spark-local?*]*", _SPARK),
    ("copy", "postgres*://*", _SHARED),
    ("copy", "spark://*", _SPARK),
)


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
