"""The composite action and the plain commands of docs/how-to/gate.md, run as they stand, without a network."""

import os
import re
import shutil
import subprocess
import sys

import pytest
import yaml
from click.testing import CliRunner
from gate_case import write_gate_bundle
from no_network import without_network, write_guard

from tdtsql.cli.main import cli
from places import ROOT

ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
PAGE = (ROOT / "docs" / "how-to" / "gate.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """Return a folder as a project has it: evaluation/bundle.toml with its files, and a public archive of what was
    before.
    """
    folder = tmp_path_factory.mktemp("project")
    bundle = write_gate_bundle(folder / "evaluation", "old")
    for arguments in (
        ["evaluate", str(bundle)],
        ["archive", "pack", str(folder / "evaluation" / "baseline.zip"), "--public"],
    ):
        result = CliRunner().invoke(cli, [*arguments, "--db", str(folder / "old.duckdb")])
        assert result.exit_code == 0, result.output
    (folder / "bin").mkdir()
    (folder / "bin" / "tdtsql").write_text(f'#!/bin/sh\nexec {sys.executable} -m tdtsql.cli.main "$@"\n')
    (folder / "bin" / "pip").write_text("#!/bin/sh\nexit 0\n")  # it is installed already, and there is no network
    for path in (folder / "bin").iterdir():
        path.chmod(0o755)
    write_guard(folder / "guard")
    return folder


@pytest.fixture
def project(checkout, tmp_path):
    return shutil.copytree(checkout, tmp_path / "project")


def run(project, script: str, environment: dict[str, str] | None = None) -> subprocess.CompletedProcess:
    """Run a script as a runner does, without a network."""
    outside = {name: value for name, value in os.environ.items() if name not in ("TDTSQL_DB", "TERM")}
    path = {"PATH": f"{project / 'bin'}:{os.environ['PATH']}", "PYTHONPATH": f"{project / 'guard'}:{ROOT}"}
    return subprocess.run(
        [*without_network(), "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
        cwd=project,
        capture_output=True,
        text=True,
        env=outside | path | (environment or {}),
    )


def run_action(project, **given: str) -> tuple[int, dict[str, str], str]:
    """Run the steps of the action as GitHub does; returns the exit code, the outputs and the job's summary."""
    inputs = {
        name: given.get(name.replace("-", "_"), declared.get("default")) for name, declared in ACTION["inputs"].items()
    }
    assert None not in inputs.values(), "a required input is not given"
    output, summary = project / "output", project / "summary"
    for path in (output, summary):
        path.write_text("")

    def filled(text: str) -> str:
        return re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda found: inputs[found[1]], text)

    code = 0
    for step in ACTION["runs"]["steps"]:
        assert step["shell"] == "bash"
        assert "${{" not in step["run"]  # inputs come by the environment, so none of them is a piece of the script
        condition = re.fullmatch(r"inputs\.([\w-]+) != ''", step.get("if", "inputs.run != ''"))
        if code == 0 and inputs[condition[1]]:
            done = run(
                project,
                step["run"],
                {name: filled(value) for name, value in step["env"].items()}
                | {"GITHUB_OUTPUT": str(output), "GITHUB_STEP_SUMMARY": str(summary)},
            )
            code = done.returncode
            assert "Traceback" not in done.stderr, done.stderr
    return code, dict(line.split("=", 1) for line in output.read_text().splitlines()), summary.read_text()


GIVEN = {
    "bundle": "evaluation/bundle.toml",
    "run": "system",
    "baseline": "evaluation/baseline.zip",
    "fail_if": "c_det_norm > +0.02\np_miss[*] > +0.3\n",
}


@pytest.mark.full
@pytest.mark.parametrize(("answer", "code", "verdict"), [("drop", 1, "failed"), ("noise", 0, "not failed")])
def test_the_action_runs_as_github_runs_it(project, answer, code, verdict):
    write_gate_bundle(project / "evaluation", answer)

    ended, outputs, summary = run_action(project, **GIVEN)

    assert (ended, outputs) == (code, {"verdict": verdict})
    assert f"### Evaluation gate: {verdict}" in summary
    assert {path.name for path in (project / "tdtsql-gate").iterdir()} == {"gate.md", "gate.json", "gate.xml"}


@pytest.mark.full
def test_an_input_is_never_a_piece_of_a_script(project):
    code, _, _ = run_action(project, **(GIVEN | {"run": '"; touch hacked; "'}))

    assert code != 0
    assert not (project / "hacked").exists()


@pytest.mark.full
def test_the_plain_commands_run_as_printed(project):
    [script] = re.findall(r"## Anywhere else.*?```console\n(.*?)```", PAGE, re.DOTALL)
    write_gate_bundle(project / "evaluation", "drop")

    done = run(project, script)

    assert done.returncode == 1, done.stderr
    assert "Evaluation gate: failed" in (project / "gate.md").read_text()
    assert (project / "gate.xml").is_file() and (project / "gate.json").is_file()


def test_the_workflow_of_the_page_gives_what_the_action_takes():
    [text] = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    [step] = [step for step in yaml.safe_load(text)["jobs"]["gate"]["steps"] if "tdtsql" in step.get("uses", "")]

    assert step["with"].keys() <= ACTION["inputs"].keys()
    assert {name for name, declared in ACTION["inputs"].items() if declared.get("required")} <= step["with"].keys()
