"""The documentation works as printed: its commands, SQL, Python, bundles and notebook run, the site builds without a
warning, and says what the code says.
"""

import csv
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from matplotlib.figure import Figure

import tdtsql
from tdtsql.errors import Problems
from tdtsql.definitions.catalogue import catalog
from tdtsql.load import settings as bundle
from tdtsql.store.profiles import shipped_profiles
from tdtsql.task import TASKS
from tdtsql.tasks.declaration import WRITTEN_AS
from places import ROOT

DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

sys.path.insert(0, str(DOCS / "site"))

import build  # noqa: E402
import notebook  # noqa: E402
import pages as made  # noqa: E402


def blocks(path: Path, *languages: str) -> list[tuple[str, str]]:
    return [
        (language, text) for language, text in FENCE.findall(path.read_text(encoding="utf-8")) if language in languages
    ]


def page_id(path: Path) -> str:
    return path.relative_to(DOCS).with_suffix("").as_posix()


#: pages whose SQL runs on the example; on the others SQL shows syntax, or needs a server
QUERIED = ("tutorial", "how-to/sql")
RUN = [
    path
    for path in PAGES
    if blocks(path, "sh", "python")
    and page_id(path) not in ("how-to/metric-version", "spark")  # a test of its own; needs a cluster
]


def test_what_is_run():
    assert {page_id(path) for path in RUN} >= {"install", "tutorial", "coming-from/trec_eval", "tasks/clusterings"}
    assert sum(page_id(path).startswith("how-to/") for path in RUN) >= 7
    assert sum(text.count("tdtsql ") for path in RUN for _, text in blocks(path, "sh")) > 80


def lines_of(text: str) -> set[str]:
    return {line.strip() for line in text.splitlines()}


@pytest.mark.full
@pytest.mark.parametrize("path", RUN, ids=page_id)
def test_a_page_works_as_printed_from_top_to_bottom(path, example_store, tmp_path, monkeypatch):
    """Commands run in a shell, Python in one process per page, queries on the example; output is as printed."""
    monkeypatch.chdir(tmp_path)
    text = path.read_text(encoding="utf-8")
    if "--db example.duckdb" in text and "evaluate example/bundle.toml" not in text:
        shutil.copy(example_store, tmp_path / "example.duckdb")
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    environment["COLUMNS"] = "200"
    names: dict = {}
    printed: set[str] = set()
    for language, text in blocks(path, "sh", "python", "sql", "text", "toml"):
        if language == "sh":
            done = subprocess.run(
                ["bash", "-euo", "pipefail", "-c", text], env=environment, capture_output=True, text=True
            )
            assert done.returncode == 0, f"{text}\n{done.stdout}{done.stderr}"
            printed |= lines_of(done.stdout + done.stderr)
        elif language == "python":
            exec(compile(text, page_id(path), "exec"), names)
        elif language == "sql" and page_id(path) in QUERIED:
            with tdtsql.connect("example.duckdb", read_only=True) as store:
                assert store.sql(text).fetchall(), text
            (tmp_path / "query.sql").write_text(text)
            done = subprocess.run(
                ["bash", "-c", 'tdtsql sql query "$(cat query.sql)" --db example.duckdb'],
                env=environment,
                capture_output=True,
                text=True,
            )
            printed |= lines_of(done.stdout)
        elif (
            language == "toml"
            and not (tmp_path / "bundle.toml").exists()
            and "bundle.toml`:" in path.read_text("utf-8")
        ):
            (tmp_path / "bundle.toml").write_text(text)
        elif language == "text":
            printed |= {line for file in tmp_path.glob("teams/*.txt") for line in lines_of(file.read_text())}
            missing = lines_of(text) - printed - {"...", ""}
            assert not missing, f"{page_id(path)}: these lines are not in the output: {missing}"
    if page_id(path) == "how-to/track":
        check_shared_task_guide(path, tmp_path)


