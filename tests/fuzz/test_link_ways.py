"""Files of links with a defect or none: the engine's way and the reader's store and say the same."""

import random

import pytest

from tdtsql.errors import InvalidInput
from inside import condition_loading as load_condition, evaluate_into, link_loading as load_link
from tdtsql.api import connect

PAIRS = [(f"tkn/x.tkn:d{first}", f"tkn/x.tkn:d{second}") for second in range(2, 9) for first in range(1, second)]
STORIES = "story_id,position,source_file,language\n" + "".join(
    f"d{i},{i},x,{('ENGLISH', 'ARABIC')[i % 2]}\n" for i in range(1, 9)
)
TABLES = (
    "base.link_pair",
    "base.link_answer",
    "base.decision",
    "base.block",
    "base.segment",
    "base.subset_cell",
    "staging.index_pair",
    "staging.link_key",
)
FILES = {
    "i.ndx": "# link_detection\n# source_file tkn/x.tkn\n" + "".join(f"{a} {b}\n" for a, b in PAIRS),
    "k.key": "# LINK_DETECTION\n"
    + "".join(f"{a} {b} {('TARGET', 'NONTARGET', 'Other')[at % 3]} b{at % 4}\n" for at, (a, b) in enumerate(PAIRS)),
    "o.out": "SYS 10\n" + "".join(f"{a} {b} {('yes', 'NO')[at % 2]} {at / 8}\n" for at, (a, b) in enumerate(PAIRS)),
}
CORPUS = '[corpus]\nid = "k"\n'
TIDY = 'stories = "s.csv"\njudgments = "j.csv"\n'
CONDITION = '[[condition]]\nid = "c"\ntask = "link"\n'
RUN = '[[run]]\nid = "r"\ncondition = "c"\nfiles = ["o.out"]\nformat = "tdt"\n'
INDEX, KEY = 'index = ["i.ndx"]\n', 'key = "k.key"\n'
BUNDLES = [
    CORPUS + CONDITION + INDEX + KEY + RUN,
    CORPUS + TIDY + CONDITION + INDEX + KEY + RUN,
    CORPUS + TIDY + CONDITION + INDEX + RUN,
    CORPUS + TIDY + CONDITION + KEY + RUN,
]


def spoilt(text: str, chance: random.Random) -> str:
    """Return a text with one thing changed in one line."""
    lines = text.split("\n")
    at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    words = lines[at].split()
    chance.shuffle(words)
    lines[at] = chance.choice(
        [
            lines[at] + chance.choice([" ", "\r", "\t", "#x", " z", "\0", "\u00e9", "\u00a0", "\x0c", '"', "\\"]),
            chance.choice([" ", "\t", "# ", '"', "\ufeff"]) + lines[at],
            lines[at].replace(" ", chance.choice(["  ", "\t", "", " \x0b"]), 1),
            lines[at].replace("tkn/x.tkn:", "", chance.choice([1, 2])),
            lines[at].replace("d1", chance.choice(["d99", "d2", ""])),
            " ".join(words),
            lines[at] + "\n" + lines[other],
            lines[other],
            "",
            lines[at].upper(),
        ]
    )
    return "\n".join(lines)


def outcome(folder):
    """Return what is said, and what is stored where it is accepted."""
    with connect(":memory:") as store:
        try:
            said = evaluate_into(store.engine, folder / "b.toml", score=False).warnings
        except InvalidInput as error:
            return [str(problem) for problem in error.problems], None
        return [str(problem) for problem in said], {
            table: store.engine.rows(f"select * from {table} order by all") for table in TABLES
        }


@pytest.mark.parametrize("seed", range(24))
@pytest.mark.sample(1)
def test_both_ways_store_and_say_the_same(tmp_path, monkeypatch, seed):
    chance = random.Random(seed)
    files = dict(FILES)
    for _ in range(chance.choice([0, 1, 1, 2])):
        name = chance.choice(list(files))
        files[name] = spoilt(files[name], chance)
    for name, text in files.items():
        (tmp_path / name).write_bytes(text.encode())
    (tmp_path / "s.csv").write_text(STORIES)
    (tmp_path / "j.csv").write_text("topic_id,story_id,label\nT,d1,yes\nT,d3,yes\n")
    (tmp_path / "b.toml").write_text(chance.choice(BUNDLES))

    fast = outcome(tmp_path)
    monkeypatch.setattr(load_condition, "clean_index", lambda *_: None)
    monkeypatch.setattr(load_link, "parse_pairs", lambda *_: None)
    monkeypatch.setattr(load_link, "clean_output", lambda *_, **__: None)

    assert fast == outcome(tmp_path)
