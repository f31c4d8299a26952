"""Views by example: each file of a folder here is one example of a view, `<view>/<case>.sql`.

A file says in comments what is shown, with its arithmetic. Its first statements give the rows that go in, in short:

    insert into trial values ('T1', 3, 'target', 'yes', 0.9)        3 trials of a topic; null: nothing is said of them
    insert into cluster values ('truth', 'a', 'S1 S3..S9')          a topic of a side, 'truth', 'answer' or 'other'
    insert into profile by name select 'dear' as profile_id, 10.0 as c_miss     tdt2004 (or `base`) but for that
    set variable all_points = true                                  curves with all their points

Queries call macros, and read views of the metric layer without schema and version, which have `topic` and `story` by
name. Behind each stand its rows, one a line after `-->`: numbers (fractions and products, too), words, `-` for NULL. A
query sees the rows of its own example, under the profile tdt2004 or that of the last `set variable profile = 'name'`.

All examples lie in one database, each as a condition with one run, and every view is computed once for all of them.

Examples of `loaded/*.case` are files of users: a bundle, what a load says of it, and what queries of the store return.

    == NAME              a file
    == query NAME        a Parquet file of the rows of a query
    == change NAME       in a further example (`=== TITLE`), which has the files of the first: lines, `=>`, new lines
    == problems          the lines that the load prints; with an error among them nothing is stored
    == notes             some of its notes
    == requested         metrics that are computed on request
    == sql               queries with their rows, as above
"""

import re
from contextlib import nullcontext
from fractions import Fraction
from pathlib import Path

import duckdb
import pytest

import tdtsql
from tdtsql.errors import InvalidInput
from tdtsql.load.bundle import evaluate_into
from tdtsql.store.profiles import shipped_profiles, with_base
from tdtsql.definitions.catalogue import sql_root
from tdtsql.definitions.macro import read_macros
from loads import taken_back
from trial_model import create_views, derive, empty_store

FOLDER = Path(__file__).resolve().parent
NAMES = sorted(path.relative_to(FOLDER).with_suffix("").as_posix() for path in FOLDER.glob("*/*.sql"))

#: what an example fills; its rows, number getvariable('number'), from that
INPUTS, FILL = ((FOLDER / name).read_text(encoding="utf-8") for name in ("inputs.sql", "fill.sql"))


def read(name: str) -> tuple[list[str], list[tuple[str, str, list[list[str]]]]]:
    """Return the statements of an example that give rows, and (query, profile, words of its rows) for each query."""
    given, queries, profile = [], [], "tdt2004"
    for paragraph in (FOLDER / f"{name}.sql").read_text(encoding="utf-8").split("\n\n"):
        statement, *rows = re.split(r"\n--> ?", paragraph.rstrip())
        if rows:
            queries.append((statement, profile, [row.split() for row in rows if row != "(none)"]))
        elif chosen := re.search(r"^set variable profile = '(.*)'", statement, re.MULTILINE):
            profile = chosen[1]
        else:
            given.append(statement)
    return given, queries


def views_of(query: str) -> set[str]:
    return set(re.findall(r"\b(?:from|join) (\w+)\b(?!\()", re.sub(r"(?m)--.*", "", query)))


@pytest.fixture(scope="module")
def con():
    """Return the database of all examples, number `NAMES.index(name)`, with the views that they read."""
    with empty_store() as con:
        con.execute(INPUTS)
        shipped, views, n_profile = shipped_profiles(), set(), 0

        def add_profile(name, values):
            nonlocal n_profile
            n_profile += 1
            fields = {"profile_no": n_profile, "profile_id": name, "source": "test", **values}
            marks = ", ".join("?" * len(fields))
            names = ", ".join(f'"{field}"' for field in fields)
            con.execute(f"insert into registry.profile ({names}) values ({marks})", [*fields.values()])

        for name in shipped:
            add_profile(name, with_base(shipped, name))
        for number, name in enumerate(NAMES):
            given, queries = read(name)
            for statement in given:
                con.execute(statement)
            own = con.execute("from profile").fetchdf().astype(object)
            for row in own.to_dict("records"):
                changes = {column: value for column, value in row.items() if value == value and value is not None}
                base = with_base(shipped, changes.pop("base", "tdt2004"))
                add_profile(f"{changes.pop('profile_id')} of {name}", {**base, **changes})
            used = {profile for _, profile, _ in queries}
            con.execute("set variable profiles = ?", [[*used, *(f"{profile} of {name}" for profile in used)]])
            con.execute("set variable number = ?", [number])
            con.execute(FILL)
            views |= {view for query, *_ in queries for view in views_of(query)}
        derive(con, range(len(NAMES)))
        create_views(con, [f"metric.{view}__v1" for view in sorted(views)])
        for view in views:
            con.execute(f"create view seen.{view} as {own_rows(con, view)}")
        for macro in read_macros(sql_root()).values():
            text = macro.path.read_text(encoding="utf-8")
            con.execute(text.replace("create macro", "create or replace temp macro"))
        con.execute("set schema = 'seen'")
        yield con


