"""Bundles of fixtures/ with something wrong in one or two of their files, for `tdtsql evaluate --check`."""

import shutil
import tomllib
from pathlib import Path
from random import Random

import click

from bundle_file import write_bundle
from spoiling import FIXTURES, spoilt
from tdtsql.cli.main import cli
from tdtsql.errors import TdtsqlError


def check_bundle(path: Path) -> None:
    """Call `tdtsql evaluate --check` in this process: what it refuses in a sentence is well, any other exception is
    raised.
    """
    try:
        cli.main(["evaluate", "--check", str(path)], standalone_mode=False)
    except (TdtsqlError, click.ClickException) as error:
        assert str(error)


class Bundles:
    """Copies of the bundles of fixtures/: one file is malformed, the bundle checked and the file restored.

    The example is split into one bundle per condition, so that a check takes half a second; those of
    fixtures/malformed have a defect already and get another.
    """

    def __init__(self, folder: Path):
        for name in ("example", "filtering"):
            shutil.copytree(FIXTURES / name, folder / name)
        shutil.copytree(FIXTURES / "malformed" / "bundle", folder / "malformed")
        whole = folder / "example" / "bundle.toml"
        table = tomllib.loads(whole.read_text(encoding="utf-8"))
        whole.unlink()
        good = [folder / "filtering" / "bundle.toml"]
        for condition in table["condition"]:
            # the source files of a condition of tables are those of another's index
            conditions = [condition] if "training" not in condition else [table["condition"][0], condition]
            runs = [run for run in table["run"] if run["condition"] == condition["id"]]
            path = write_bundle(whole.parent, corpus=table["corpus"], conditions=conditions, runs=runs)
            good.append(path.rename(path.with_name(f"{condition['id']}.toml")))
        malformed = sorted((folder / "malformed").glob("*/bundle.toml"))
        good += [path for path in malformed if path.parent.name.startswith(("base_", "accepted", "warn_"))]
        self.good, self.malformed = good, malformed
        self.files = {path: _files(path) for path in {*good, *malformed}}
        self.changed: dict[Path, bytes] = {}
        self.path = good[0]

    def spoil(self, chance: Random) -> bytes:
        """Spoil a file or two of a bundle; return what they hold now, each behind its path."""
        self.mend()
        self.path = chance.choice(self.malformed if chance.randint(0, 3) == 0 else self.good)
        for _ in range(1 if chance.randint(0, 2) else 2):
            file = self.path if chance.randint(0, 3) == 0 else chance.choice(self.files[self.path])
            data = file.read_bytes()
            self.changed.setdefault(file, data)
            file.write_bytes(spoilt(data, chance))
        return b"".join(f"== {file}, of {self.path}\n".encode() + file.read_bytes() for file in self.changed)

    def check(self) -> None:
        """Check the bundle, and mend it."""
        try:
            check_bundle(self.path)
        finally:
            self.mend()

    def mend(self) -> None:
        """Restore the content of every malformed file."""
        while self.changed:
            file, data = self.changed.popitem()
            file.write_bytes(data)


def _files(bundle: Path) -> list[Path]:
    """Return the files that a bundle names, itself among them: by patterns, below a folder, in a control file."""
    found = {bundle}
    try:
        names = list(_texts(tomllib.loads(bundle.read_text(encoding="utf-8"))))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        return [bundle]
    for name in names:
        if name.strip("./*[]\n\0") and not name.startswith("/"):
            for path in bundle.parent.glob(name):
                found |= {path} if path.is_file() else {file for file in path.rglob("*") if file.is_file()}
    for path in [path for path in found if path.suffix == ".ctl"]:
        found |= {
            file for line in path.read_text(encoding="utf-8").splitlines() if (file := path.parent / line).is_file()
        }
    return sorted(found)


def _texts(value):
    """Yield every text in a TOML value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)
