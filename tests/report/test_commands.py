"""The report that `tdtsql evaluate` writes."""

from pathlib import Path

from record import ended

BUNDLE = Path(__file__).resolve().parents[2] / "fixtures" / "malformed" / "bundle" / "base_tdt" / "bundle.toml"


def test_evaluate_writes_the_report(tmp_path):
    done = ended("evaluate", BUNDLE, "--db", tmp_path / "s.duckdb", "--report", tmp_path / "out.html")

    assert done.returncode == 0 and "Wrote " in done.stderr and "out.html" in done.stderr, done
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert "<title>Evaluation report: " in page and ">s</th>" in page
