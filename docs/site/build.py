"""Build the documentation: ``python docs/site/build.py [FOLDER]`` writes a site that works without a network.

Pages written by hand are in ``docs``. Pages generated from the code (pages.py) are written to a copy; the checkout is
unchanged. ``docs/index.md`` lists every page once: its links are the table of contents of the site.
"""

import html
import json
import os
import re
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).resolve().parent
DOCS = HERE.parent
LINK = re.compile(r"\[([^\]]+)\]\((?!\w+:)([^)#\s]*)(#[\w-]+)?\)")
#: an entry of index.md for a generated page; links to `index.md#reference-NAME` lead to that page on the site
GENERATED = re.compile(r'<a id="reference-([\w-]+)"></a>([^:]+):')
#: files outside docs that the site includes, by their path in the checkout
INCLUDED = {"CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md"}
#: reads the text of pages from a script: a browser does not fetch other files of a site that was opened as a file
EXCERPTS = """
if (location.protocol === "file:") {
  const root = new URL(document.documentElement.dataset.content_root, location.href).href;
  window.fetch = (address) => {
    const name = new URL(address, location.href).href.replace(root, "").replace(/#.*/, "");
    return Promise.resolve({ text: () => Promise.resolve(PAGE_TEXT[name] || "") });
  };
}
"""


def generated_path(name: str) -> str:
    """Return the page of a generated entry of index.md."""
    return "reference/metrics/index.md" if name == "metrics" else f"reference/{name}.md"


def contents() -> dict[str, list[str]]:
    """Return the pages of the site by section, in the order of index.md, as paths below docs."""
    found: dict[str, list[str]] = {}
    for section in re.split(r"^## ", (DOCS / "index.md").read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        title, _, text = section.partition("\n")
        entries = re.findall(r"^\* (?:\[[^\]]+\]\(([^)#]+)\)|" + GENERATED.pattern + ")", text, re.MULTILINE)
        found[title] = [_site_path(path) if path else generated_path(name) for path, name, _ in entries]
    return found


def _site_path(path: str) -> str:
    """Return a path relative to docs/index.md as a path of the site."""
    return INCLUDED.get(path.removeprefix("../"), path).replace(".ipynb", ".md")


def on_site(text: str, page: str, source: Path) -> str:
    """Return a page with links that work on the site; links to files that the site does not include become code."""

    def link(found: re.Match) -> str:
        title, target, anchor = found[1], found[2], found[3] or ""
        full = os.path.relpath((source.parent / target).resolve(), DOCS.parent) if target else ""
        if anchor.startswith("#reference-") and full == "docs/index.md":
            path, anchor = generated_path(anchor.removeprefix("#reference-")), ""
        elif not target:
            return found[0]
        elif full in INCLUDED or full.startswith("docs/"):
            path = INCLUDED.get(full, full.removeprefix("docs/")).replace(".ipynb", ".md")
        else:
            return title if title.startswith("`") else f"{title} (`{full}`)"
        return f"[{title}]({os.path.relpath(path, os.path.dirname(page) or '.')}{anchor})"

    text = LINK.sub(link, text)
    if page != "index.md":
        return text
    text = GENERATED.sub(lambda found: f"[{found[2]}]({generated_path(found[1])}):", text)
    trees = (
        "```{{toctree}}\n:hidden:\n:caption: {}\n{}\n```\n".format(
            title, "\n".join(path.removesuffix(".md") for path in paths)
        )
        for title, paths in contents().items()
    )
    return text + "\n" + "\n".join(trees)


def write_sources(folder: Path) -> None:
    """Write every page of the site, the generated ones included."""
    from notebook import as_markdown
    from pages import pages

    shutil.copytree(DOCS, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.ipynb", "__pycache__"))
    written = {path.relative_to(DOCS).as_posix(): path for path in DOCS.rglob("*.md")}
    written |= {name: DOCS.parent / path for path, name in INCLUDED.items()}
    for page, source in written.items():
        (folder / page).write_text(on_site(source.read_text(encoding="utf-8"), page, source), encoding="utf-8")
    for path, text in {**pages(), **as_markdown()}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")


def add_excerpts(out: Path) -> None:
    """Give the search page the text of all pages, for the excerpts of its results."""
    texts = {}
    for path in out.rglob("*.html"):
        found = re.search(r'<article role="main"[^>]*>(.*?)</article>', path.read_text(encoding="utf-8"), re.DOTALL)
        if found:
            text = html.unescape(re.sub(r"<[^>]+>", " ", found[1]))
            texts[path.relative_to(out).as_posix()] = f'<div role="main">{html.escape(" ".join(text.split()))}</div>'
    script = f"const PAGE_TEXT = {json.dumps(texts)};\n{EXCERPTS}"
    (out / "_static" / "excerpts.js").write_text(script, encoding="utf-8")
    page = out / "search.html"
    text = page.read_text(encoding="utf-8")
    page.write_text(text.replace("</head>", '<script src="_static/excerpts.js"></script></head>', 1), encoding="utf-8")


def build(out: Path, *, quiet: bool = False) -> int:
    """Build the site into ``out``; returns the exit code, 1 if Sphinx issues a warning."""
    from sphinx.cmd.build import main

    with TemporaryDirectory(prefix="tdtsql-docs-") as work:
        source, doctrees = Path(work) / "source", Path(work) / "doctrees"
        write_sources(source)
        strict = ["-W", "--keep-going", "-n", *(["-q"] if quiet else [])]
        status = main(["-b", "html", *strict, "-c", str(source / "site"), "-d", str(doctrees), str(source), str(out)])
        if not status:
            add_excerpts(out)
        return status


if __name__ == "__main__":
    sys.path.insert(0, str(HERE))
    sys.exit(build(Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS.parent / "site"))
