"""A number of the example back to its files."""

from pathlib import Path

import tdtsql

EXAMPLE = Path(__file__).resolve().parents[2] / "fixtures" / "example"


def test_report_score_goes_back_to_every_file_with_numbers_in_it():
    with tdtsql.evaluate(EXAMPLE / "bundle.toml") as store:
        rows = store.lineage("report.score", "value").fetchall()
        loaded = {path for [path] in store.engine.rows("select path from registry.input_file where kind not in ('control file', 'index list')")}
        one = store.lineage("c_det_norm")
        staged = one.filter("role = 'file' and relation = 'staging.on_topic'").project("from_relation, from_column").fetchall()
        assert one.columns == ["depth", "relation", "column_name", "role", "from_relation", "from_column"]

    assert {row[4] for row in rows if row[3] == "file"} == loaded
    assert staged == [("corpus/topics.rel", "corpus:example")]
