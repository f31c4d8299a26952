"""Pages that follow from the code: metrics, relations, profiles, formats, tidy tables, error codes, commands, Python,
the cookbook.
"""

import ast
import csv
import inspect
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import click
from formula import typeset

import tdtsql
from tdtsql.cli.commands import NOUNS
from tdtsql.cli.main import cli
from tdtsql.show.section import SUBJECTS, questions
from tdtsql.definitions.catalogue import Relation, catalog, sql_root
from tdtsql.definitions.table import tables
from tdtsql.definitions.header import Column
from tdtsql.files.kinds import KINDS
from tdtsql.load.forms import TIDY
from tdtsql.store.profiles import shipped_profiles
from tdtsql.task import TASKS, formats_of

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "tdtsql"

#: reader -> a file of the format, of which the first lines are shown; with how many
EXAMPLES: dict[str, list[tuple[str, int]]] = {
    "outputs": [("fixtures/example/tracking/osprey/nt1/trk_70001.out", 5)],
    "trec": [("fixtures/filtering/alpha.txt", 4)],
    "tags": [
        ("fixtures/example/corpus/tkn_bnd/20040105_0600_0800_HRB_ENG.tkn_bnd", 6),
        ("fixtures/example/corpus/topics.rel", 6),
        ("fixtures/example/corpus/subsets.ssd", 12),
    ],
    "indexes": [
        ("fixtures/example/link/mul.ndx", 6),
        ("fixtures/filtering/order.txt", 4),
        ("fixtures/filtering/topics.txt", 4),
        ("fixtures/example/corpus/auxiliary.ndx", 5),
        ("fixtures/example/tracking/eng_1.ctl", 8),
    ],
    "hierarchy": [("fixtures/example/hierarchy/osprey.xml", 14)],
    "ts_topics": [("fixtures/example/summarization/topics.xml", 14)],
    "ts_files": [("fixtures/example/summarization/nuggets.tsv", 4)],
    "settings": [("fixtures/filtering/bundle.toml", 14)],
}
#: shared readers, and one that has its own page
SHARED = frozenset({"tidy", "text"})
_CODE = re.compile(r"^([EW]\d{3})\s+(\S.*)$")


def pages() -> dict[str, str]:
    """Return every generated page by its path, as MyST Markdown."""
    return {
        "reference/metric-ids.md": metric_ids(),
        **metric_pages(),
        "reference/profiles.md": profiles(),
        "reference/formats.md": formats(),
        "reference/tidy.md": tidy_tables(),
        "reference/errors.md": errors(),
        "reference/commands.md": commands(),
        "reference/python.md": python(),
        "reference/cookbook.md": cookbook(),
        "reference/tables.md": table_list(),
        "reference/tasks.md": tasks(),
    }


# ---- Markdown


def plain(text: str) -> str:
    """Return a text of the code as Markdown in which nothing is markup but code in backticks."""
    parts = re.split(r"(``[^`]+``|`[^`]+`)", " ".join(text.split()))
    return "".join(
        f"`{part.strip('`')}`" if part.startswith("`") else re.sub(r"([\\*_<>\[\]|#{}$])", r"\\\1", part)
        for part in parts
    )


def code(text: str) -> str:
    return f"`{text}`" if text else ""


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    def escaped(cell: object) -> str:
        text = str(cell)
        return text if "\\|" in text else text.replace("\n", " ").replace("|", "\\|")

    lines = [header, ["---"] * len(header), *rows]
    return "".join(f"| {' | '.join(map(escaped, row))} |\n" for row in lines)


def fenced(text: str, language: str = "text") -> str:
    return f"```{language}\n{text.rstrip()}\n```\n"


def folded(title: str, body: str) -> str:
    return f"<details><summary>{title}</summary>\n\n{body}\n</details>\n"


# ---- metrics


def metric_ids() -> str:
    rows = []
    for relation in catalog().values():
        for metric in relation.header.metrics:
            unit = next(column.unit for column in relation.header.columns if column.name == metric.column)
            grain = "topic" if "block_no" in relation.header.grain else "run"
            rows.append(
                (
                    metric.metric,
                    grain,
                    plain(metric.title),
                    metric.best,
                    plain(unit),
                    f"[{plain(relation.name)}]({_page(relation)}#{_anchor(relation)})",
                )
            )
    return (
        "# Metric ids\n\nAll metrics, by their id in `report.score` (runs) and "
        "`report.block_score` (topics, events, blocks or attributes).\n\n"
        + table(
            ("metric", "of a", "what it is", "better", "unit", "computed by"),
            ((code(row[0]), *row[1:]) for row in sorted(rows)),
        )
    )


