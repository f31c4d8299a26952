"""Former spellings of commands and options: they work for one more release, with a note on stderr."""

import click

from tdtsql.errors import renamed

#: (old command, an option that it must have or None, new command)
COMMANDS: tuple[tuple[str, str | None, str], ...] = (
    ("sql cookbook", None, "ask"),
    ("report leaderboard", None, "leaderboard"),
    ("report det", None, "plot det"),
    ("report hierarchy", None, "plot hierarchy"),
    ("report walk", None, "plot path"),
    ("report subsets", None, "stats subsets"),
    ("compare", "--fail-if", "gate"),
    ("compare", "--ranks", "stats ranks"),
    ("compare", "--reproduce", "stats reproduce"),
    ("compare", "--det", "stats det"),
    ("metric plan", None, "metric impact"),
)
#: command, or its first word -> old option -> new one
OPTIONS: dict[str, dict[str, str]] = {
    "score": {"--per-block": "--per-topic"},
    "sql": {"--max-rows": "--limit"},
    "ask": {"--most": "--limit"},
    "report make": {"--draws": "--resamples"},
    "metric lineage": {"--picture": "--output"},
    "explain": {"--files": "--source-dir"},
    "adjudicate": {"--export": "--output"},
    "audit": {"--all": "--verbose"},
    "gate": {"--baseline-run": "--baseline-id"},
}
#: commands whose output file was their first argument
_FIRST_IS_OUTPUT = ("plot det", "plot hierarchy")


def current(arguments: list[str]) -> list[str]:
    """Return the arguments in the current spelling."""
    args, notes = list(arguments), []
    for old, option, new in COMMANDS:
        words = old.split()
        if args[: len(words)] != words or option and not any(arg.split("=")[0] == option for arg in args):
            continue
        rest = args[len(words) :]
        if option and option != "--fail-if":
            rest = [arg for arg in rest if arg != option]
        at = next((at for at, arg in enumerate(rest) if not arg.startswith("-")), None)
        if new in _FIRST_IS_OUTPUT and at is not None and not {"-o", "--output", "--help", "-h"} & set(rest):
            rest = [*rest[:at], *rest[at + 1 :], "-o", rest[at]]
        args = [*new.split(), *rest]
        notes.append((f"{old} {option}" if option else old, new))
        break
    end = args.index("--") if "--" in args else len(args)
    for command in (" ".join(args[:1]), " ".join(args[:2])):
        for at, arg in enumerate(args[:end]):
            name, equals, value = arg.partition("=")
            if other := OPTIONS.get(command, {}).get(name):
                args[at] = other + equals + value
                notes.append((name, other))
    if args[:1] == ["ask"] and len(args) > 1:
        from tdtsql.cookbook.saved_query import RENAMED

        if query := RENAMED.get(args[1]):
            notes.append((f"ask {args[1]}", f"ask {query}"))
            args[1] = query
    for old, new in notes:
        click.echo(f"Note: {renamed(old, new)}", err=True)
    return args
