"""Cases that NIST's TDT3eval has scored: as bundles of ours, and what it said of them."""

import json
import math
import shutil
from dataclasses import dataclass
from pathlib import Path

from bundle_file import write_bundle

TASKS = {"trk": "tracking", "fsd": "new_event", "lnk": "link"}
#: the name of the cost in the program's tables
COST = {"trk": "Ctrack", "fsd": "Cfsd", "lnk": "CLink"}
#: what the program says instead of a number
UNDEFINED = ("--", "NULL")


@dataclass(frozen=True, slots=True)
class Case:
    """One evaluation: its files, options and the program's numbers."""

    name: str
    task: str  #: trk, fsd or lnk
    folder: Path
    options: dict[str, str]
    expected: dict


def read_case(folder: Path) -> Case:
    """Read a case from its folder."""
    given = json.loads((folder / "case.json").read_text())
    words = given["opts"]
    return Case(
        folder.name,
        given["task"],
        folder,
        dict(zip(words[::2], words[1::2], strict=True)),
        json.loads((folder / "expected.json").read_text()),
    )


def write_case(
    case: Case, folder: Path, *, corpus_id: str = "k", condition_id: str = "c", profile_id: str = "case"
) -> Path:
    """Copy a case's files into a folder and return the bundle that names them (run ``s``)."""
    shutil.copytree(case.folder, folder, dirs_exist_ok=True)
    profile = {"base": "tdt3eval"}
    corpus = {"id": corpus_id, "root": "corpus", "topic_relevance": ["topics.rel"]}
    condition = {"id": condition_id, "task": TASKS[case.task], "profile": [profile_id]}
    for option, value in case.options.items():
        match option:
            case "-P":
                profile["p_target"] = float(value)
            case "-C":
                profile["c_miss"], profile["c_fa"] = map(float, value.split(":"))
            case "-W":
                profile["utility_weight"] = float(value)
            case "-M":
                profile["utility_min"] = float(value)
            case "-m":
                condition["mapping"] = value
            case "-U":
                corpus["subsets"] = value
            case "-E":
                corpus["exclude"] = value
            case "-o":
                condition["on_topic"] = value.lower().split("+")
            case "-T":
                condition["topic_pattern"] = value
            case _:
                raise ValueError(f"{case.name}: option {option} is not known here")
    if case.task == "trk":
        condition["index_list"], files = "index.list", "sys/*.out"
    elif case.task == "fsd":
        condition["index"], files = ["fsd.ndx"], "sys/fsd.out"
    else:
        condition["key"], files, corpus = "lnk.key", "sys/lnk.out", {"id": corpus_id}
    return write_bundle(
        folder,
        corpus=corpus,
        conditions=[condition],
        profiles={profile_id: profile},
        runs=[{"id": "s", "condition": condition_id, "files": [files], "format": "tdt"}],
    )


def ppndf(probability: float) -> float:
    """Return the normal deviate of a probability as the program's curves have it.

    Source: J. D. Beasley and S. G. Springer, Algorithm AS 111, Applied Statistics 26 (1977),
    with ten-digit constants; 0 and 1 are moved inwards by 2.2204e-16.
    """
    epsilon = 2.2204e-16
    p = min(max(probability, epsilon), 1 - epsilon)
    q = p - 0.5
    if abs(q) <= 0.42:
        r = q * q
        above = ((-25.4410604963 * r + 41.3911977353) * r - 18.6150006252) * r + 2.5066282388
        below = (((3.1308290983 * r - 21.0622410182) * r + 23.0833674374) * r - 8.4735109309) * r + 1
        return q * above / below
    r = math.sqrt(-math.log(p if q < 0 else 1 - p))
    above = ((2.3212127685 * r + 4.8501412713) * r - 2.2979647913) * r - 2.7871893113
    below = (1.6370678189 * r + 3.5438892476) * r + 1
    return -above / below if q < 0 else above / below