def check_shared_task_guide(path: Path, folder: Path) -> None:
    """Check that four of eight submissions are stored, each of the twelve mistakes is reported, and the second archive
    differs only by its judgments.
    """
    reports = {
        team: (folder / "teams" / f"{team}.txt").read_text()
        for team in ("aster", "birch", "cedar", "dogwood", "elm", "fir", "gorse", "holly")
    }
    mistakes = {
        "elm": ["E310", "E308", "E308", "E314"],
        "fir": ["E305", "E820", "W823"],
        "gorse": ["E302", "E302"],
        "holly": ["E300", "E304", "E304"],
    }

    for team, text in reports.items():
        assert sorted(re.findall(r" ([EW]\d{3}) ", text)) == sorted(mistakes.get(team, []))
    [shown] = [text for language, text in blocks(path, "text") if "E310" in text]
    assert reports["elm"] == shown
    with tdtsql.connect(folder / "track.duckdb", read_only=True) as store:
        runs = {
            run
            for [run] in store.sql(
                "select run_id from registry.run join registry.condition using (condition_no) where condition_id = "
                "'trk-any-1'"
            ).fetchall()
        }
        assert runs == {"osprey", "sparrow", "aster", "birch", "cedar", "dogwood"}
        effect = (
            store.ask("judgment_changes", condition="trk-any-1", metric="c_det_norm")
            .project("run_id, weighting, difference")
            .fetchall()
        )
        # the story becomes a target: for those who reported it the cost falls, for sparrow, which did not, it rises
        assert {(run, difference < 0) for run, weighting, difference in effect if weighting == "topic"} == {
            (run, run != "sparrow") for run in runs
        }
    with (folder / "drift.csv").open() as lines:
        drifted = list(csv.DictReader(lines))
    assert {(row["condition_id"].endswith("+judgments_2"), row["reason"]) for row in drifted} == {(True, "only here")}
    assert (folder / "page.html").stat().st_size > 100_000 and (folder / "second.zip").is_file()


@pytest.mark.parametrize("path", [path for path in PAGES if blocks(path, "toml")], ids=page_id)
def test_a_bundle_is_one(path):
    for _, text in blocks(path, "toml"):
        table = tomllib.loads(text)
        problems = Problems("bundle.toml")
        if "corpus" in table:  # the others are of other kinds
            bundle.check_bundle(table, problems, text)
        assert not problems.found, [str(problem) for problem in problems.found]


# ---- what the pages say of the code


def test_every_key_of_a_bundle_is_explained_with_its_kind():
    text = (DOCS / "reference" / "bundle.md").read_text(encoding="utf-8")
    parts = dict(
        zip(("Top", "corpus", "condition", "run"), re.split(r"^## .*$", text, flags=re.MULTILINE)[1:], strict=True)
    )
    others = [task for name, task in TASKS.items() if name != "items"]  # whose keys are in its guide
    for name, known in {
        "Top": bundle.TOP,
        "corpus": bundle.CORPUS,
        "condition": {key: kind for task in others for key, kind in task.condition_keys.items()},
        "run": bundle.RUN | {key: kind for task in others for key, kind in task.run_keys.items()},
    }.items():
        known = {key: WRITTEN_AS.get(kind, kind) for key, kind in known.items()}
        assert dict(re.findall(r"^\| `(\w+)` \| ([\w ]+) \|", parts[name], re.MULTILINE)) == known, (
            f"docs/reference/bundle.md: {name}"
        )


def test_every_code_is_explained_in_the_same_words():
    codes = made.found_codes()

    assert len(codes) > 250
    assert {code: where for code, where in codes.items() if len({meaning for _, meaning in where}) != 1} == {}
    page = made.errors()
    assert all(f"`{code}`" in page for code in codes)
    assert "[`E208`]{#e208} | a score that is not a number, NaN included |" in page


def test_every_format_is_shown_with_a_line_of_a_file():
    page = made.formats()
    readers = {path.stem for path in made.readers() if made.documented(path)[2]} - made.SHARED

    assert set(made.EXAMPLES) <= readers
    assert sum(map(len, made.EXAMPLES.values())) == 14
    assert all(file in page for files in made.EXAMPLES.values() for file, _ in files)
    assert "<system> <yes|no: were boundaries given> <Nt> <topic> <recid|time|docno>" in page and "70001" in page


