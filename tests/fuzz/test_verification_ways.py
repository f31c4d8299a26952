"""Keys and scores with a defect or none: the engine's way and the reader's store and say the same."""

import random

import pytest

from inside import evaluate_into
from spoiling import SEEDS, spoilt
from tdtsql.api import connect
from tdtsql.errors import InvalidInput

TABLES = (
    "base.verification_trial",
    "base.verification_segment",
    "base.verification_attribute",
    "base.decision",
    "base.subset",
    "base.subset_cell",
    "base.block",
)
NAMES = [f"t{number}" for number in range(9)]
SCORES = [(-1) ** number * number / 4 for number in range(9)]
#: format -> (key, scores, ending)
FILES = {
    "tidy": (
        "trial_id,label,codec\n"
        + "".join(
            f"{name},{('target', 'nontarget')[at % 2]},{('C1', 'C2', '', '-')[at % 4]}\n"
            for at, name in enumerate(NAMES)
        ),
        "trial_id,score,decision\n"
        + "".join(
            f"{name},{score!r},{('yes', 'no')[at % 2]}\n"
            for at, (name, score) in enumerate(zip(NAMES, SCORES, strict=True))
        ),
        "csv",
    ),
    "kaldi": (
        "".join(f"m{at % 2} {name} {('target', 'nontarget')[at % 2]}\n" for at, name in enumerate(NAMES)),
        "".join(f"m{at % 2} {name} {SCORES[at]!r}\n" for at, name in enumerate(NAMES)),
        "txt",
    ),
    "voxceleb": (
        "".join(f"{at % 2} m{at % 2} {name}\n" for at, name in enumerate(NAMES)),
        "".join(f"{SCORES[at]!r} m{at % 2} {name}\n" for at, name in enumerate(NAMES)),
        "txt",
    ),
    "sre": (
        "modelid\tsegmentid\ttargettype\tgender\n"
        + "".join(
            f"m{at % 2}\t{name}\t{('target', 'nontarget')[at % 2]}\t{'fm'[at % 2]}\n" for at, name in enumerate(NAMES)
        ),
        "modelid\tsegmentid\tLLR\n" + "".join(f"m{at % 2}\t{name}\t{SCORES[at]!r}\n" for at, name in enumerate(NAMES)),
        "tsv",
    ),
    "asvspoof": (
        "".join(
            f"LA {name} - {('-', 'A07')[at % 2]} {('bonafide', 'spoof')[at % 2]}\n" for at, name in enumerate(NAMES)
        ),
        "".join(f"{name} {SCORES[at]!r} {('bonafide', 'spoof')[at % 2]}\n" for at, name in enumerate(NAMES)),
        "txt",
    ),
}


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


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.sample(1)
def test_both_ways_store_and_say_the_same(tmp_path, monkeypatch, seed):
    chance = random.Random(seed)
    format_ = chance.choice(list(FILES))
    *texts, ending = FILES[format_]
    for name, text in zip(("key", "scores"), texts, strict=True):
        data = text.encode()
        for _ in range(chance.choice([0, 0, 1])):
            data = spoilt(data, chance)
        (tmp_path / f"{name}.{ending}").write_bytes(data)
    (tmp_path / "b.toml").write_text(
        '[corpus]\nid = "k"\n[[condition]]\nid = "c"\ntask = "verification"\nprofile = ["voxsrc"]\n'
        f'key = "key.{ending}"\nkey_format = "{format_}"\n'
        f'[[run]]\nid = "r"\ncondition = "c"\nfiles = ["scores.{ending}"]\nformat = "{format_}"\n'
    )

    fast = outcome(tmp_path)
    monkeypatch.setattr("tdtsql.intake.trial_file._clean", lambda *_, **__: None)

    assert fast == outcome(tmp_path)


def test_the_files_are_of_every_format():
    assert {f"key_{name}" for name in FILES} | {f"scores_{name}" for name in FILES} <= SEEDS.keys()
