"""What once made a reader or `evaluate --check` raise, hang or take quadratic time: corpus/KIND/ is for a reader,
corpus/check/ has bundles.
"""

import time
from pathlib import Path

import pytest

from spoiling import check
from spoilt_bundles import check_bundle

CORPUS = Path(__file__).parent / "corpus"
FILES = sorted(path for path in CORPUS.glob("*/*") if path.is_file())


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_file_that_broke_its_reader_is_read_at_once(path):
    began = time.process_time()

    check(path.parent.name, path.read_bytes(), path.name)

    assert time.process_time() - began < 2


@pytest.mark.parametrize("path", sorted(CORPUS.glob("check/*/bundle.toml")), ids=lambda path: path.parent.name)
@pytest.mark.sample(2)
def test_a_bundle_that_broke_the_command_is_refused_or_read(path, monkeypatch, capsys):
    monkeypatch.chdir(path.parent)

    check_bundle(path)
