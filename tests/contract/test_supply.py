"""What is delivered: the same bytes each time, with licences, without copyleft, and without a use of the network."""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile

import pytest
from click.testing import CliRunner
from no_network import without_network, write_guard

import tdtsql
from tdtsql.cli.main import cli
from places import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

#: words of licences that ask something of those who pass the whole on
COPYLEFT = re.compile(r"\b(?:[AL]?GPL|GNU|EPL|Eclipse|MPL|Mozilla|CDDL|EUPL|OSL|CC-BY-SA|SSPL|BUSL)", re.IGNORECASE)
PERMISSIVE = re.compile(r"MIT|BSD|0BSD|Apache|ISC|PSF|Python Software Foundation|Zlib|CC0|Unlicense", re.IGNORECASE)


def script(name):
    """Return a script of .ci as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / ".ci" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# ---- versions


def test_the_long_version_names_engine_and_definitions(example_store):
    lines = dict(
        line.split(" ", 1) for line in CliRunner().invoke(cli, ["--version", "--long"]).output.splitlines()[1:]
    )

    assert lines["engine"].startswith("DuckDB ")
    with tdtsql.connect(example_store, read_only=True) as store:
        assert store.sql("select value from registry.made_with where item = 'definitions'").fetchall() == [
            (lines["definitions"],)
        ]
    assert re.fullmatch(r"\d+ definitions, (none released|released in [\d., ]+)(, \d+ unreleased)?", lines["lock"])
    assert lines["python"].startswith(f"{sys.version_info.major}.{sys.version_info.minor}.")


def test_the_short_version_is_one_line():
    assert CliRunner().invoke(cli, ["--version"]).output == f"tdtsql, version {tdtsql.__version__}\n"
    assert CliRunner().invoke(cli, ["--long", "--version"]).output.splitlines()[1].startswith("engine ")
    result = CliRunner().invoke(cli, ["--long"])
    assert (result.exit_code, "--long belongs to --version" in result.output) == (2, True)


def test_the_version_has_one_source():
    """CITATION.cff has a copy, which tests/store/test_citation.py compares."""
    hatch = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]

    assert (PROJECT["dynamic"], hatch["version"]) == (["version"], {"path": "tdtsql/version.py"})
    assert "version" not in PROJECT


def test_the_classifiers_name_versions_of_python_that_ci_tries():
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    tried = re.search(r"^for version in ((?:3\.\d+ ?)+);", script, re.MULTILINE)[1].split()
    named = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))

    assert named
    assert set(named) <= set(tried)


# ---- licences


def test_no_dependency_of_the_core_is_under_a_copyleft_licence():
    sbom = script("sbom")
    for name, dist in sbom.closure("tdtsql").items():
        said = sbom.licences(dist)
        assert said, f"{name}: says nothing of its licence"
        assert any(PERMISSIVE.search(text) for text in said), f"{name}: {said}"
        assert not any(COPYLEFT.search(text) for text in said), (
            f"{name}: {said}; a permissive one in its place, or our own"
        )


def test_the_words_of_licences_are_told_apart():
    """grandalf's, which the layout of hierarchies had, and those of today."""
    assert (
        COPYLEFT.search("GNU General Public License v2 (GPLv2)")
        and COPYLEFT.search("LGPL-3.0-or-later")
        and COPYLEFT.search("EPL-1.0")
    )
    assert not COPYLEFT.search("BSD-3-Clause AND 0BSD AND MIT AND Zlib AND CC0-1.0") and not COPYLEFT.search(
        "Python Software Foundation License"
    )


def test_the_bill_of_materials_has_all_that_is_imported_and_bundled():
    sbom = script("sbom")
    bill = sbom.bill()
    parts = {part["name"]: part for part in bill["components"]}

    assert (bill["bomFormat"], bill["specVersion"], bill["metadata"]["component"]["name"]) == (
        "CycloneDX",
        "1.6",
        "tdtsql",
    )
    assert {sbom.name_of(re.split(r"[<>=\[]", entry)[0]) for entry in PROJECT["dependencies"]} <= parts.keys()
    assert all(part["licenses"] and part["version"] for part in parts.values())
    references = {bill["metadata"]["component"]["bom-ref"], *(part["bom-ref"] for part in parts.values())}
    assert {edge for entry in bill["dependencies"] for edge in (entry["ref"], *entry["dependsOn"])} <= references
    assert json.dumps(bill) == json.dumps(sbom.bill())


def test_every_bundled_file_of_others_has_its_licence_beside_it():
    sbom = script("sbom")
    for path, name, *_ in sbom.BUNDLED:
        assert (ROOT / "tdtsql" / path).with_name(f"{name}.LICENSE").is_file()
    minified = {path.relative_to(ROOT / "tdtsql").as_posix() for path in (ROOT / "tdtsql").rglob("*.min.*")}
    assert minified == {path for path, *_ in sbom.BUNDLED}


# ---- lower bounds


def test_every_dependency_has_a_lower_bound_and_an_upper_one_only_with_a_reason():
    pins = script("lowest").lowest(PROJECT, list(PROJECT["optional-dependencies"]))

    assert {"duckdb==2.0.1", "click==8.2.1"} <= set(pins)
    assert len(pins) >= len(PROJECT["dependencies"])
    bounded = [entry for entry in PROJECT["dependencies"] if "<" in entry]
    assert {re.split(r"[<>=]", entry)[0] for entry in bounded} == {"duckdb", "sqlglot"}


# ---- the files that are delivered

