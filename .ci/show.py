"""What a release must show, from nothing: the wheel in fresh environments of two people, an evaluation, the gate,
archives.

    python .ci/show.py                 build the wheel, and install it with its dependencies from the package index
    python .ci/show.py --wheel FILE    take this wheel
    python .ci/show.py --offline       dependencies as they lie in the environment of this Python: no network is needed

Prints a line for each thing shown, and ends with 1 at the first that is not.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))

from gate_case import write_gate_bundle  # noqa: E402 - from where it lies in a checkout

RULE = "c_det_norm > +0.02"


class Person:
    """Somebody with an environment and a folder of their own."""

    def __init__(self, name: str, work: Path, wheel: Path, offline: bool):
        self.folder = work / name
        self.folder.mkdir()
        environment = work / f"{name}-environment"
        venv.create(environment, with_pip=True)
        python = environment / "bin" / "python"
        options = ["--no-deps", "--no-index"] if offline else []
        self._done([str(python), "-m", "pip", "install", "-q", *options, str(wheel)], 0)
        if offline:  # what is installed here, behind what is installed there
            [site] = (environment / "lib").glob("python*/site-packages")
            (site / "dependencies.pth").write_text(
                "\n".join(path for path in sys.path if path.endswith("-packages")) + "\n"
            )
        self.program = environment / "bin" / "tdtsql"
        where = self._done([str(python), "-c", "import tdtsql; print(tdtsql.__file__)"], 0)
        shown(f"{name} runs the wheel", where.startswith(str(environment)), where)

    def tdtsql(self, *arguments: object, code: int = 0) -> str:
        """Run a command in the person's folder; returns what it printed."""
        return self._done([str(self.program), *map(str, arguments)], code)

    def _done(self, line: list[str], code: int) -> str:
        clean = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "TDTSQL_DB")}
        done = subprocess.run(
            line,
            check=False,
            cwd=self.folder,
            capture_output=True,
            text=True,
            env=clean | {"XDG_CACHE_HOME": str(self.folder / "cache")},
        )
        if done.returncode != code:
            raise SystemExit(
                f"NOT SHOWN: {' '.join(line)}\nended with {done.returncode}, expected "
                f"{code}\n{done.stdout}{done.stderr}"
            )
        return done.stdout + done.stderr


def shown(what: str, is_so: bool = True, seen: str = "") -> None:
    """Print one line, or end where it is not so."""
    if not is_so:
        raise SystemExit(f"NOT SHOWN: {what}\n{seen}")
    print(f"shown: {what}", flush=True)


def build(work: Path) -> Path:
    """Build the wheel of this checkout."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(work / "dist")],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    [wheel] = (work / "dist").glob("*.whl")
    return wheel


def tampered(archive: Path, name: str, out: Path) -> Path:
    """Write an archive in which one byte of one file is another."""
    data = bytearray(archive.read_bytes())
    with zipfile.ZipFile(archive) as packed:
        entry = packed.getinfo(name)
    data[entry.header_offset + 30 + len(name) + entry.file_size // 2] ^= 1
    out.write_bytes(data)
    return out


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--wheel", type=Path)
    parser.add_argument("--offline", action="store_true")
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        wheel = asked.wheel.resolve() if asked.wheel else build(work)
        one, other = Person("one", work, wheel, asked.offline), Person("other", work, wheel, asked.offline)
        said = one.tdtsql("--version", "--long")
        shown(f"{wheel.name} installs in a fresh environment: {' '.join(said.split()[:3])}", "definitions " in said)

        one.tdtsql("example", "example")
        said = one.tdtsql("evaluate", "example/bundle.toml", "--db", "example.duckdb")
        shown("the example is evaluated: 29 runs are scored", "Scored 29 runs" in said, said)

        for person in (one, other):
            person.tdtsql("evaluate", write_gate_bundle(person.folder / "old", "old"), "--db", "old.duckdb")
            person.tdtsql("archive", "pack", "old.zip", "--tag", "old", "--db", "old.duckdb")
            person.tdtsql("archive", "pack", "public.zip", "--public", "--db", "old.duckdb")
        for name in ("old.zip", "public.zip"):
            shown(
                f"two people's {name} are the same bytes",
                (one.folder / name).read_bytes() == (other.folder / name).read_bytes(),
            )
        shown(
            "the other one computes every number of it again",
            "recomputed, 0 differences" in other.tdtsql("archive", "verify", one.folder / "old.zip"),
        )
        shown(
            "and of the public one as far as it reaches",
            "were recomputed from the counts of topics" in other.tdtsql("archive", "verify", one.folder / "public.zip"),
        )

        for answer, code, what in (("drop", 1, "failed"), ("noise", 0, "is not below 0.05")):
            one.tdtsql("evaluate", write_gate_bundle(one.folder / answer, answer), "--db", f"{answer}.duckdb")
            for baseline in ("old.zip", "public.zip"):
                said = one.tdtsql(
                    "gate",
                    "system",
                    baseline,
                    "--fail-if",
                    RULE,
                    "--db",
                    f"{answer}.duckdb",
                    "--junit",
                    f"{answer}.xml",
                    code=code,
                )
                shown(
                    f"a run that is worse by 0.25 ({answer}) against {baseline}: exit {code}",
                    what in said and "0.25" in said and (one.folder / f"{answer}.xml").is_file(),
                    said,
                )
        one.tdtsql("evaluate", write_gate_bundle(one.folder / "fewer", "old", n_topic=9), "--db", "fewer.duckdb")
        said = one.tdtsql("gate", "system", "old.zip", "--fail-if", RULE, "--db", "fewer.duckdb")
        shown(
            "a missing topic is said: exit 0", "the new run has no number on T9, which the baseline has" in said, said
        )

        for name in ("table/base.decision.parquet", "table/ledger.result_score.parquet"):
            said = other.tdtsql(
                "archive", "verify", tampered(one.folder / "old.zip", name, other.folder / "tampered.zip"), code=1
            )
            shown(f"a tampered {name} is named", f"tampered.zip: {name} " in said, said)
            said = other.tdtsql("gate", "system", "tampered.zip", "--fail-if", RULE, "--db", "old.duckdb", code=1)
            shown("and is no baseline", f"tampered.zip: {name} " in said, said)
        said = other.tdtsql("archive", "diff", one.folder / "old.zip", "public.zip")
        shown("the whole archive and the public one have the same numbers", "number" not in said, said)


if __name__ == "__main__":
    main(sys.argv[1:])
