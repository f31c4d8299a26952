"""The line that a paper prints with a number, and the file that says how to cite the program."""

import yaml

import tdtsql
from tdtsql.audit.citation import citations
from places import ROOT


def test_a_line_names_version_definition_and_document(example_store):
    lines = citations("c_det_norm", "tracking")

    assert [line.split("view ")[1].split(",")[0] for line in lines] == [
        "metric.detection_pooled__v1",
        "metric.detection_topic_weighted__v1",
        "metric.detection_rate__v1",
    ]
    assert lines[1].startswith(
        "Normalised detection cost (c_det_norm, of the run; tracking, new_event, link, filtering, verification): "
        f"tdtsql {tdtsql.__version__}, view "
    )
    assert "Defined in: The 2004 TDT evaluation plan" in lines[1]
    with tdtsql.connect(example_store, read_only=True) as store:
        [[sha256]] = store.sql(
            "select closure_sha256 from registry.definition where relation = 'metric.detection_topic_weighted__v1'"
        ).fetchall()
    assert f"definition {sha256[:16]}." in lines[1]


def test_the_citation_file_is_of_this_version():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))

    assert (citation["cff-version"], citation["version"], citation["license"]) == ("1.2.0", tdtsql.__version__, "MIT")
    assert {"message", "title", "authors"} <= citation.keys()