def _family(relation: Relation) -> str:
    return relation.family if relation.schema == "metric" else relation.schema


def _page(relation: Relation) -> str:
    return f"metrics/{_family(relation)}.md"


def _anchor(relation: Relation) -> str:
    return relation.name.replace(".", "-").replace("_", "-")


def metric_pages() -> dict[str, str]:
    families: dict[str, list[Relation]] = {}
    for relation in catalog().values():
        families.setdefault(_family(relation), []).append(relation)
    found = {}
    for family, relations in sorted(families.items()):
        words = {"base": "Trials and exclusions", "report": "Relations for queries", "ledger": "Stored results"}.get(
            family, f"Metrics: {family.replace('_', ' ')}"
        )
        body = "".join(_relation(relation) for relation in sorted(relations, key=lambda each: each.name))
        found[f"reference/metrics/{family}.md"] = (
            f"# {words}\n\nEach relation with its contract, which tests compare with the SQL below it.\n\n{body}"
        )
    listed = "".join(f"{family}\n" for family in sorted(families))
    found["reference/metrics/index.md"] = (
        "# Metrics and relations, with their SQL\n\nOne file of `sql/` is one relation: formula, source, columns, "
        "edge cases, the SQL. How to read one: "
        f"[sql.md](../../sql.md); the ids: [metric ids](../metric-ids.md).\n\n```{{toctree}}\n:maxdepth: "
        f"1\n\n{listed}```\n"
    )
    return found


def _relation(relation: Relation) -> str:
    header, fields = relation.header, relation.header.fields
    parts = [f"({_anchor(relation)})=\n\n## {plain(relation.name)}\n\n{plain(header.title)}\n\n"]
    if fields.get("formula"):
        parts.append(typeset(fields["formula"]) + "\n\n")
    parts.append(f"Source\n: {plain(fields['source'])}\n\n")
    if header.metrics:
        parts.append(
            "Metrics\n: "
            + "; ".join(f"`{metric.metric}` ({plain(metric.title)}, n: `{metric.n}`)" for metric in header.metrics)
            + "\n\n"
        )
    parts.append(_columns(header.columns) + "\n")
    for name, words in (("edges", "Edge cases"), ("class", "Class"), ("status", "Status"), ("see also", "See also")):
        if fields.get(name):
            parts.append(f"{words}\n: {plain(fields[name])}\n\n")
    parts.append(folded(f"SQL of {relation.name}", fenced(relation.plain, "sql")) + "\n")
    return "".join(parts)


# ---- profiles, tasks, tables


def profiles() -> str:
    comments = tables()["registry.profile"].comments
    own = {
        path.stem: dict(re.findall(r"^(\w+) = .*?#\s*(.+)$", path.read_text(encoding="utf-8"), re.MULTILINE))
        for path in (sql_root() / "profile").glob("*.toml")
    }
    parts = [
        "# Scoring profiles\n\nA profile is a row of `registry.profile`: costs, priors and policies. Each value has "
        "its source; values that a profile does not set come from its base. "
        'A bundle adds its own with `[profile.NAME]`, `base = "tdt2004"` and the columns that differ.\n\n'
    ]
    for name, profile in shipped_profiles().items():
        based = f" Based on [{name_of(profile['base'])}](#{profile['base']})." if profile.get("base") else ""
        parts.append(f"## {name}\n\n{plain(profile['source'])}.{based}\n\n")
        rows = (
            (code(column), code(str(value)), plain(own[name].get(column, "")))
            for column, value in profile["columns"].items()
        )
        parts.append(
            (table(("column", "value", "source"), rows) if profile["columns"] else "No column differs from its base.\n")
            + "\n"
        )
    parts.append(
        "## Columns\n\n"
        + table(
            ("column", "meaning, with the values that it may have"),
            ((code(name), plain(text)) for name, text in comments.items()),
        )
    )
    return "".join(parts)


def name_of(profile: str) -> str:
    return f"`{profile}`"


