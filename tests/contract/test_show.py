"""What a release must show (.ci/show.py), with the dependencies of this environment and without a network."""

import os
import subprocess
import sys

import pytest
from no_network import without_network, write_guard
from places import ROOT


@pytest.mark.full
def test_everything_is_shown_without_a_network(tmp_path):
    pytest.importorskip("hatchling", reason="the backend that builds; .ci/run installs it")

    done = subprocess.run(
        [*without_network(), sys.executable, str(ROOT / ".ci" / "show.py"), "--offline"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(write_guard(tmp_path / "guard")), "TMPDIR": str(tmp_path)},
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("shown: ") == 18
    assert "NOT SHOWN" not in done.stdout + done.stderr
