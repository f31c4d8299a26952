"""Provenance of a run: a TOML file, or the YAML of ir_metadata, next to the run's files.

Its contents are stored as facts: a name such as ``implementation.source.commit`` and a text, as given. Values are not
interpreted: a value of YAML is its text (``no`` is no, 1e6 is 1e6) and nothing is filled in. A component that is not in
the schema is stored with a warning. Names are written in lower case, blanks and hyphens as ``_``, so that both
spellings of the schema, and TOML's, are the same; entries of a list are numbered from 1.

Code   Meaning
E712   not a TOML or YAML file, or not a table
W712   a component that ir_metadata does not have
E713   a duplicate key, or an alias of YAML
W713   the tag is not the name of the run (checked when it is stored)
E714   more facts, or deeper nesting, than the limits for a run

Source: ir_metadata, schema version 0.1 (T. Breuer, J. Keller and P. Schaer, ir_metadata: An Extensible Metadata Schema
    for IR Experiments, SIGIR 2022): platform, research goal, implementation, method, actor, data.
"""

import re
import tomllib
from collections.abc import Iterator
from typing import Any

from tdtsql.errors import Problems, meant

#: components of PRIMAD, and other keys
COMPONENTS = ("platform", "research_goal", "implementation", "method", "actor", "data")
GENERAL = ("schema_version", "run_version", "tag", "resources")
#: names of files
TOML, YAML = (".toml",), (".yaml", ".yml")
#: limits of the facts of a run and of their nesting
MOST_FACTS, DEEPEST = 10_000, 20

#: (name, text, line)
Fact = tuple[str, str, int | None]

_MARKER = re.compile(r"^(?:#\s*)?ir_metadata\.(?:start|end)\s*$", re.MULTILINE)


class _TooMuch(Exception):
    """More facts, or a deeper nesting, than a run can have."""


def read_run_metadata(data: bytes, problems: Problems) -> list[Fact]:
    """Return the facts of a file, TOML or YAML by its name, in the order in which they stand there; every defect is
    reported.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        problems.add("E712", "not UTF-8 text", "Save the file as UTF-8.")
        return []
    is_yaml = problems.path.lower().endswith(YAML)
    if not is_yaml and not problems.path.lower().endswith(TOML):
        problems.add(
            "E712", "the name ends neither in .toml nor in .yaml or .yml", "Give the file the ending of its format."
        )
        return []
    try:
        facts = list(_yaml_facts(text, problems) if is_yaml else _toml_facts(text, problems))
    except (_TooMuch, RecursionError):
        problems.add(
            "E714",
            f"more than {MOST_FACTS:,} facts, or nested more than {DEEPEST} deep",
            "Leave out what does not describe the run.",
        )
        return []
    seen = set()
    for name, _, line in facts:
        component = name.split(".")[0]
        if component not in (*COMPONENTS, *GENERAL) and component not in seen:
            seen.add(component)
            problems.add(
                "W712",
                f"a component that ir_metadata does not have, expected {', '.join(COMPONENTS)}",
                meant(component, COMPONENTS, "It is stored unchanged."),
                line,
                value=component,
            )
    return facts


def plain_name(key: str) -> str:
    """Return a key as facts are named: ``number of cores`` and ``number-of-cores`` are ``number_of_cores``."""
    return re.sub(r"[\s_-]+", "_", key.strip().lower())


def _toml_facts(text: str, problems: Problems) -> Iterator[Fact]:
    try:
        table = tomllib.loads(text, parse_float=str)  # 0.10 stays 0.10
    except (tomllib.TOMLDecodeError, ValueError) as error:
        place = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        problems.add(
            "E712",
            f"not a TOML file: {str(error).split(' (at ')[0]}",
            "Correct the line.",
            int(place[1]) if place else None,
            int(place[2]) if place else None,
        )
        return
    seen: dict[str, int] = {}
    for name, value in _leaves(table, ()):
        if name in seen:
            problems.add("E713", "a key twice, in two spellings", "Keep one of them.", value=name)
        seen[name] = 1
        if len(seen) > MOST_FACTS:
            raise _TooMuch
        yield name, {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value), None


def _leaves(value: object, place: tuple[str, ...]) -> Iterator[tuple[str, object]]:
    if len(place) > DEEPEST:
        raise _TooMuch
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, (*place, plain_name(key)))
    elif isinstance(value, list):
        for number, inner in enumerate(value, 1):
            yield from _leaves(inner, (*place, str(number)))
    else:
        yield ".".join(place), value


def _yaml_facts(text: str, problems: Problems) -> Iterator[Fact]:
    try:
        import yaml
    except ImportError:
        problems.add(
            "E712",
            "PyYAML is not installed, which reads YAML",
            "pip install 'tdtsql[yaml]', or give the same facts as TOML.",
        )
        return
    try:
        # nodes and not values: their texts are as given, with lines, and nothing of YAML's types or tags is done
        root = yaml.compose(_MARKER.sub("", text), Loader=yaml.BaseLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        said = getattr(error, "problem", None) or str(error).split("\n")[0]
        problems.add(
            "E712",
            f"not a YAML file: {said}",
            "Correct the line.",
            mark.line + 1 if mark else None,
            mark.column + 1 if mark else None,
        )
        return
    if not isinstance(root, yaml.MappingNode):
        problems.add("E712", "not a table of components", f"Begin with {COMPONENTS[0]}: and the facts below it.")
        return
    seen: set[int] = set()
    n_fact = 0

    def walk(node: Any, place: tuple[str, ...]) -> Iterator[Fact]:
        nonlocal n_fact
        if len(place) > DEEPEST:
            raise _TooMuch
        line = node.start_mark.line + 1
        if id(node) in seen:
            problems.add("E713", "an alias (*name), which is not supported", "Write it out.", line)
            return
        seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            names: set[str] = set()
            for key, value in node.value:
                name = plain_name(key.value) if isinstance(key, yaml.ScalarNode) else "?"
                if name in names or name == "?":
                    problems.add(
                        "E713",
                        "a key twice" if name in names else "a key that is not text",
                        "Keep one of them.",
                        key.start_mark.line + 1,
                        value=name,
                    )
                names.add(name)
                yield from walk(value, (*place, name))
        elif isinstance(node, yaml.SequenceNode):
            for number, value in enumerate(node.value, 1):
                yield from walk(value, (*place, str(number)))
        elif node.value != "":  # a key without a value is not stored
            n_fact += 1
            if n_fact > MOST_FACTS:
                raise _TooMuch
            yield ".".join(place), node.value, line

    yield from walk(root, ())