def own_rows(con, view: str) -> str:
    """Return the query of the rows of a view that belong to one example and profile, with the names of topic and
    story.
    """
    columns = {row[0] for row in con.execute(f"describe metric.{view}__v1").fetchall()}
    key = "run_no" if "run_no" in columns else "condition_no"
    named, joined = "", ""
    if "block_no" in columns:
        named += ", block.block_id as topic"
        joined += f" left join base.block on block.condition_no = own.{key} and block.block_no = own.block_no"
    if "story_no" in columns:
        named += ", story.story"
        joined += f" left join story on story.condition_no = own.{key} and story.story_no = own.story_no"
    under = " and own.profile_no = getvariable('profile_no')" if "profile_no" in columns else ""
    return f"select own.*{named} from metric.{view}__v1 as own{joined} where own.{key} = getvariable('number'){under}"


def value(word: str) -> float | str | None:
    """Return what a word of an expected row stands for."""
    if word == "-":
        return None
    if word[0] == "'":
        return word[1:-1].replace("_", " ")
    if re.fullmatch(r"[A-Za-z][\w=.:/-]*", word):
        return word.replace("_", " ")
    return float(eval(re.sub(r"(?<![\d.e])\d+(?![\d.e])", r"Fraction(\g<0>)", word), {"Fraction": Fraction}))


@pytest.mark.parametrize("name", NAMES)
def test_the_view_returns_the_rows_of_the_example(con, name):
    con.execute("set variable number = ?", [NAMES.index(name)])
    for query, profile, rows in read(name)[1]:
        number = "select max(profile_no) from registry.profile where profile_id in (?, ?)"
        con.execute("set variable profile_no = ?", [*con.execute(number, [profile, f"{profile} of {name}"]).fetchone()])
        compare(con.execute(query).fetchall(), rows, query)


def compare(found: list[tuple], rows: list[list[str]], query: str) -> None:
    """Hold rows against the words of an example; texts have ``_`` for a blank."""
    expected = [
        tuple(
            pytest.approx(cell, rel=1e-13, abs=1e-14) if isinstance(cell, float) else cell for cell in map(value, row)
        )
        for row in rows
    ]
    texts = [tuple(cell.replace("_", " ") if isinstance(cell, str) else cell for cell in row) for row in found]
    assert texts == expected, query


# ---- files of users

LOADED = {
    f"{path.stem}: {title}": (path.name, title)
    for path in sorted((FOLDER / "loaded").glob("*.case"))
    for title in ["", *re.findall(r"(?m)^=== (.*)$", path.read_text(encoding="utf-8"))]
}


def lines_of(text: str) -> str:
    return text.rstrip("\n") + "\n" * bool(text.strip())


def sections(file: str, title: str) -> tuple[dict[str, str], dict[str, str]]:
    """Return the files of an example, and its other sections."""
    first, *others = re.split(r"(?m)^=== (.*)\n", (FOLDER / "loaded" / file).read_text(encoding="utf-8"))
    files: dict[str, str] = {}
    said: dict[str, str] = {}
    for part in (first, dict(zip(others[::2], others[1::2]))[title]) if title else (first,):
        said = {}
        _, *named = re.split(r"(?m)^== (.*)\n", part)
        for name, text in zip(named[::2], named[1::2]):
            if name in ("problems", "notes", "requested", "sql"):
                said[name] = text
            elif name.startswith("change "):
                name = name.removeprefix("change ")
                old, new = text.split("=>\n")
                assert old in files[name], old
                files[name] = files[name].replace(old, lines_of(new))
            else:
                files[name] = lines_of(text)
    return files, said


def write_files(files: dict[str, str], folder: Path) -> None:
    for name, text in files.items():
        path = folder / name.removeprefix("query ")
        path.parent.mkdir(parents=True, exist_ok=True)
        if name.startswith("query "):
            duckdb.execute(f"copy ({text}) to '{path}'")
        else:
            path.write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def empty():
    """Return a store in which nothing is stored."""
    with tdtsql.connect(":memory:") as store:
        yield store
        assert store.engine.value("select count(*) from registry.corpus") == 0


def of_lane() -> list:
    """Return the names of the examples; one that has no query, and no code that those before it lack, is in the full
    lane.
    """
    known: set[str] = set()
    found = []
    for name, place in LOADED.items():
        _, said = sections(*place)
        codes = set(re.findall(r": ([EW]\d{3}) ", said.get("problems", "")))
        found.append(pytest.param(name, marks=[] if "sql" in said or codes - known else pytest.mark.full))
        known |= codes
    return found


@pytest.mark.parametrize("name", of_lane())
def test_files_of_users_are_loaded_as_the_example_says(empty, tmp_path, monkeypatch, name):
    files, said = sections(*LOADED[name])
    write_files(files, tmp_path)
    monkeypatch.chdir(tmp_path)
    problems = [line for line in said.get("problems", "").splitlines() if line]
    is_refused = any(re.search(r": E\d{3} ", line) for line in problems)
    store = empty
    with nullcontext() if is_refused else taken_back(store.engine):
        try:
            report = evaluate_into(store.engine, Path("bundle.toml"), score=False)
            found, notes = report.warnings, report.notes
        except InvalidInput as error:
            found, notes = error.problems, []
        assert [str(problem) for problem in found] == problems
        assert {line for line in said.get("notes", "").splitlines() if line} <= set(notes)
        queries = said.get("sql", "")
        if "report." in queries or "metric." in queries:
            store.refresh()
        if "requested" in said:
            store.score(metric=said["requested"].split())
        for paragraph in queries.strip().split("\n\n") if queries else ():
            query, *rows = re.split(r"\n--> ?", paragraph.rstrip())
            compare(store.engine.rows(query), [row.split() for row in rows if row != "(none)"], query)
