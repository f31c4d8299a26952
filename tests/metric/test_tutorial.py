"""The commands of docs/how-to/metric-version.md run unchanged in a copy of the package; a store of a release is opened
by the next.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT

PAGE = (ROOT / "docs" / "how-to" / "metric-version.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)


class Copy:
    """A copy of the checkout, with commands that run from it."""

    def __init__(self, folder: Path):
        self.folder = folder
        for name in ("tdtsql", "sql", "fixtures/example"):
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        (folder / "bin").mkdir()
        for name, module in (("tdtsql", "-m tdtsql "), ("python", "")):
            (folder / "bin" / name).write_text(f'#!/bin/sh\nexec {sys.executable} {module}"$@"\n')
            (folder / "bin" / name).chmod(0o755)

    def run(self, script: str, code: int = 0) -> str:
        environment = os.environ | {
            "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}",
            "PYTHONPATH": str(self.folder),
        }
        done = subprocess.run(
            ["bash", "-eo", "pipefail", "-c", script], cwd=self.folder, env=environment, capture_output=True, text=True
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + (done.stderr if code else "")


@pytest.fixture(scope="module")
def walked(tmp_path_factory):
    """Return the copy after all commands of the page, and what each block printed."""
    copy = Copy(tmp_path_factory.mktemp("tutorial"))
    return copy, [copy.run(block) for block in BLOCKS]


@pytest.mark.full
def test_the_commands_of_the_page_run_and_say_what_it_says(walked):
    copy, printed = walked
    assert len(BLOCKS) == 5
    assert "metric.detection_utility_mean__v2" in printed[2] and " new " in printed[2]
    assert "added    count(case when topic.utility_norm is not null then topic.utility end) as n_block," in printed[2]
    assert "status:   superseded by utility_mean__v2" in (copy.folder / "shown.sql").read_text()
    assert (
        "status:   differs from utility_mean__v1: utility too is over the topics with targets"
        in (copy.folder / "sql/metric/detection/utility_mean__v2.sql").read_text()
    )


@pytest.mark.full
def test_the_lock_took_the_new_one_and_keeps_the_released(walked):
    copy, _ = walked
    lock = (copy.folder / "sql" / "versions.lock").read_text()
    assert (
        "metric.detection_utility_mean__v1 0.2.0 " in lock and "metric.detection_utility_mean__v2 unreleased " in lock
    )
    path = copy.folder / "sql/metric/detection/utility_mean__v1.sql"
    good = path.read_text()
    path.write_text(good.replace("exact_mean(topic.utility_scaled)", "exact_mean(topic.utility_norm)"))
    assert "metric.detection_utility_mean__v1 was released in 0.2.0 and its SQL changed" in copy.run(
        "tdtsql run list --db store.duckdb", code=1
    )
    path.write_text(good)
