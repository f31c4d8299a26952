"""What docs/explanation/eer.md says is so: its files are read from the page, its numbers come out."""

import re
from fractions import Fraction
from pathlib import Path

import pytest

import tdtsql
from scored_trials import scored
from tdtsql.store.profiles import policies
from places import ROOT

PAGE = (ROOT / "docs" / "explanation" / "eer.md").read_text(encoding="utf-8")


def tables() -> list[list[list[str]]]:
    """Return the rows of each table of the page, without its head."""
    found = re.findall(r"(?:^\|.*\n)+", PAGE, flags=re.MULTILINE)
    return [
        [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in table.strip().split("\n")]
        for table in found
    ]


def blocks() -> list[str]:
    """Return the indented blocks of the page."""
    return [
        re.sub(r"^    ", "", block, flags=re.MULTILINE)
        for block in re.findall(r"(?:^    .*\n)+", PAGE, flags=re.MULTILINE)
    ]


def written(folder: Path) -> Path:
    """Write the files of the page and return the bundle."""
    key, scores, bundle, *_ = blocks()
    for name, text in (("trials.csv", key), ("scores.csv", scores), ("bundle.toml", bundle)):
        (folder / name).write_text(text, encoding="utf-8")
    return folder / "bundle.toml"


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with tdtsql.evaluate(written(tmp_path_factory.mktemp("nine"))) as opened:
        yield opened


def test_the_nine_trials_have_seven_rates(store):
    [_, _, *rows] = tables()[0]
    definitions = [row[0] for row in rows]
    columns = ", ".join([*definitions, "score", "n_target_here", "n_nontarget_here"])
    [found] = store.sql(f"select {columns} from metric.verification_eer where weighting = 'story'").fetchall()

    assert found[:7] == pytest.approx([float(Fraction(row[2])) for row in rows], abs=1e-15)
    assert set(definitions) == set(policies()["eer"])
    assert found[7:] == (3.0, 1, 1)


def test_the_ends_of_the_scale():
    [head, _, *rows] = tables()[2]
    cases = [
        [(True, 1.0)] * 3 + [(False, 1.0)] * 4,
        [(True, 2.0)] * 3 + [(False, 1.0)] * 4,
        [(True, 1.0), (True, 1.5), (True, 1.7)] + [(False, 2.0)] * 4,
    ]
    assert len(rows) == len(cases)
    for row, case in zip(rows, cases, strict=True):
        found = scored(
            [("b", (), is_target, score) for is_target, score in case], views=["metric.verification_eer__v1"]
        )
        for name, value in zip(head[1:], row[1:], strict=True):
            assert found[("bosaris", "all", "story", name)] == pytest.approx(float(Fraction(value)), abs=1e-15), (
                row[0],
                name,
            )


def test_a_subset_without_a_class_has_no_rate():
    found = scored([("b", (), True, 1.0)], views=["metric.verification_error_rate__v1"])

    assert found[("bosaris", "all", "story", "eer")] is None and found[("bosaris", "all", "story", "n_eer")] == 0
    assert found[("bosaris", "all", "story", "null_reason")] == "no non-targets"
