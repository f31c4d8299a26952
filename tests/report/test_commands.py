"""The report that `tdtsql evaluate` writes."""

from record import ended
from places import SMALL


def test_evaluate_writes_the_report(tmp_path):
    done = ended("evaluate", SMALL, "--db", tmp_path / "s.duckdb", "--report", tmp_path / "out.html")

    assert done.returncode == 0 and "Wrote " in done.stderr and "out.html" in done.stderr, done
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert "<title>Evaluation report: " in page and ">s</th>" in page