IGNORED = ".git .venv __pycache__ *.egg-info .hypothesis .pytest_cache .mypy_cache .ruff_cache dist build".split()


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Return two folders with a wheel and an sdist each, built from two copies of the checkout at two times."""
    pytest.importorskip("hatchling", reason="the backend that builds; .ci/run installs it")
    folders = []
    for number in range(2):
        copy = tmp_path_factory.mktemp(f"copy{number}") / "tdtsql"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*IGNORED))
        if number:
            for path in copy.rglob("*"):  # another time, other rights
                os.utime(path, (1_000_000_000, 1_000_000_000))
        out = copy.parent / "out"
        done = subprocess.run(
            [sys.executable, "-m", "hatchling", "build", "-d", str(out)],
            cwd=copy,
            capture_output=True,
            text=True,
            env=os.environ
            | {"SOURCE_DATE_EPOCH": "1767225600", "TZ": ("UTC", "Asia/Tokyo")[number], "PYTHONHASHSEED": str(number)},
        )
        assert done.returncode == 0, done.stderr
        folders.append(out)
    return folders


@pytest.mark.full
def test_wheel_and_sdist_are_the_same_bytes_each_time(built):
    names = sorted(path.name for path in built[0].iterdir())

    assert names == [f"tdtsql-{tdtsql.__version__}-py3-none-any.whl", f"tdtsql-{tdtsql.__version__}.tar.gz"]
    for name in names:
        assert (built[0] / name).read_bytes() == (built[1] / name).read_bytes(), name


@pytest.mark.full
def test_the_wheel_has_definitions_example_and_licences(built):
    [wheel] = built[0].glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()

    assert {"tdtsql/sql/versions.lock", "tdtsql/example/bundle.toml", "tdtsql/py.typed"} <= set(names)
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)
    n_definition = len([path for path in (ROOT / "sql").rglob("*") if path.suffix in (".sql", ".toml", ".lock")])
    assert (
        len([name for name in names if name.startswith("tdtsql/sql/") and name.endswith((".sql", ".toml", ".lock"))])
        == n_definition
    )
    with tarfile.open(next(built[0].glob("*.tar.gz"))) as sdist:
        files = {name.split("/", 1)[1] for name in sdist.getnames() if "/" in name}
    assert {*"LICENSE pyproject.toml action.yml CITATION.cff docs/how-to/gate.md sql/versions.lock".split()} <= files


# ---- the network


RUN = """
import sys
from tdtsql.cli.main import main
for line in {lines!r}:
    sys.argv = ["tdtsql", *line]
    try:
        main()
    except SystemExit as stop:
        assert not stop.code, (line, stop.code)
    finally:
        import signal
        signal.set_wakeup_fd(-1)
"""

#: a way through the program: everything that loads, computes, draws, packs and compares
LINES = (
    ("evaluate", "example/bundle.toml", "--db", "x.duckdb", "--report", "out.html"),
    ("score", "osprey", "--distributions", "--condition", "trk-eng-1", "--db", "x.duckdb"),
    ("compare", "osprey", "kestrel", "--condition", "trk-eng-1", "--profile", "tdt2004", "--db", "x.duckdb"),
    ("archive", "pack", "x.zip", "--tag", "x", "--db", "x.duckdb"),
    ("archive", "verify", "x.zip"),
    ("archive", "diff", "x.zip", "x.zip"),
    ("gate", "osprey", "x.zip", "--fail-if", "c_det_norm > +0.02", "--db", "x.duckdb"),
    ("plot", "hierarchy", "-o", "best.svg", "osprey", "70001", "--condition", "htd-mul", "--db", "x.duckdb"),
    ("export", "exported", "--db", "x.duckdb"),
    ("ledger", "verify", "--db", "x.duckdb"),
    ("audit", "--db", "x.duckdb"),
    ("sql", "query", "select 1", "--db", "x.duckdb"),
    ("metric", "show", "p_miss"),
    ("metric", "lineage", "c_det_norm", "--task", "tracking", "--output", "l.svg"),
    ("--version", "--long"),
)


@pytest.fixture(scope="module")
def watched(tmp_path_factory):
    """Run the program with a guard in Python, no route where the system lets us take it away, and strace where it is;
    returns (process, trace).
    """
    folder = tmp_path_factory.mktemp("network")
    shutil.copytree(ROOT / "fixtures" / "example", folder / "example")
    trace = folder / "trace"
    strace = []
    for quick in (
        (["--seccomp-bpf"], []) if shutil.which("strace") else ()
    ):  # newer ones need not stop at every call of the system
        asked = ["strace", "-f", *quick, "-qq", "-e", "trace=%network", "-o", str(trace)]
        if not strace and subprocess.run([*asked, "true"], capture_output=True).returncode == 0:
            strace = asked
    done = subprocess.run(
        [*without_network(), *strace, sys.executable, "-c", RUN.format(lines=LINES)],
        cwd=folder,
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": f"{write_guard(folder / 'guard')}:{ROOT}"},
    )
    return done, trace.read_text() if strace and trace.exists() else None


@pytest.mark.full
def test_nothing_uses_the_network_at_run_time(watched):
    done, _ = watched

    assert done.returncode == 0, done.stderr[-3000:]
    assert "the network is used" not in done.stderr


@pytest.mark.full
def test_the_engine_asks_for_no_network_either(watched):
    """Calls of the system, so what the engine would do in its own code: sockets of the internet are not even made."""
    done, trace = watched
    if trace is None:
        pytest.skip("strace is not here, or may not trace")
    assert done.returncode == 0
    assert not [line for line in trace.splitlines() if "AF_INET" in line][:3]


def test_the_engine_fetches_no_extension():
    with tdtsql.connect(":memory:") as store:
        assert store.engine.rows(
            "select current_setting('autoinstall_known_extensions'), current_setting('autoload_known_extensions')"
        ) == [(False, False)]
