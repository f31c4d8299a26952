"""Files of every kind with something wrong in them, and what a reader owes to each: problems, never an exception.

One way to spoil a file, by any source of chance: that of hypothesis (which finds the smallest such file) or of `random`
(which is fast).
"""

import re
import tomllib
from functools import cache
from random import Random

from reader_kinds import PROGRAM_READERS, READERS, read
from tdtsql.errors import Problems
from places import FIXTURES


#: files as they should be, by reader
SEEDS: dict[str, list[bytes]] = {
    kind: [text.encode() for text in texts]
    for kind, texts in tomllib.loads((FIXTURES.parent / "tests" / "fuzz" / "seeds.toml").read_text("utf-8")).items()
}

#: readers whose warnings say what was done with the line, and leave it at that
MAY_ADVISE_NOTHING = ("nuggets", "updates", "matches", "ts_", "value_run")

#: pieces that change a file into a slightly wrong one
PIECES = [
    *(b"", b" ", b"\t", b"\n", b"\r\n", b"\r", b"\0", b"\xff", b"\xef\xbb\xbf", b"\xc2\xa0", b"\xe2\x80\xa8"),
    *(b"\xd9\xa3", b"\x1c", b"\x85", b" docno=A", b"9" * 25, b"9" * 5000, b"<!DOCTYPE x [", b"99991231 23:59:59"),
    *b"""# < > " "" = , : / ; [ ] ' & \\ 0 -1 2147483648 1.5 1e999 nan inf 1_0 NULL YES maybe <!-- --> </set> 20031399
    &#0; &x; 0001-01-01T00:00:00+23:59 recid time docno""".split(),
]
_CUTS = [0, 0, 1, 2, 5, 30]


def spoilt(data: bytes, chance: Random) -> bytes:
    """Return a file with at most four places changed: a piece cut out, another put in, a line repeated or moved."""
    for _ in range(chance.randint(0, 4)):
        if chance.randint(0, 5) == 0:
            lines = data.splitlines(keepends=True)
            if lines:
                line = lines[chance.randrange(len(lines))]
                lines.insert(chance.randint(0, len(lines)), line)
                data = b"".join(lines)
            continue
        begin = chance.randint(0, len(data))
        end = min(len(data), begin + chance.choice(_CUTS))
        piece = (
            chance.choice(PIECES)
            if chance.randint(0, 3)
            else bytes(chance.randint(0, 255) for _ in range(chance.randint(1, 3)))
        )
        data = data[:begin] + piece + data[end:]
    return data


@cache
def seeds_of(kind: str) -> tuple[bytes, ...]:
    """Return the files that are malformed for a reader: valid ones, and its own ones of fixtures/malformed."""
    plain = re.sub("_ts201[345]$", "", kind)
    folder = FIXTURES / "malformed"
    listed = tomllib.loads((folder / "manifest.toml").read_text(encoding="utf-8"))["file"]
    own = [folder / file["name"] for file in listed if re.sub("_ts201[345]$", "", file["kind"]) == plain]
    if plain == "hierarchy_xml":
        own += sorted((folder / "hierarchy").glob("*.xml"))
    if plain == "bundle":
        own += sorted((folder / "bundle").glob("*/bundle.toml"))
    what, _, form = plain.partition("_")
    if what in ("key", "scores"):
        own += sorted((folder / "verification").glob(f"{form}_*/{what}.*"))
    small = [data for path in own if len(data := path.read_bytes()) < 4000]
    return (*(SEEDS[plain] * 4), *small)


def spoilt_file(kind: str, chance: Random) -> tuple[bytes, str]:
    """Return a malformed file for a reader, and its path as given to it."""
    path = chance.choice(["file", "file", "file", "file.tsv", "file.gz"])
    return spoilt(chance.choice(seeds_of(kind)), chance), path


def check(kind: str, data: bytes, path: str = "file") -> None:
    """Read a file; every problem must have a code, a location, a message and an advice."""
    problems = Problems(path)
    read(kind, data, problems)
    for problem in problems.found:
        assert problem.code[0] in "EW" and problem.code[1:].isdigit() and len(problem.code) == 4
        assert problem.message and (problem.advice or (kind.startswith(MAY_ADVISE_NOTHING) and not problem.is_error))
        assert str(problem)
        assert problem.line is None or problem.line >= 1
        assert problem.column is None or problem.column >= 1


ALL_KINDS = [*READERS, *PROGRAM_READERS]
