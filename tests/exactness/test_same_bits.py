"""Exact metrics are the same bits whatever the threads, the order of the input and the engine's version.

``TDTSQL_EXACTNESS_STORIES`` makes the evaluation larger (600 stories x 36 topics otherwise).
``TDTSQL_OTHER_PYTHON`` names an interpreter with another version of the engine.
"""

import os
import subprocess

import pytest

from every_value import values, write_evaluation
from places import ROOT

N_STORY = int(os.environ.get("TDTSQL_EXACTNESS_STORIES", "600"))
N_TOPIC = 36


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    return write_evaluation(tmp_path_factory.mktemp("straight"), n_story=N_STORY, n_topic=N_TOPIC)


@pytest.fixture(scope="module")
def expected(bundle):
    """Return the numbers as one thread computes them."""
    return values(bundle, threads=1)


def assert_same(found, expected, what):
    differing = sorted(set(found) ^ set(expected))
    print(f"{what}: {len(found)} numbers compared, {len(set(found) - set(expected))} differ")
    assert not differing, (len(differing), differing[:6])
    assert len(found) == len(expected)


def test_there_is_enough_to_compare(expected):
    assert len(expected) >= 100_000
    assert {line.split()[0] for line in expected} == {"score", "block_score", "det_point"}
    n_number = sum(line.split()[-1] != "null" for line in expected)
    assert n_number >= 100_000


@pytest.mark.full
@pytest.mark.parametrize("threads", [2, 8])
def test_threads_do_not_matter(bundle, expected, threads):
    assert_same(values(bundle, threads=threads), expected, f"{threads} threads")


def test_order_of_rows_and_files_does_not_matter(tmp_path, expected):
    shuffled = write_evaluation(tmp_path, n_story=N_STORY, n_topic=N_TOPIC, shuffle=7)
    assert_same(values(shuffled, threads=2), expected, "shuffled")


def test_version_of_the_engine_does_not_matter(tmp_path, expected):
    other = os.environ.get("TDTSQL_OTHER_PYTHON")
    if not other:
        pytest.skip("TDTSQL_OTHER_PYTHON does not name an interpreter with another version of DuckDB")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests" / "support")])}
    script = ROOT / "tests" / "support" / "every_value.py"
    version = subprocess.run(
        [other, "-c", "import duckdb; print(duckdb.__version__)"], check=True, capture_output=True, text=True
    ).stdout.strip()
    subprocess.run(
        [other, str(script), str(tmp_path / "values"), "--stories", str(N_STORY), "--topics", str(N_TOPIC)],
        check=True,
        env=environment,
    )
    assert_same((tmp_path / "values").read_text(encoding="utf-8").splitlines(), expected, f"DuckDB {version}")
