"""Small files with one defect each: what is reported, and where.

``fixtures/malformed/manifest.toml`` says for every file which reader gets it
and the only problem it must report (``code = ""``: none), or all (``found``).
"""

import json
import re
import tomllib
from functools import partial

from each import of_each

from tdtsql.errors import Problems
from reader_kinds import read
from spoiling import MAY_ADVISE_NOTHING
from tdtsql.load.run_metadata import read_run_metadata
from tdtsql.load.forms import TIDY
from places import MALFORMED, PACKAGE, ROOT

FILES = tomllib.loads((MALFORMED / "manifest.toml").read_text(encoding="utf-8"))["file"]

TEXTS = [
    (kind, *entry)
    for name in ("texts.toml", "read.toml")
    for kind, entries in tomllib.loads((MALFORMED / name).read_text(encoding="utf-8")).items()
    for entry in entries
]
SQL = ROOT / "sql" / "load"
EXACT = tomllib.loads((MALFORMED / "exact.toml").read_text(encoding="utf-8"))
#: kinds of file whose messages are pinned whole
WHOLE = ("index_", "link_", "new_event_")


@of_each(FILES)
def test_every_defect_is_reported_with_its_place_and_what_to_do(file):
    problems = Problems(file["name"])

    read(file["kind"], (MALFORMED / file["name"]).read_bytes(), problems)

    is_of_track = file["kind"].startswith(MAY_ADVISE_NOTHING)
    for problem in problems.found:
        assert problem.advice.endswith((".", "?")) or (is_of_track and not problem.is_error)
        assert not problem.message.endswith(".")
        if problem.is_error and not is_of_track:
            assert problem.code in ("E001", "E002", "E003", "E004") or problem.line is not None
    if file["kind"].startswith(WHOLE) and file.get("code"):
        assert [str(problem) for problem in problems.found] == [EXACT[file["name"]]]
    if "codes" in file:
        assert [problem.code for problem in problems.found] == file["codes"]
    elif "found" in file:
        assert [*map(place, problems.found)] == file["found"].split()
    elif not file["code"]:
        assert problems.found == []
    else:
        [problem] = problems.found
        assert (problem.code, problem.line, problem.column) == (file["code"], file.get("line"), file.get("column"))
        assert problem.message.startswith(file["message"])


def place(problem) -> str:
    return ":".join(str(part) for part in (problem.code, problem.line, problem.column) if part is not None)


def values_of(rows, name):
    """Return a column, the lines, a part of the head, or the rows of a table of tags, as `read.toml` has it."""
    if isinstance(rows, dict):
        found = [list(row.values()) for row in rows[name]]
    elif isinstance(rows, list):  # of facts of a run
        found = [fact[:2] if name == "facts" else fact[2] for fact in rows]
    elif name.startswith("head"):
        names = [name.removeprefix("head.")] if "." in name else ["training_language", "nt"]  # of a control file
        found = [getattr(rows.head, part) for part in names]
        found = found[0] if "." in name else found
    else:
        found = rows.lines if name == "lines" else (rows.columns | getattr(rows, "attributes", {}))[name]
    return json.loads(json.dumps(found).replace("null", '"NULL"'))


@of_each(TEXTS)
def test_a_defect_is_told_where_it_is_and_alone(entry):
    """And the rows of the text are those of its entry, if it has any."""
    kind, text, found, *words = entry
    columns = words.pop() if words and isinstance(words[-1], dict) else {}
    problems = Problems(f"file.{kind.removeprefix('run_')}" if kind.startswith("run_") else "file")

    rows = (read_run_metadata if kind.startswith("run_") else partial(read, kind))(text.encode(), problems)

    for name, values in columns.items():
        assert values_of(rows, name) == values

    assert [*map(place, problems.found)] == found.split()
    assert all(any(word in str(problem) for problem in problems.found) for word in words)


def test_a_number_of_thousands_of_digits_is_refused():
    problems = Problems("file")
    read("clusters_json", b'{"id": "a", "cluster": ' + b"9" * 5000 + b"}\n", problems)
    assert "thousands of digits" in str(problems.found[0]) and problems.found[0].code == "E901"


def test_there_are_enough_and_every_file_is_listed():
    listed = {file["name"] for file in FILES}
    own = {name.split("/")[0] for name in listed}
    found = {
        path.relative_to(MALFORMED).as_posix()
        for path in MALFORMED.rglob("*")
        if path.is_file() and path.relative_to(MALFORMED).parts[0] in own
    }

    assert listed == found
    assert sum(1 for file in FILES if file.get("code", "E").startswith("E")) >= 60


def test_every_code_of_the_readers_has_a_file():
    paths = [*(PACKAGE / "load" / f"{name}.py" for name in ("indexes", "outputs", "tags"))]
    documented = {
        code
        for path in [*paths, PACKAGE / "files" / "table.py"]
        for line in path.read_text().split('"""')[1].splitlines()
        for code in re.findall(r"^([EW]\d{3})(?: ([EW]\d{3}))?", line)[:1]
        for code in code
        if code
    }
    documented |= {
        code for form in TIDY.values() for kind in form.fields.values() for code in (kind.code, kind.infinite)
    }
    checks = (
        path for folder in ("boundary", "index", "relevance", "subset") for path in (SQL / folder).glob("[EW]*.sql")
    )
    documented |= {path.stem.partition("-")[0] for path in checks}
    shown = set(re.findall(r"[EW]\d{3}", (MALFORMED / "manifest.toml").read_text(encoding="utf-8")))

    assert documented - shown - {""} == set()
