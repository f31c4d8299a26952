"""How much memory a driver of Spark gets: what the user says in Spark's own places, else ours; no Spark is started."""

import pytest

from tdtsql.engine.spark import MORE_MEMORY, says_memory


@pytest.fixture(autouse=True)
def nothing_said(monkeypatch):
    monkeypatch.delenv("SPARK_CONF_DIR", raising=False)
    monkeypatch.delenv("SPARK_DRIVER_MEMORY", raising=False)


def test_nothing_is_said():
    assert not says_memory()


def test_the_environment_says_it(monkeypatch):
    monkeypatch.setenv("SPARK_DRIVER_MEMORY", "6g")
    assert says_memory()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("spark.driver.memory 6g\n", True),
        ("spark.ui.enabled false\n  spark.driver.memory=6g\n", True),
        ("# spark.driver.memory 6g\n", False),
        ("spark.driver.memoryOverhead 1g\n", False),
        ("", False),
    ],
)
def test_the_file_of_defaults_says_it(monkeypatch, tmp_path, text, says):
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    assert not says_memory()  # there is no file
    (tmp_path / "spark-defaults.conf").write_text(text)
    assert says_memory() is says


def test_the_advice_names_both():
    assert (
        "SPARK_DRIVER_MEMORY" in MORE_MEMORY
        and "spark.driver.memory" in MORE_MEMORY
        and "SPARK_CONF_DIR" in MORE_MEMORY
    )
