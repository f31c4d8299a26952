"""Defects to which the reaction of NIST's program is known: on which side each falls here (skips where they are
absent).

The reference names each defect in words; ``defects.toml`` makes it in a good evaluation
and pins what ``tdtsql evaluate`` says. The program takes some of them in silence
and reads something else than was meant (a decision that is neither yes nor no is
a no); it stops at others that do no harm (a DTD that is not there).
"""

import json
import re
import tomllib
from pathlib import Path

import pytest

import tdtsql
from tdt3eval_case import read_case, write_case
from tdtsql.errors import InvalidInput

#: the reference's case with an exclude file is not among the goldens; this one has recid pointers too
INSTEAD = {"trk14_exclude_file": "trk06_recid_majority"}


def change(folder: Path, name: str, pattern: str, replacement: str, count: int = 1) -> None:
    """Replace the first places where a pattern stands in a file."""
    text, n_change = re.subn(pattern, replacement, (folder / name).read_text(), count=count, flags=re.MULTILINE)
    assert n_change, f"{name} has no {pattern}"
    (folder / name).write_text(text)


def append(folder: Path, name: str, *lines: str) -> None:
    (folder / name).write_text("\n".join([(folder / name).read_text().rstrip("\n"), *lines, ""]))


def repeat(folder: Path, name: str, line_no: int) -> None:
    """Write a line of a file a second time, at its end."""
    append(folder, name, (folder / name).read_text().splitlines()[line_no - 1])


def remove(folder: Path, name: str) -> None:
    (folder / name).unlink()


def swap(folder: Path, name: str, first: int, second: int) -> None:
    """Exchange two lines."""
    lines = (folder / name).read_text().splitlines()
    lines[first - 1], lines[second - 1] = lines[second - 1], lines[first - 1]
    (folder / name).write_text("\n".join(lines) + "\n")


def one_sided(folder: Path, topic: str) -> None:
    """Leave a topic of a link key its target pairs only, and the system's answers to these."""
    lines = (folder / "lnk.key").read_text().splitlines()
    dropped = {tuple(line.split()[:2]) for line in lines if line.endswith(f" NONTARGET {topic}")}
    for path in (folder / "lnk.key", folder / "sys" / "lnk.out"):
        kept = [line for line in path.read_text().splitlines() if tuple(line.split()[:2]) not in dropped]
        path.write_text("\n".join(kept) + "\n")


EDITS = {edit.__name__: edit for edit in (change, append, repeat, remove, swap, one_sided)}
#: name -> how it is made, and the codes of what is said
DEFECTS = tomllib.loads(Path(__file__).with_name("defects.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def reference(shared):
    """Return the folder of the evaluations and, by defect, what the program made of it."""
    folder = shared / "golden" / "tdt3eval"
    return folder, {entry["case"]: entry for entry in json.loads((folder / "errors.json").read_text())}


def test_every_defect_of_the_reference_is_here(reference):
    assert list(DEFECTS) == list(reference[1]) and len(DEFECTS) == 48


@pytest.mark.parametrize("name", DEFECTS)
@pytest.mark.sample(10)
def test_defect_falls_on_its_side(name, reference, tmp_path):
    folder, entries = reference
    base = entries[name]["base"]
    bundle = write_case(read_case(folder / INSTEAD.get(base, base)), tmp_path)
    [edit] = EDITS.keys() & DEFECTS[name].keys()
    EDITS[edit](tmp_path, *DEFECTS[name][edit])

    said = evaluate(bundle)

    codes = {line.split(": ")[1].split()[0] for line in said}
    assert sorted(codes) == DEFECTS[name].get("codes", []), said


def evaluate(bundle: Path) -> list[str]:
    """Return what is said of a bundle, a problem a line; check that it has numbers just when nothing in it is an
    error.
    """
    try:
        store = tdtsql.evaluate(bundle)
    except InvalidInput as refused:
        assert any(problem.is_error for problem in refused.problems)
        return [str(problem) for problem in refused.problems]
    with store:
        assert store.score(run="s", metric="n_target", subset="all").fetchall()
        return [
            f"{path}: {code} {message}"
            for path, code, message in store.sql("select path, code, message from registry.problem").fetchall()
        ]
