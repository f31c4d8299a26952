"""A second opinion: every view over every case that other programs have scored, computed by Spark."""

import shutil

import pytest

import tdtsql
from second_opinion import differing_views
from tdtsql.metric.published import FAMILIES
from tdtsql.store.export import export

pytestmark = [pytest.mark.engine, pytest.mark.slow]

pytest.importorskip("pyspark", reason="pyspark is not installed (pip install 'tdtsql[spark]')")
if not shutil.which("java"):
    pytest.skip("Java is not installed (Debian: apt install openjdk-17-jre-headless)", allow_module_level=True)

#: view -> why Spark is more than a few units off
KNOWN: dict[str, str] = {}


@pytest.fixture(scope="module")
def desk(golden_file, tmp_path_factory):
    folder = tmp_path_factory.mktemp("golden-lake") / "export"
    with tdtsql.connect(golden_file, read_only=True) as store:
        export(store, folder)
    with tdtsql.connect("spark-local[2]", data=folder) as store:
        store.engine.bring_decisions()
        yield store.engine


@pytest.mark.parametrize("task", FAMILIES)
def test_every_view_over_every_golden_case(desk, task):
    found, n_row = differing_views(desk, task, known=KNOWN)

    assert found == []
    assert n_row > 0
