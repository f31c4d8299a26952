"""Provenance of runs that is very large, or no text; as TOML and as YAML: fixtures/malformed/read.toml."""

import pytest

from tdtsql.errors import Problems
from tdtsql.load.run_metadata import read_run_metadata


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
    problems = Problems(path)
    read_run_metadata(data, problems)

    assert str(problems.found[0]).startswith(said)
    assert problems.found[0].is_error
