"""What docs/explanation/eer.md says is so: its files are read from the page, its numbers come out."""

import re
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

import tdtsql
from scored_trials import scored
from tdtsql.audit.equal_error import DEFINITIONS, equal_error_rates
from tdtsql.cli.main import cli
from tdtsql.errors import UnknownName
from tdtsql.store.profiles import policies

PAGE = (Path(__file__).parents[3] / "docs" / "explanation" / "eer.md").read_text(encoding="utf-8")


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
    found = equal_error_rates(store.engine, "system")

    assert {row[0]: float(Fraction(row[2])) for row in rows} == pytest.approx(found.values, abs=1e-15)
    assert list(found.values) == list(DEFINITIONS) and set(DEFINITIONS) == set(policies()["eer"])
    assert (found.n_target, found.n_nontarget, found.score, found.n_target_here, found.n_nontarget_here) == (
        4,
        5,
        3.0,
        1,
        1,
    )
    assert (
        "Targets and non-targets are tied there" in found.why()[1]
        and "p_miss is 1/4 and p_fa 2/5; rejected, 2/4 and 1/5" in found.why()[0]
    )


@pytest.mark.full
def test_its_points_are_those_of_the_curve(store):
    [_, _, *rows] = tables()[1]
    points = store.det_curve("system", weighting="story", all_points=True).project("threshold, p_miss, p_fa").fetchall()

    assert [
        (None if level == "nothing" else float(level), float(Fraction(miss)), float(Fraction(alarm)))
        for level, _, _, miss, alarm in rows
    ] == points[::-1]


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


@pytest.mark.full
def test_the_command_shows_them_side_by_side(tmp_path):
    with tdtsql.evaluate(written(tmp_path), tmp_path / "nine.duckdb"):
        pass
    answer = CliRunner().invoke(cli, ["metric", "eer", "system", "--db", str(tmp_path / "nine.duckdb")])

    assert answer.exit_code == 0 and [line.split()[0] for line in answer.output.splitlines()[1:8]] == list(DEFINITIONS)
    assert "convex_hull     0.2727  BOSARIS           bosaris" in answer.output
    assert "1 target and 1 non-target" in answer.output


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"subset": "codec=C1"}, "codec=C1"),
        ({"profile": "voxsrc"}, "not scored under"),
        ({"condition": "ten"}, "not in the store"),
    ],
)
def test_what_is_not_there_is_named(store, given, said):
    with pytest.raises(UnknownName, match=said):
        equal_error_rates(store.engine, "system", **given)


def test_a_subset_without_a_class_has_no_rate():
    found = scored([("b", (), True, 1.0)], views=["metric.verification_error_rate__v1"])

    assert found[("bosaris", "all", "story", "eer")] is None and found[("bosaris", "all", "story", "n_eer")] == 0
    assert found[("bosaris", "all", "story", "null_reason")] == "no non-targets"
