"""The line that a paper prints with a number, and the file that says how to cite the program."""

import yaml

import tdtsql
from tdtsql.audit.citation import cite
from places import ROOT


def test_the_citation_file_is_of_this_version():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))

    assert (citation["cff-version"], citation["version"], citation["license"]) == ("1.2.0", tdtsql.__version__, "MIT")
    assert {"message", "title", "authors"} <= citation.keys()


def test_a_line_names_the_definition():
    [line] = [
        line
        for line in cite("c_det_norm", task="tracking").splitlines()
        if "metric.detection_topic_weighted__v1," in line
    ]
    with tdtsql.connect(":memory:") as store:
        query = "select closure_sha256 from registry.definition where relation = 'metric.detection_topic_weighted__v1'"
        assert f"definition {store.engine.value(query)[:16]}." in line
