"""Build the documentation: ``python docs/site/build.py [FOLDER]`` writes a site that needs no network to look at.

Pages written by hand lie in ``docs``; those that follow from the code are made anew each time (pages.py), in a copy:
the checkout stays as it is.
"""

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).resolve().parent
DOCS = HERE.parent


def write_sources(folder: Path) -> None:
    """Write every page of the site, those made from the code too."""
    from notebook import as_markdown
    from pages import pages

    shutil.copytree(DOCS, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.ipynb", "__pycache__"))
    shutil.copy(DOCS.parent / "CONTRIBUTING.md", folder / "contributing.md")
    # what is beside docs/ in the checkout is named, and not linked, on the site
    text = (folder / "contributing.md").read_text(encoding="utf-8").replace("](docs/", "](")
    (folder / "contributing.md").write_text(text, encoding="utf-8")
    for path, text in {**pages(), **as_markdown()}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")


def build(out: Path, *, quiet: bool = False) -> int:
    """Build the site into ``out``; returns the exit code, 1 where Sphinx warns of anything."""
    from sphinx.cmd.build import main

    with TemporaryDirectory(prefix="tdtsql-docs-") as work:
        source, made = Path(work) / "source", Path(work) / "doctrees"
        write_sources(source)
        return main(
            [
                "-b",
                "html",
                "-W",
                "--keep-going",
                "-n",
                *(["-q"] if quiet else []),
                "-c",
                str(source / "site"),
                "-d",
                str(made),
                str(source),
                str(out),
            ]
        )


if __name__ == "__main__":
    sys.path.insert(0, str(HERE))
    sys.exit(build(Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS.parent / "site"))