def tasks() -> str:
    rows = (
        (
            code(task.name),
            code(task.primary),
            task.best,
            ", ".join(code(name) for name in formats_of(task.name)),
            code(task.default_profile),
            task.blocks,
            "yes" if task.is_in_plan else "no",
        )
        for task in TASKS.values()
    )
    return (
        "# Tasks\n\nThe values of `task` of a condition in a bundle. The primary metric ranks the runs, "
        "over topics; the first format is the official one.\n\n"
        + table(
            ("task", "primary metric", "better", "formats of runs", "default profile", "blocks", "in the 2004 plan"),
            rows,
        )
    )


def table_list() -> str:
    parts = [
        "# Tables\n\nThe stored tables. For queries, start with the views of `report` in [metrics and relations]"
        "(metrics/index.md).\n\n"
    ]
    for name, found in sorted(tables().items()):
        title = f": {plain(found.comment)}" if getattr(found, "comment", "") else ""
        parts.append(f"## {plain(name)}\n\n{title.removeprefix(': ')}\n\n")
        parts.append(
            table(
                ("column", "type", "meaning"),
                (
                    (code(column), found.type_of(column), plain(found.comments.get(column, "")))
                    for column in found.columns
                ),
            )
            + "\n"
        )
    return "".join(parts)


# ---- formats and tidy tables


def documented(path: Path) -> tuple[str, str, list[tuple[str, str]], str]:
    """Return title, text, codes with their meaning and source of a reader, from its docstring."""
    text = inspect.cleandoc(ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "")
    title, _, rest = text.partition("\n")
    before, _, after = rest.partition("Code   Meaning\n")
    codes: list[tuple[str, str]] = []
    for line in after.splitlines():
        if found := _CODE.match(line):
            codes.append((found[1], found[2]))
        elif line.startswith("       ") and codes:
            codes[-1] = (codes[-1][0], f"{codes[-1][1]} {line.strip()}")
        elif line.strip():
            break
    source = re.search(r"^Source: (.+(?:\n(?!\n).+)*)", text, re.MULTILINE)
    body = re.sub(r"^Source: .+(?:\n(?!\n).+)*", "", before, flags=re.MULTILINE)
    return title.rstrip("."), body.strip("\n"), codes, " ".join(source[1].split()) if source else ""


def readers() -> list[Path]:
    """Return the modules that read official formats."""
    own = (
        "hierarchy",
        "indexes",
        "outputs",
        "tags",
        "trec",
        "trial_layouts",
        "ts_files",
        "ts_topics",
        "settings",
        "run_metadata",
    )
    return sorted((PACKAGE / "load" / f"{name}.py" for name in own), key=lambda path: path.stem)


def formats() -> str:
    parts = [
        "# Official formats\n\nFile formats that tdtsql reads unchanged: content of a line, an example, codes of its "
        "errors. Files may be compressed with gzip. "
        "The bundle (or `--format`) selects the format; otherwise it is recognised by content, and "
        "reported.\n\n"
    ]
    for path in readers():
        title, body, codes, source = documented(path)
        if not codes or path.stem in SHARED:
            continue
        parts.append(f"## {plain(title)}\n\n{_prose(body)}\n")
        for file, n in EXAMPLES.get(path.stem, []):
            lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
            cut = [line if len(line) <= 160 else line[:157] + "..." for line in lines[:n]]
            text = "\n".join([*cut, "..."] if len(lines) > n else cut)
            parts.append(f"\nExample: `{file}`\n\n{fenced(text, 'toml' if file.endswith('toml') else 'text')}\n")
        parts.append(
            table(
                ("code", "defect"), ((f"[{name}](errors.md#{name.lower()})", plain(meaning)) for name, meaning in codes)
            )
            + "\n"
        )
        if source:
            parts.append(f"Source\n: {plain(source)}\n\n")
    return "".join(parts)


def _prose(text: str) -> str:
    """Return the text of a docstring: indented lines are shown as they are."""
    out, block = [], []
    for line in [*text.splitlines(), ""]:
        if line.startswith("    "):
            block.append(line[4:])
            continue
        if block and line.strip():
            out.append(fenced("\n".join(block)))
            block = []
        elif block and not line.strip():
            block.append("")
            continue
        out.append(plain(line) if line.strip() else "")
    if any(block):
        out.append(fenced("\n".join(block)))
    return "\n".join(out).strip() + "\n"


