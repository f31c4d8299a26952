"""Provenance of runs as TOML and as the YAML of ir_metadata: facts as given, every defect with its line."""

import pytest

from tdtsql.errors import Problems
from tdtsql.load.run_metadata import read_run_metadata

YAML = b"""ir_metadata.start
schema-version: 0.1
tag: osprey
platform:
  hardware:
    cpu:
      number of cores: 16
  software:
    libraries:
      python:
      - numpy==1.15.40
      - scipy==1.10
research goal:
  evaluation:
    reported_measures: [c_det_norm]
implementation:
  source:
    commit: 9548e6
method:
  automatic: no
actor:
  degree:
ir_metadata.end
"""
TOML = b"""schema_version = 0.10
tag = "osprey"
[platform.hardware.cpu]
"number of cores" = 16
[method]
automatic = true
[[method.retrieval]]
name = "bm25"
[research_goal]
day = 2026-11-22
"""


def read(data, path="run.yaml"):
    """Return (facts, problems) of a file."""
    problems = Problems(path)
    return read_run_metadata(data, problems), problems.found


def test_yaml_is_taken_as_it_stands():
    """`no` is no Boolean and 9548e6 no number; an empty value is no fact; the schema's two spellings of names are
    one.
    """
    facts, problems = read(YAML)

    assert [fact[:2] for fact in facts] == [
        ("schema_version", "0.1"),
        ("tag", "osprey"),
        ("platform.hardware.cpu.number_of_cores", "16"),
        ("platform.software.libraries.python.1", "numpy==1.15.40"),
        ("platform.software.libraries.python.2", "scipy==1.10"),
        ("research_goal.evaluation.reported_measures.1", "c_det_norm"),
        ("implementation.source.commit", "9548e6"),
        ("method.automatic", "no"),
    ]
    assert facts[2][2] == 7  # the line in the file, its marker counted
    assert problems == []


def test_toml_is_taken_as_it_stands():
    facts, problems = read(TOML, "run.toml")

    assert [fact[:2] for fact in facts] == [
        ("schema_version", "0.10"),
        ("tag", "osprey"),
        ("platform.hardware.cpu.number_of_cores", "16"),
        ("method.automatic", "true"),
        ("method.retrieval.1.name", "bm25"),
        ("research_goal.day", "2026-11-22"),
    ]
    assert problems == []


@pytest.mark.parametrize(
    ("path", "data", "said"),
    [
        ("run.yaml", b"actor: " + b"[" * 100_000, "run.yaml: E71"),
        (
            "run.yaml",
            b"actor:\n" + b"".join(b" " * depth + b"a:\n" for depth in range(1, 40)) + b" " * 41 + b"a: x",
            "run.yaml: E714 more than 10,000 facts, or nested more than 20 deep",
        ),
        ("run.yaml", b"actor: [" + b"x," * 10_001 + b"]", "run.yaml: E714 more than 10,000 facts"),
        ("run.toml", b"a = " + b"9" * 5000, "run.toml: E712 not a TOML file"),
        ("run.toml", b"\xff", "run.toml: E712 not UTF-8 text"),
    ],
)
def test_what_is_very_large_or_no_text_is_told(path, data, said):
    _, problems = read(data, path)

    assert str(problems[0]).startswith(said)
    assert problems[0].is_error


def test_a_component_that_the_schema_does_not_have_is_kept():
    facts, _ = read(b"plattform:\n  os: linux\nplatform2: x\nresources: {energy: 3}\n")

    assert [fact[0] for fact in facts] == ["plattform.os", "platform2", "resources.energy"]


def test_a_tag_of_yaml_builds_nothing():
    facts, problems = read(b"actor:\n  name: !!python/object/apply:os.system ['touch hacked']\n")

    assert [fact[:2] for fact in facts] == [("actor.name.1", "touch hacked")]
    assert problems == []
