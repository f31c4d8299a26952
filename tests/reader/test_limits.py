"""Limits on what an input may take: memory does not grow with the number of errors, and small files stay small."""

import gzip

import duckdb
import pytest

import tdtsql
from tdtsql.engine import duckdb as engine
from tdtsql.errors import KEPT_OF_A_CODE, KEPT_WARNINGS, InvalidInput, Problem, ProblemList, Problems
from tdtsql.engine import packed
from tdtsql.files.find import Inputs

HEADER = "topic_id,story_id,decision,score\n"


def test_errors_beyond_the_first_are_counted_and_warnings_kept():
    found = ProblemList()
    for line in range(1, 5001):
        found.append(Problem("E310", "a.csv", line, 1, "wrong"))
        found += [Problem("W823", "a.csv", line, 1, "odd"), Problem("E310", "b.csv", line, 1, "wrong")]
    merged = ProblemList()
    merged += found
    merged += [Problem("E310", "a.csv", 6000, 1, "wrong")]

    for problems, last, n in ((found, 5000, 4000), (merged, 6000, 4001)):
        errors = [problem for problem in problems if problem.code == "E310" and problem.path == "a.csv"]
        assert len(errors) == KEPT_OF_A_CODE + 1 and (errors[-1].line, errors[-1].n) == (last, n)
        assert sum(problem.code == "W823" for problem in problems) == 5000


def test_gzip_that_expands_too_far_is_refused_before_it_is_parsed(tmp_path, monkeypatch):
    """Plain rows, repeated: 1 MB of them takes a few kB, more than 200 times."""
    monkeypatch.setattr(packed, "HARMLESS", 2**16)
    path = tmp_path / "run.csv.gz"
    path.write_bytes(gzip.compress((HEADER + "70001,s,yes,0.5\n" * 70_000).encode()))
    inputs = Inputs(tmp_path)

    with pytest.raises(InvalidInput, match="E002 not a complete gzip file: it expands to more than 200 times its size"):
        inputs.digest("run.csv.gz", path, "tidy")


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("limit", "item", "said"),
    [
        ("HARMLESS_ROWS", "'a'", "declares 100,000 rows in .* bytes, more than 50 for each byte"),
        ("HARMLESS", "repeat('a', 1000)", "holds 100,100,000 bytes of text in .*, more than 200 times its size"),
    ],
)
@pytest.mark.parametrize("option", ["decisions", "key", "gold"])
def test_parquet_that_declares_too_many_rows_is_refused_before_one_is_read(
    tmp_path, monkeypatch, option, limit, item, said
):
    """A constant column of 4 million rows takes 500 bytes, and took 400 MB to read; of long texts, more."""
    monkeypatch.setattr(engine, limit, 10_000)
    path = str(tmp_path / "rows.parquet")
    duckdb.sql(f"copy (select {item} as trial_id, 'b' as label, 1 as score from range(100000)) to '{path}'")
    with tdtsql.connect(":memory:") as store:
        store.add_corpus("k")
        key = {"trial_id": ["a", "b"], "label": ["target", "nontarget"]}
        store.add_condition("c", corpus="k", task="verification", key=key, profile="voxsrc")

        with pytest.raises(InvalidInput, match=f"E005 the Parquet file {said}"):
            if option == "decisions":
                store.add_run("r", condition="c", decisions=path)
            else:
                task, profile = ("partition",) * 2 if option == "gold" else ("verification", "voxsrc")
                store.add_condition("d", corpus="k", task=task, profile=profile, **{option: path})


def test_parquet_of_numbers_holds_no_text(tmp_path):
    """10,000 rows times some 100,000 bytes are above the limit from which texts are counted: there are none."""
    path = tmp_path / "rows.parquet"
    duckdb.sql(f"copy (select range as a, range * 7 as b, hash(range) as c from range(10000)) to '{path}'")

    assert engine.excessive_rows(path) is None


def test_warnings_of_a_file_and_code_are_kept_to_a_limit_and_counted():
    problems = Problems("run.csv")
    for line in range(1, KEPT_WARNINGS + 5_001):
        problems.add("W822", "a story outside the files", line=line)
    problems.add("W823", "another one")

    assert len(problems.found) == KEPT_WARNINGS + 2
    assert sum(problem.n for problem in problems.found) == KEPT_WARNINGS + 5_001
    assert problems.found[-2].n == 5_000 and problems.found[-2].line == KEPT_WARNINGS + 5_000