def tidy_tables() -> str:
    kinds = {
        "id": "an id: text without blanks around it",
        "whole": "a whole number, 0 or more",
        "recid": "a whole number",
        "seconds": "a number",
        "text": "any text",
        "time": "date and time: YYYY-MM-DD or YYYYMMDD, HH:MM or HH:MM:SS; Z or an offset is converted to UTC; "
        "a part of a date (2003-04) is refused",
        "flag": "yes or no",
        "label": "yes, brief or no",
        "decision": "yes or no (true or false, 1 or 0)",
        "score": "a number",
    }
    parts = [
        "# Tidy tables\n\nOne row per story, topic, judgment or decision; columns in any order, identified by name. "
        "CSV (RFC 4180), TSV or "
        "Parquet, or a data frame, an Arrow table, a relation or a mapping of lists "
        "in Python. Unknown columns are errors.\n\n"
    ]
    words = {kind: kinds[name] for name, kind in KINDS.items() if name in kinds}
    for name, form in TIDY.items():
        rows = [
            (code(column), "" if column in form.absent else "yes", plain(words[kind]))
            for column, kind in form.fields.items()
        ]
        key = f"Together once: {', '.join(code(column) for column in form.key)}.\n\n" if form.key else ""
        parts.append(f"## {plain(name)}\n\n{table(('column', 'required', 'value'), rows)}\n{key}")
    parts.append(
        "Clusterings have other columns, whose names a bundle can set: [bundle keys](bundle.md#condition).\n\n"
    )
    codes = [pair for name in ("files/table", "load/forms") for pair in documented(PACKAGE / f"{name}.py")[2]]
    parts.append(
        "## Errors\n\n"
        + table(
            ("code", "defect"), ((f"[{name}](errors.md#{name.lower()})", plain(meaning)) for name, meaning in codes)
        )
    )
    return "".join(parts)


# ---- error codes


def found_codes() -> dict[str, list[tuple[str, str]]]:
    """Return every code of the program with (module, meaning): those of the tables in docstrings, those of the checks
    below ``sql/load`` that no table explains, and those that nothing explains.
    """
    found: dict[str, list[tuple[str, str]]] = {}
    # task packages have codes of another series, which `tdtsql.package` lists
    for path in sorted(path for path in PACKAGE.rglob("*.py") if path.name not in ("package.py", "testing.py")):
        module = path.relative_to(PACKAGE).with_suffix("").as_posix()
        for name, meaning in documented(path)[2]:
            found.setdefault(name, []).append((module, meaning))
        for name in re.findall(r'"([EW]\d{3})"', path.read_text(encoding="utf-8")):
            found.setdefault(name, [])
    for path in sorted((sql_root() / "load").rglob("[EW][0-9][0-9][0-9].sql")):
        if not found.get(path.stem):
            what = re.split(r"\n\w+:", path.read_text(encoding="utf-8").partition("what:")[2])[0]
            meaning = " ".join(re.sub(r"\s*\(?\{more\}\)?", "", what).split())
            found[path.stem] = [(f"sql/load/{path.parent.name}", re.sub(r"\{[^}]*\}", "…", meaning))]
    return found


def errors() -> str:
    rows = []
    for name, where in sorted(found_codes().items(), key=lambda item: item[0][1:] + item[0]):
        meanings = list(dict.fromkeys(meaning for _, meaning in where))
        modules = list(dict.fromkeys(module for module, _ in where))
        rows.append(
            (
                f"[`{name}`]{{#{name.lower()}}}",
                plain("; ".join(meanings)),
                ", ".join(code(module) for module in modules),
            )
        )
    return (
        "# Codes of errors and warnings\n\nA problem is printed as `path:line:column: CODE what is wrong ('the "
        "value'). How to fix it.` Codes with E are errors (nothing is stored, exit code 1), "
        "those with W warnings (stored, counted, in `registry.problem`; `strict = true` in a bundle turns them into "
        "errors). All problems of an input are reported in one pass. "
        "\n\n" + table(("code", "meaning", "checked in"), rows)
    )


# ---- commands and Python


