"""Defects to which the reaction of NIST's program is known: on which side each falls here (skips where they are
absent).

The reference names each defect in words; ``DEFECTS`` makes it in a good evaluation
and pins what ``tdtsql evaluate`` says. The program takes some of them in silence
and reads something else than was meant (a decision that is neither yes nor no is
a no); it stops at others that do no harm (a DTD that is not there).
"""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

import tdtsql
from tdt3eval_case import read_case, write_case
from tdtsql.errors import InvalidInput

#: the reference's case with an exclude file is not among the goldens; this one has recid pointers too
INSTEAD = {"trk14_exclude_file": "trk06_recid_majority"}

Edit = Callable[[Path], None]


class Defect(NamedTuple):
    """What is done to a good evaluation, and the codes of what is said; an E among them: nothing is stored."""

    edit: Edit
    codes: tuple[str, ...] = ()


def change(name: str, pattern: str, replacement: str, count: int = 1) -> Edit:
    """Return an edit that replaces the first places where a pattern stands in a file."""

    def edit(folder: Path) -> None:
        path = folder / name
        text, n_change = re.subn(pattern, replacement, path.read_text(), count=count, flags=re.MULTILINE)
        assert n_change, f"{name} has no {pattern}"
        path.write_text(text)

    return edit


def append(name: str, *lines: str) -> Edit:
    return lambda folder: (folder / name).write_text(
        (folder / name).read_text().rstrip("\n") + "\n" + "\n".join(lines) + "\n"
    )


def repeat(name: str, line_no: int) -> Edit:
    """Return an edit that writes a line of a file a second time, at its end."""
    return lambda folder: append(name, (folder / name).read_text().splitlines()[line_no - 1])(folder)


def remove(pattern: str) -> Edit:
    """Return an edit that deletes files."""

    def edit(folder: Path) -> None:
        found = list(folder.glob(pattern))
        assert found, pattern
        for path in found:
            path.unlink()

    return edit


def swap(name: str, first: int, second: int) -> Edit:
    """Return an edit that exchanges two lines."""

    def edit(folder: Path) -> None:
        lines = (folder / name).read_text().splitlines()
        lines[first - 1], lines[second - 1] = lines[second - 1], lines[first - 1]
        (folder / name).write_text("\n".join(lines) + "\n")

    return edit


NDX, OUT, TABLES, FSD, KEY, LINK = (
    *"ndx/trk_55001.ndx sys/trk_55001.out corpus/tkn_bnd sys/fsd.out lnk.key sys/lnk.out".split(),
)
UNKNOWN = "tkn/20991231_0000_0000_NYT_NYT.tkn"