def test_every_view_profile_table_and_command_has_its_place():
    found = made.pages()
    metrics = "".join(text for path, text in found.items() if path.startswith("reference/metrics/"))

    for relation in catalog().values():
        assert (
            f"({relation.name.replace('.', '-').replace('_', '-')})=" in metrics and relation.plain.rstrip() in metrics
        )
    assert all(f"## {name}\n" in found["reference/profiles.md"] for name in shipped_profiles())
    assert "| `c_fa` | `0.1` | tables 3, 6 and 9 |" in found["reference/profiles.md"]
    assert "## tdtsql ask" in found["reference/commands.md"] and "## Store.add_condition" in found[
        "reference/python.md"
    ].replace("\\_", "_")
    assert "| `p_miss` | topic | Miss probability | lowest |" in found["reference/metric-ids.md"]


# ---- the notebook


@pytest.mark.full
def test_the_notebook_runs_and_says_what_it_should(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    shown = [
        notebook.run(text, names)
        for kind, text in notebook.cells(DOCS / "notebook" / "five_systems.ipynb")
        if kind == "code"
    ]
    _, *own = [
        text for kind, text in notebook.cells(DOCS / "notebook" / "five_systems.ipynb") if kind == "code"
    ]  # the first cell makes the frames up

    assert len([line for text in own for line in text.splitlines() if line.strip()]) <= 20
    assert "anchor, beacon, cutter, drifter, eddy" in shown[2][1]._repr_html_()
    table = shown[3][1]
    assert (
        list(table.index) == ["anchor", "beacon", "cutter", "drifter", "eddy"]
        and table.loc["cutter", "c_det_norm"] > 2 * table.loc["cutter", "min_c_det_norm"]
    )
    # the same number by hand: misses of each topic over its targets, then the mean over topics
    truth = names["judgments"].assign(on=True).merge(names["systems"]["drifter"], how="right")
    on = truth[truth.on.notna()]
    assert table.loc["drifter", "p_miss"] == pytest.approx((~on.decision).groupby(on.topic_id).mean().mean(), abs=1e-4)
    assert isinstance(shown[6][1], Figure)
    assert "<table>" in shown[7][1]._repr_html_() and shown[8][0].count("\\\\") >= 6 and "\\toprule" in shown[8][0]
    assert shown[9][1] is True and shown[9][0].startswith("c_det_norm:v1|w:topic|")


# ---- the site


@pytest.mark.full
def test_the_site_builds_without_a_warning_and_fetches_nothing(tmp_path):
    done = subprocess.run(
        [sys.executable, str(DOCS / "site" / "build.py"), str(tmp_path / "site")], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]

    html = {
        path.relative_to(tmp_path / "site").as_posix(): path.read_text(encoding="utf-8")
        for path in (tmp_path / "site").rglob("*.html")
    }
    assert len(html) > 35 and "reference/metrics/detection.html" in html and "notebook/five_systems.html" in html
    for name, text in html.items():
        fetched = re.findall(r"<(?:script|img|iframe|source)\b[^>]*\bsrc=\"([^\"]+)\"", text) + re.findall(
            r"<link\b[^>]*rel=\"(?:stylesheet|icon|preload|preconnect)\"[^>]*href=\"([^\"]+)\"", text
        )
        assert fetched and not [address for address in fetched if re.match(r"(?:\w+:)?//", address)], name
    for path in (tmp_path / "site" / "_static").rglob("*.css"):
        assert not re.findall(r"@import|url\([\"']?(?:https?:)?//", path.read_text(encoding="utf-8")), path.name
    assert "<math>" in html["reference/metrics/detection.html"] and "Search" in html["index.html"]
    assert (tmp_path / "site" / "searchindex.js").stat().st_size > 100_000
    excerpts = (tmp_path / "site" / "_static" / "excerpts.js").read_text(encoding="utf-8")
    assert "how-to/compare.html" in excerpts and "paired randomisation test" in excerpts
    assert "_static/excerpts.js" in (tmp_path / "site" / "search.html").read_text(encoding="utf-8")


@pytest.mark.full
def test_the_checkout_stays_as_it_is(tmp_path):
    build.write_sources(tmp_path / "source")

    assert (tmp_path / "source" / "reference" / "errors.md").is_file() and not (
        DOCS / "reference" / "errors.md"
    ).exists()