def commands() -> str:
    parts = [
        "# Commands\n\nEvery command with its options, as `--help` prints them. Exit codes: 0 success, 1 a problem "
        "with the "
        "data, 2 invalid arguments, 130 interrupted.\n\n"
    ]
    top = click.Context(cli, info_name="tdtsql", **cli.context_settings)
    for noun, text in NOUNS.items():
        command = cli.get_command(top, noun)
        parts.append(f"## tdtsql {noun}\n\n{plain(text)}\n\n")
        inner = click.Context(command, info_name=noun, parent=top)
        if isinstance(command, click.Group):
            for verb in command.list_commands(inner):
                parts.append(_help(command.get_command(inner, verb), inner, f"{noun} {verb}"))
        else:
            parts.append(_help(command, top, noun))
    return "".join(parts)


def _help(command: click.Command, parent: click.Context, name: str) -> str:
    context = click.Context(
        command, info_name=name.rsplit(" ", maxsplit=1)[-1], parent=parent, max_content_width=100, terminal_width=100
    )
    return (
        f"### tdtsql {name}\n\n{fenced(command.get_help(context))}\n"
        if " " in name
        else f"{fenced(command.get_help(context))}\n"
    )


def python() -> str:
    parts = ["# Python\n\nResults are relations of DuckDB: `.df()`, `.pl()`, `.arrow()`, `.fetchall()`.\n\n"]
    things = [(f"tdtsql.{name}", getattr(tdtsql, name)) for name in ("connect", "evaluate", "signature", "verify")]
    things += [
        (f"Store.{name}", member)
        for name in vars(tdtsql.api.Store).copy()
        if not name.startswith("_") and inspect.isfunction(member := getattr(tdtsql.api.Store, name)) and member.__doc__
    ]
    for name, thing in things:
        signature = str(inspect.signature(thing)).replace("(self, ", "(").replace("(self)", "()").replace("'", "")
        parts.append(
            f"## {plain(name)}\n\n{fenced(name.rsplit('.', maxsplit=1)[-1] + signature, 'python')}\n"
            f"{fenced(inspect.getdoc(thing) or '')}\n"
        )
    return "".join(parts)


# ---- cookbook


def cookbook() -> str:
    known = questions()
    parts = [
        f"# Cookbook\n\n{len(known)} saved queries, one file of `sql/query` each. On the command "
        'line `tdtsql ask NAME --run osprey`, in Python `store.ask("NAME", run="osprey")`. The results are '
        "those of the bundled example, or of a store of the tests.\n\n"
    ]
    for subject in SUBJECTS:
        parts.append(f"## {subject.capitalize()}\n\n")
        for question in (each for each in known.values() if each.about == subject):
            first, _, rest = (
                (ROOT / "tests/cookbook/expected" / f"{question.name}.csv").read_text(encoding="utf-8").partition("\n")
            )
            of, *words = first.removeprefix("# ").split()
            rows = list(csv.reader(rest.splitlines()))
            kept = [[_short(cell) for cell in row] for row in rows[:9]]
            more = f"\n({len(rows) - 1:,} rows)\n" if len(rows) > 9 else ""
            parts.append(
                f"### {question.name}\n\n**{plain(question.title)}.** {plain(question.question)}\n\n"
                + table(
                    ("parameter", "default", "meaning"),
                    (
                        (code(p.name), "required" if p.is_needed else code(p.default), plain(p.text))
                        for p in question.parameters
                    ),
                )
                + "\n"
                + fenced(
                    f"tdtsql ask {question.name} {' '.join(words)}".rstrip()
                    + ("" if of == "example" else f"    # a store of the tests: {of}"),
                    "sh",
                )
                + "\n"
                + table([code(name) for name in kept[0]], ([plain(cell) for cell in row] for row in kept[1:]))
                + more
                + "\n"
                + f"{plain(question.fields['order'])} {plain(question.fields.get('edges', ''))}\n\n"
                + folded("Columns and SQL", _columns(question.columns) + "\n" + fenced(question.body, "sql"))
                + "\n"
            )
    return "".join(parts)


def _columns(columns: Iterable[Column]) -> str:
    return table(
        ("column", "unit", "meaning"),
        ((code(column.name), plain(column.unit), plain(column.text)) for column in columns),
    )


def _short(cell: str) -> str:
    """Return a cell as a person reads it: six decimals of a number, long hashes cut."""
    if re.fullmatch(r"-?\d+\.\d{5,}(e-?\d+)?", cell):
        return f"{float(cell):.6g}"
    return f"{cell[:8]}…" if re.fullmatch(r"[0-9a-f]{64}", cell) else cell