#: in the order and the words of the reference
DEFECTS = {
    "index type of another task": Defect(change(NDX, "TRACKING", "DETECTION"), ("E151",)),
    "index type in lower case (as the plan writes it)": Defect(change(NDX, "TRACKING", "tracking")),
    "index header without '#'": Defect(change(NDX, "^# TRACKING", "TRACKING"), ("E150",)),
    "index header 'Topic=' in mixed case": Defect(change(NDX, "TOPIC=", "Topic=")),
    "index pointer DOCNO": Defect(change(NDX, "RECID", "DOCNO")),
    "index pointer lower case": Defect(change(NDX, "RECID", "recid")),
    "index source without directory": Defect(change(NDX, "^tkn/", "")),
    "index names an unknown source": Defect(append(NDX, f"{UNKNOWN} 1"), ("E800",)),
    "boundary DTD missing": Defect(remove("corpus/dtd/boundset.dtd")),
    "topic DTD missing": Defect(remove("corpus/dtd/topicset.dtd")),
    "relevance table missing": Defect(remove("topics.rel"), ("E710",)),
    "story labelled YES and BRIEF for one topic": Defect(
        change("topics.rel", "^(<ONTOPIC.* level=)YES(.*)$", r"\1YES\2\n\1BRIEF\2"), ("E113",)
    ),
    "story labelled YES twice for one topic": Defect(change("topics.rel", "^(<ONTOPIC.* level=YES.*)$", r"\1\n\1")),
    "relevance row for an unknown docno": Defect(
        change("topics.rel", "^(<ONTOPIC.* docno=)[^ ]+(.*)$", r"\g<0>\n\1NYT20991231.0000\2"), ("W803",)
    ),
    "system boundary field not yes/no": Defect(change(OUT, " yes 1 ", " MAYBE 1 "), ("E201",)),
    "system pointer type unknown": Defect(change(OUT, "docno$", "words"), ("E202",)),
    "system topic without index": Defect(change(OUT, " 55001 docno$", " 59999 docno"), ("E820",)),
    "Nt not 1,2,4,8,16": Defect(change(OUT, " yes 1 ", " yes 3 "), ("W204",)),
    "docno: decision neither YES nor NO": Defect(change(OUT, " YES ", " MAYBE "), ("E207",)),
    "docno: same story twice (last wins)": Defect(repeat(OUT, 2), ("E210",)),
    "docno: non-numeric score": Defect(change(OUT, "^(tkn/.*) [^ ]+$", r"\1 high"), ("E208",)),
    "docno: blank and comment lines": Defect(change(OUT, "^(.*docno)$", r"\1\n\n# a comment")),
    "docno: leading blanks on a record": Defect(change(OUT, "^tkn/", "  tkn/")),
    "recid: decision neither YES nor NO": Defect(change(OUT, " YES ", " MAYBE "), ("E207",)),
    "recid: source not in any index": Defect(append(OUT, f"{UNKNOWN} 1 NO 0.5"), ("E825",)),
    "recid: source not in any index, -S": Defect(append(OUT, f"{UNKNOWN} 1 NO 0.5"), ("E825",)),
    "recid: source only in another topic's index": Defect(
        append(OUT, "tkn/20030401_0000_2000_NYT_NYT.tkn 1 NO 0.5"), ("E825",)
    ),
    "recid: source only in another topic's index, -S": Defect(
        append(OUT, "tkn/20030401_0000_2000_NYT_NYT.tkn 1 NO 0.5"), ("E825",)
    ),
    "recid: a source has no records": Defect(change(OUT, "^tkn/20030404_.*\n", "", count=0), ("E827",)),
    "recid: pointers not ascending": Defect(swap(OUT, 3, 4), ("E212",)),
    "recid: repeated pointer": Defect(change(OUT, "^(tkn/.*)$", r"\1\n\1"), ("E212",)),
    "time: fractional seconds in boundary table": Defect(
        change(f"{TABLES}/20030402_0000_2001_NYT_NYT.tkn_bnd", "sec=82 ", "sec=82.0 ", count=2)
    ),
    "time: no Bsec/Esec in the boundary table": Defect(
        change(f"{TABLES}/20030402_0000_2001_NYT_NYT.tkn_bnd", " Bsec=[^ ]+ Esec=[^ ]+", "", count=0), ("E828",)
    ),
    "fsd: docno pointers": Defect(change(FSD, "recid$", "docno"), ("E230",)),
    "fsd: pointer type differs from index": Defect(change(FSD, "recid$", "time"), ("E841",)),
    "fsd: deferral 5": Defect(change(FSD, " 10 ", " 5 "), ("W224",)),
    "fsd: source appears in two blocks": Defect(
        append(FSD, "tkn/20030401_0000_2000_NYT_NYT.tkn 1400 NO 0.5"), ("E233",)
    ),
    "fsd: no topic matches -T": Defect(
        change("bundle.toml", r"^\[\[condition\]\]$", '[[condition]]\ntopic_pattern = "99999"'), ("E817",)
    ),
    "fsd: unknown -o label": Defect(
        change("bundle.toml", r"^\[\[condition\]\]$", '[[condition]]\non_topic = ["maybe"]'), ("E704",)
    ),
    "link: system pair not in key": Defect(
        append(LINK, "tkn/a.tkn:NYT20991231.0000 tkn/b.tkn:NYT20991231.0001 NO 0.5"), ("E855",)
    ),
    "link: system pair not in key, -S": Defect(
        append(LINK, "tkn/a.tkn:NYT20991231.0000 tkn/b.tkn:NYT20991231.0001 NO 0.5"), ("E855",)
    ),
    "link: a key pair is missing": Defect(change(LINK, r"^tkn/.*\n", ""), ("E856",)),
    "link: pair written in reverse order": Defect(
        change(LINK, r"^(tkn/[^ ]+) (tkn/[^ ]+)", r"\2 \1"), ("E855", "E856")
    ),
    "link: key header without '#'": Defect(change(KEY, "^# LINK_DETECTION", "LINK_DETECTION"), ("E250",)),
    "link: key type other than LINK_DETECTION": Defect(change(KEY, "LINK_DETECTION", "FOO"), ("W251",)),
    "link: topic with no NONTARGET pair": Defect(lambda folder: one_sided(folder, "55001")),
    "link: system pair given twice": Defect(repeat(LINK, 2), ("E247",)),
    "link: deferral field missing": Defect(change(LINK, "^SYN_1 10$", "SYN_1"), ("W241",)),
}


def one_sided(folder: Path, topic: str) -> None:
    """Leave a topic of a link key its target pairs only, and the system's answers to these."""
    dropped = {
        tuple(line.split()[:2])
        for line in (folder / KEY).read_text().splitlines()
        if line.endswith(f" NONTARGET {topic}")
    }
    for name in (KEY, LINK):
        kept = [line for line in (folder / name).read_text().splitlines() if tuple(line.split()[:2]) not in dropped]
        (folder / name).write_text("\n".join(kept) + "\n")


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
    DEFECTS[name].edit(tmp_path)

    said = evaluate(bundle)

    assert tuple(sorted({line.split(": ")[1].split()[0] for line in said})) == DEFECTS[name].codes, said


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
