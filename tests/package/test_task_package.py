"""A task that another distribution brings: written, found, loaded, scored, archived, and shown where it is missing."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import venv
from dataclasses import replace
from itertools import islice
import warnings
from pathlib import Path

import duckdb
import lanes
import pytest

import tdtsql
from tdtsql.definitions import sets as installed
from record import ended
from tdtsql.errors import BrokenDefinition, InvalidSetting
from tdtsql.definitions import catalogue as metric_catalog
from report_page import data_of, rows_of
from tdtsql.show.report import report
from tdtsql.task import PACKAGES, TASKS
from tdtsql.testing import check_package, definitions_of, lock_folder, write_skeleton

PAIRS = [("p1", "a"), ("p2", "b"), ("p3", "tie"), ("p4", "a"), ("p5", "b")]


def _csv(rows) -> str:
    return "pair_id,answer\n" + "".join(f"{pair},{answer}\n" for pair, answer in rows)


def _forget() -> None:
    """Forget the packages that are in use in this process, and those that were found."""
    for task in list(installed.IN_USE):
        name = installed.IN_USE.pop(task).name
        TASKS.pop(task)
        PACKAGES.pop(task, None)
        metric_catalog._PACKAGES.pop(name)
    for clear in (*metric_catalog._CLEAR, installed.offered.cache_clear, installed._left_out.clear):
        clear()


@pytest.fixture(autouse=True)
def leave_no_package_in_use():
    """Packages that a test takes in use in this process are gone after it."""
    yield
    _forget()


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A folder of installed distributions that has the package `tdtsql-judge` 0.1.0."""
    folder = tmp_path_factory.mktemp("site")
    write_skeleton("judge", folder / "tdtsql-judge")
    _install(folder, "judge", folder / "tdtsql-judge")
    return folder


def _install(
    folder: Path, name: str, source: Path, requires: str = "tdtsql>=0.2.0.dev0,<0.3", version: str = "0.1.0"
) -> None:
    metadata = folder / f"tdtsql_{name}-{version}.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: tdtsql-{name}\nVersion: {version}\nRequires-Dist: {requires}\n"
    )
    (metadata / "entry_points.txt").write_text(f"[tdtsql.tasks]\n{name} = tdtsql_{name}:PACKAGE\n")
    shutil.copytree(source / "src" / f"tdtsql_{name}", folder / f"tdtsql_{name}")


def _process(folder, *words, tasks="", cwd=None):
    """Return (exit code, stdout, stderr) of the command line in an environment that has the folder's packages."""
    done = subprocess.run(
        [sys.executable, "-m", "tdtsql", *map(str, words)],
        env={"PYTHONPATH": str(folder), "TDTSQL_TASKS": tasks, "COLUMNS": "200", "HOME": str(cwd or folder)},
        capture_output=True, text=True, cwd=cwd,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


def _run(folder, *words, tasks="", cwd=None):
    """Return the same without another process: as in a new one, no package is in use or imported before."""
    imported = set(sys.modules)
    _forget()
    environment = {"TDTSQL_TASKS": tasks, "COLUMNS": "200", "HOME": str(cwd or folder), "TDTSQL_DB": None}
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        for name, value in environment.items():
            patch.delenv(name, raising=False) if value is None else patch.setenv(name, value)
        patch.syspath_prepend(folder)
        patch.chdir(cwd or Path.cwd())
        try:
            return ended(*words)
        finally:
            for name in sys.modules.keys() - imported:
                if name.split(".")[0].startswith("tdtsql_"):
                    del sys.modules[name]
            _forget()


@pytest.fixture(scope="module")
def evaluated(site, tmp_path_factory):
    """A folder with a bundle of five pairs, two runs, and the store made of them."""
    folder = tmp_path_factory.mktemp("evaluated")
    (folder / "key.csv").write_text(_csv(PAIRS))
    (folder / "same.csv").write_text(_csv([*PAIRS[:4], ("p5", "a")]))  # 4 of 5
    (folder / "half.csv").write_text(_csv([("p1", "a"), ("p2", "a"), ("p3", "a"), ("p4", "a")]))  # 2 of 4
    (folder / "bundle.toml").write_text(
        'name = "judges"\n[corpus]\nid = "judges"\n[[condition]]\nid = "c"\ntask = "judge"\nkey = "key.csv"\n'
        + "".join(f'[[run]]\nid = "{run}"\ncondition = "c"\nfiles = ["{run}.csv"]\n' for run in ("same", "half"))
    )
    code, _out, err = _run(site, "evaluate", "bundle.toml", "--db", "s.duckdb", cwd=folder)
    assert code == 0, err
    return folder


def test_the_numbers(site, evaluated):
    """Agreement 4/5 and 2/4. Kappa of `same`: chance e = 3*2 + 1*2 + 1*1 = 9, (5*4 - 9) / (25 - 9) = 11/16; of `half`,
    which says only a of a, b, tie, a: e = 4*2 = 8, (4*2 - 8) / (16 - 8) = 0.
    """
    code, out, _err = _run(site, "score", "--long", "-f", "json", "--db", "s.duckdb", cwd=evaluated)

    rows = {(row["run_id"], row["metric"]): (row["value"], row["n"]) for row in json.loads(out)}
    assert code == 0 and rows == {
        ("same", "agreement"): (0.8, 5),
        ("same", "kappa"): (0.6875, 5),
        ("half", "agreement"): (0.5, 4),
        ("half", "kappa"): (0.0, 4),
    }
    assert all("|pkg:tdtsql-judge-0.1.0|" in row["signature"] for row in json.loads(out))


def test_a_store_that_is_called_like_the_schema_of_a_package(site, evaluated, tmp_path):
    """The engine could not tell judge.answer from the file's judge; it ended with a Binder Error."""
    shutil.copy(evaluated / "s.duckdb", tmp_path / "judge.duckdb")
    for words in (("evaluate", evaluated / "bundle.toml", "--db", "Judge.duckdb"), ("score", "--db", "judge.duckdb")):
        code, out, err = _run(site, *words, cwd=tmp_path)
        assert code == 1 and "a store cannot be called like one of its schemas (judge)" in err, out + err


def test_metrics_of_a_store_whose_package_is_not_installed_are_listed(site, evaluated):
    words = ("metric", "list", "--task", "judge", "-f", "json")
    code, out, err = _run(site, *words, "--db", "s.duckdb", tasks="none", cwd=evaluated)
    assert code == 0 and {row["metric"] for row in json.loads(out)} == {"agreement", "kappa"}, err
    code, out, err = _run(site, *words, tasks="none", cwd=evaluated)
    assert code == 2 and "task 'judge' is unknown" in err, out + err


def test_store_is_sound_and_its_numbers_come_out_again(site, evaluated):
    code, out, err = _run(site, "check", "--recompute", "--db", "s.duckdb", cwd=evaluated)

    assert code == 0 and "0 errors, 0 warnings" in err, out + err


@lanes.both
def test_without_the_package_numbers_are_shown_and_not_computed(site, evaluated):
    code, out, err = _run(site, "score", "--long", "-f", "json", "--db", "s.duckdb", tasks="none", cwd=evaluated)

    assert (code, {row["value"] for row in json.loads(out)}) == (1, {0.8, 0.6875, 0.5, 0.0})
    assert "tdtsql-judge 0.1.0, which is not installed here" in err
    for words in (
        ("check",),
        ("leaderboard",),
        ("explain", "same", "kappa"),
        ("run", "list"),
        ("report", "make", "r.html"),
    )[: lanes.number(default=1, full=5)]:
        code, out, err = _run(site, *words, "--db", "s.duckdb", tasks="none", cwd=evaluated)
        assert code == 0, (words, out, err)


def test_without_the_package_files_are_not_read(site, evaluated):
    code, _, err = _run(site, "evaluate", "bundle.toml", "--db", "s.duckdb", tasks="none", cwd=evaluated)
    assert code == 1 and "not installed here" in err

    code, _out, err = _run(site, "evaluate", "bundle.toml", "--db", "other.duckdb", tasks="none", cwd=evaluated)
    assert code == 1 and "E704" in err and "'judge'" in err and not (evaluated / "other.duckdb").exists()


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("update registry.package set version = '0.2'", "tdtsql-judge is not what was added"),
        (
            "update registry.definition set owner = 'tdtsql' where relation like '%pair%'",
            "registry.definition: rows of tdtsql-judge were edited",
        ),
        (
            "create or replace view metric.judge_score__v1 as select *, 1.0 as more from metric.judge_pair__v1",
            "view metric.judge_score__v1 of tdtsql-judge is not its definition",
        ),
        (
            "create or replace view metric.judge_score as select 1.0 as agreement from metric.judge_pair__v1",
            "view metric.judge_score of tdtsql-judge is not its definition",
        ),
        ("drop view metric.judge_pair", "view metric.judge_pair of tdtsql-judge does not exist"),
        ("alter table judge.answer drop answer cascade", "table judge.answer is not the definition of tdtsql-judge"),
        ("update judge.answer set answer = 'tie'", "run:c/"),
        ("update registry.task set primary_metric = 'kappa' where task = 'judge'", "registry.task"),
    ],
)
def test_tampered_stores_are_reported(site, evaluated, tmp_path, statement, said):
    shutil.copy(evaluated / "s.duckdb", tmp_path / "s.duckdb")
    with duckdb.connect(str(tmp_path / "s.duckdb")) as connection:
        try:
            connection.execute(statement)
        except duckdb.Error as error:
            pytest.skip(f"the engine refuses: {error}")

    code, out, err = _run(site, "check", "--db", "s.duckdb", cwd=tmp_path)
    assert code == 1 and said in out + err, out + err


def test_versions_and_tasks_are_listed(site):
    assert any(
        line.startswith("task package tdtsql-judge 0.1.0, task judge,")
        for line in _process(site, "--version", "--long")[1].splitlines()
    )
    rows = json.loads(_run(site, "task", "list", "-f", "json")[1])
    assert [row["package"] for row in rows if row["task"] == "judge"] == ["tdtsql-judge 0.1.0"]
    assert "judge" not in _run(site, "task", "list", tasks="none")[1]


def test_definitions_that_were_exchanged_under_one_version_are_reported(tmp_path):
    source = tmp_path / "source"
    write_skeleton("exchanged", source)
    _install(tmp_path, "exchanged", source)
    assert _run(tmp_path, "evaluate", source / "example" / "bundle.toml", "--db", "s.duckdb", cwd=tmp_path)[0] == 0
    folder = tmp_path / "tdtsql_exchanged"
    view = source / "src" / folder.name / "sql" / "metric" / "exchanged" / "score__v1.sql"
    view.write_text(view.read_text().replace("ratio(n_agree, n_pair)", "ratio(n_agree + 1, n_pair + 1)"))
    lock_folder(source)
    shutil.copytree(source / "src" / folder.name, folder, dirs_exist_ok=True)
    agreement = "select distinct value from report.score where metric = 'agreement' and run_id = 'careful'"

    _, out, err = _run(tmp_path, "sql", "query", agreement, "-f", "csv", "--db", "s.duckdb", cwd=tmp_path)
    assert "s.duckdb: written with other definitions (tdtsql-exchanged 0.1.0, " in err
    assert out.split() == ["value", "0.8"]  # 16 of 20
    code, out, err = _run(tmp_path, "score", "careful", "--db", "s.duckdb", cwd=tmp_path)
    assert "s.duckdb: the definitions of tdtsql-exchanged 0.1.0 (" in err and "were replaced by those installed" in err
    assert code == 0 and "0.8095" in out  # 17 of 21
    assert "definitions" not in _run(tmp_path, "score", "careful", "--db", "s.duckdb", cwd=tmp_path)[2]


def test_a_package_for_another_version_and_one_that_does_not_import_are_left_out(site, tmp_path):
    write_skeleton("later", tmp_path / "later")
    _install(tmp_path, "later", tmp_path / "later", "tdtsql>=9")
    write_skeleton("broken", tmp_path / "broken")
    _install(tmp_path, "broken", tmp_path / "broken")
    (tmp_path / "tdtsql_broken" / "__init__.py").write_text("raise RuntimeError('no licence')\n")
    write_skeleton("edited", tmp_path / "edited")
    _install(tmp_path, "edited", tmp_path / "edited")
    view = tmp_path / "tdtsql_edited" / "sql" / "metric" / "edited" / "score__v1.sql"
    view.write_text(view.read_text().replace("ratio(n_agree, n_pair)", "ratio(n_agree + 1, n_pair)"))

    code, out, err = _run(tmp_path, "task", "list")

    assert code == 0 and "later" not in out and "tracking" in out
    assert "tdtsql-later 0.1.0 is for tdtsql >=9, and this is" in err
    assert "tdtsql-broken 0.1.0: RuntimeError: no licence: left out" in err
    assert "tdtsql-edited 0.1.0: metric.edited_score__v1 is frozen and its SQL changed" in err
    assert "or take it up with `tdtsql task lock FOLDER` before it is released: left out" in err


def test_a_changed_definition_is_not_used_until_it_is_locked(tmp_path):
    write_skeleton("edited", tmp_path / "p")
    view = tmp_path / "p" / "src" / "tdtsql_edited" / "sql" / "metric" / "edited" / "score__v1.sql"
    view.write_text(view.read_text().replace("ratio(n_agree, n_pair)", "ratio(n_pair, n_pair)"))

    [(_title, problems)] = check_package(tmp_path / "p")
    assert "metric.edited_score__v1" in problems[0] and "changed" in problems[0]

    lock_folder(tmp_path / "p")
    assert not next(iter(check_package(tmp_path / "p")))[1]


def test_names_of_others_are_refused(tmp_path):
    write_skeleton("greedy", tmp_path / "p")
    root = tmp_path / "p" / "src" / "tdtsql_greedy" / "sql"
    shutil.copytree(root / "metric" / "greedy", root / "metric" / "detection")
    lock_folder(tmp_path / "p")

    [(_, problems)] = check_package(tmp_path / "p")
    assert "metric.detection_pair__v1 is not allowed" in problems[0]


@pytest.mark.parametrize("module", ["no.such", "tdtsql.version"])
def test_readers_that_are_not_there_are_told(module):
    package = replace(PACKAGES["link"], readers=module)

    with pytest.raises(
        BrokenDefinition, match=f"task 'link': the readers {module} cannot be used .*. Tell the authors"
    ):
        package.loaded()


def test_a_kind_of_keys_that_does_not_exist_is_refused(tmp_path):
    write_skeleton("kinds", tmp_path / "p")
    package = tmp_path / "p" / "src" / "tdtsql_kinds" / "__init__.py"
    package.write_text(package.read_text().replace('{"key": "file"}', '{"key": "fil"}'))

    [(_, problems)] = check_package(tmp_path / "p")
    assert "'fil' is not a kind of value of a key. Known are file, columns, files, flag, text," in problems[0]


def test_skeleton_refuses_names_and_folders(tmp_path):
    for name in ("tracking", "Judge", "a b", "json", "1st", "x" * 40, ""):
        with pytest.raises(InvalidSetting):
            write_skeleton(name, tmp_path / "new")
    with pytest.raises(InvalidSetting, match="exists"):
        write_skeleton("fine", tmp_path)
    assert not (tmp_path / "new").exists()


def test_definitions_that_do_more_than_define_are_refused():
    from tdtsql.definitions.sets import stored
    from tdtsql.store.sets import check_safe

    task = {"name": "bad", "families": ["bad"], "primary": "m", "best": "highest", "summary": ["m"],
            "formats": ["tidy"], "run_table": "bad.answer"}  # fmt: skip
    view = {"file": "metric/bad/x__v1.sql", "body": "select 1 as one"}
    table = {"statement": "create table bad.answer (run_no integer)", "columns": {"run_no": ["integer"]}}
    reads = "select * from read_text('/etc/passwd')"

    def check(relations, tables, audit=()):
        parts = {"relations": relations, "tables": tables, "audit": dict(audit)}
        text = json.dumps({"task": task, "key": "0", "profiles": {}, **parts})
        check_safe(stored("tdtsql-bad", "1", text))

    check({"metric.bad_x__v1": view}, {"bad.answer": table})
    for parts in (
        ({"metric.bad_x__v1": {**view, "body": reads}}, {}),
        ({"metric.bad_x__v1": {**view, "body": "select 1; drop table registry.run"}}, {}),
        ({"metric.bad_x__v1": {**view, "body": "insert into registry.run select 1"}}, {}),
        ({"metric.bad_x__v1": {**view, "file": "/etc/passwd"}}, {}),
        ({"metric.bad_x__v1": {**view, "reads": [[0, 6, "registry.run", ""]]}}, {}),
        ({"metric.bad_x__v1": {**view, "file": "../../secret.sql"}}, {}),
        ({"metric.bad_x; drop table registry.run": view}, {}),
        ({}, {"bad.answer": {**table, "statement": f"create table bad.answer as {reads}"}}),
        ({}, {}, {"bad_x": {"severity": "error", "title": "x", "sql": reads}}),
        ({}, {}, {"bad_x": {"severity": "error", "title": "x", "sql": "select 1; drop table registry.run"}}),
        ({}, {"bad.answer": {**table, "statement": f"{table['statement']}; drop table registry.run"}}),
        ({}, {"bad.answer; drop table registry.run": table}),
        ({}, {"bad.answer": {**table, "columns": {"run_no) values (1); --": ["integer"]}}}),
    ):
        with pytest.raises(BrokenDefinition):
            check(*parts)


@pytest.mark.full
def test_the_skeleton_passes_its_own_check(tmp_path):
    write_skeleton("whole", tmp_path / "p")
    failed = {title: problems for title, problems in check_package(tmp_path / "p") if problems}
    assert failed == {}


def test_the_guide_shows_the_files_that_task_new_writes():
    root = Path(__file__).resolve().parents[2]
    text = (root / "docs" / "how-to" / "task.md").read_text(encoding="utf-8")
    model = root / "fixtures" / "task"
    package = "src/tdtsql_preference"
    for name in ("pyproject.toml", f"{package}/__init__.py",
                 f"{package}/sql/load/run.sql", f"{package}/sql/load/run/W101.sql",
                 f"{package}/sql/schema/preference.sql", f"{package}/sql/metric/preference/score__v1.sql"):  # fmt: skip
        assert (model / name).read_text(encoding="utf-8") in text, name


@pytest.mark.full
def test_profiles_with_values_of_the_package(tmp_path):
    """`half = 0.5` counts an agreement as a half: 4 of 5 pairs agree, 4 * 0.5 / 5 = 0.4; `mine` has a quarter: 0.2."""
    folder = tmp_path / "tdtsql-half"
    write_skeleton("half", folder)
    root = folder / "src" / "tdtsql_half" / "sql"
    profile = root / "profile" / "half.toml"
    profile.write_text(profile.read_text() + "\n[values]\nhalf = 0.5\n")
    view = root / "metric" / "half" / "score__v1.sql"
    text = view.read_text().replace(
        "metric.half_pair__v1\ngrain", "metric.half_pair__v1, registry.profile_value\ngrain"
    )
    text = text.replace(
        "ratio(n_agree, n_pair) as agreement", "ratio(n_agree, n_pair) * cast(value as double) as agreement"
    )
    view.write_text(text + "join registry.profile_value using (profile_no)\nwhere name = 'half'\n")
    lock_folder(folder)
    _install(tmp_path, "half", folder)
    (tmp_path / "key.csv").write_text(_csv(PAIRS))
    (tmp_path / "same.csv").write_text(_csv([*PAIRS[:4], ("p5", "a")]))
    bundle = tmp_path / "bundle.toml"
    start = 'name = "b"\n[corpus]\nid = "b"\n[profile.mine]\nbase = "half"\nhalf = {}\n[[condition]]\nid = "c"\n'
    rest = 'task = "half"\nkey = "key.csv"\nprofile = ["half", "mine"]\n'
    rest += '[[run]]\nid = "same"\ncondition = "c"\nfiles = ["same.csv"]\n'
    score = ("score", "-m", "agreement", "--long", "-f", "json", "--db", "s.duckdb")

    for given, expected in (("0.25", 0.2), ("0.125", 0.1)):
        bundle.write_text(start.format(given) + rest)
        code, out, err = _run(tmp_path, "evaluate", "bundle.toml", "--db", "s.duckdb", cwd=tmp_path)
        assert code == 0, out + err
        rows = {row["profile_id"]: row for row in json.loads(_run(tmp_path, *score, cwd=tmp_path)[1])}
        assert {name: row["value"] for name, row in rows.items()} == {"half": 0.4, "mine": expected}
        assert rows["half"]["signature"] != rows["mine"]["signature"]
    code, out, err = _run(tmp_path, "check", "--recompute", "--db", "s.duckdb", cwd=tmp_path)
    assert code == 0 and "0 errors, 0 warnings" in err, out + err
    bundle.write_text(start.format("true") + rest)
    code, out, err = _run(tmp_path, "evaluate", "bundle.toml", "--db", "s.duckdb", cwd=tmp_path)
    assert code == 1 and "bundle.toml:6: E711 profile 'mine': half is True" in err
    for statement in ("update registry.profile_value set value = '0.75' where value = '0.125'",
                      "delete from registry.profile_value where value = '0.75'"):  # fmt: skip
        with duckdb.connect(str(tmp_path / "s.duckdb")) as connection:
            connection.execute(statement)
        code, out, err = _run(tmp_path, "ledger", "verify", "--quick", "--db", "s.duckdb", cwd=tmp_path)
        assert code == 1 and "registry.profile: mine has other values" in err, out + err


def test_columns_in_python(site, tmp_path):
    """The numbers of `same`: agreement 4/5, kappa 11/16."""
    program = (
        "import tdtsql\n"
        "pairs = ['p1', 'p2', 'p3', 'p4', 'p5']\n"
        "store = tdtsql.connect(':memory:')\n"
        "store.add_corpus('c')\n"
        "key = {'pair_id': pairs, 'answer': ['a', 'b', 'tie', 'a', 'b']}\n"
        "store.add_condition('judges', corpus='c', task='judge', key=key)\n"
        "run = {'pair_id': pairs, 'answer': ['a', 'b', 'tie', 'a', 'a']}\n"
        "store.add_run('same', condition='judges', decisions=run)\n"
        "print(sorted((row[5], row[7]) for row in store.score().fetchall()))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONPATH": str(site), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.stdout == "[('agreement', 0.8), ('kappa', 0.6875)]\n", done.stderr


@pytest.mark.full
def test_versions_of_a_package(site, evaluated, tmp_path):
    """0.2.0 halves the agreement of `same`, 0.8 to 0.4: a store is updated when it is opened to write, and never taken
    back by 0.1.0.
    """
    shutil.copy(evaluated / "s.duckdb", tmp_path / "s.duckdb")
    shutil.copytree(site / "tdtsql-judge", tmp_path / "source")
    views = tmp_path / "source" / "src" / "tdtsql_judge" / "sql" / "metric" / "judge"
    text = (views / "score__v1.sql").read_text().replace("score__v1", "score__v2")
    (views / "score__v2.sql").write_text(text.replace("ratio(n_agree, n_pair) as", "ratio(n_agree, 2 * n_pair) as"))
    lock_folder(tmp_path / "source")
    newer = tmp_path / "newer"
    newer.mkdir()
    _install(newer, "judge", tmp_path / "source", version="0.2.0")
    score = ("score", "same", "-m", "agreement", "--long", "-f", "json", "--db", "s.duckdb")

    code, out, err = _run(newer, *score, cwd=tmp_path)
    [row] = json.loads(out)
    assert (code, row["value"], row["version"]) == (0, 0.4, "v2"), err
    assert "|pkg:tdtsql-judge-0.2.0|" in row["signature"]
    code, out, err = _run(newer, "check", "--recompute", "--db", "s.duckdb", cwd=tmp_path)
    assert code == 0 and "every_run_is_scored" in out, out + err  # a warning: the other run is not scored again yet
    _run(newer, "score", "--db", "s.duckdb", cwd=tmp_path)
    code, out, err = _run(newer, "check", "--recompute", "--db", "s.duckdb", cwd=tmp_path)
    assert code == 0 and "0 errors, 0 warnings" in err, out + err

    code, out, err = _run(site, *score, cwd=tmp_path)
    assert (code, [row["value"] for row in json.loads(out)]) == (1, [0.4]) and "0.2.0, which is not installed" in err
    code, out, err = _run(site, "evaluate", evaluated / "bundle.toml", "--db", "s.duckdb", cwd=tmp_path)
    assert code == 1 and "written with tdtsql-judge 0.2.0, and 0.1.0 is installed" in err


def _changed(folder: Path, name: str, **replaced: tuple[str, str]) -> Path:
    """Write the package of `task new` with changes of its files, and install it next to itself; returns its source."""
    write_skeleton(name, folder / "source")
    package = folder / "source" / "src" / f"tdtsql_{name}"
    for file, (old, new) in replaced.items():
        [path] = [path for path in package.rglob("*.*") if path.with_suffix("").as_posix().endswith(f"/{file}")]
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))
    lock_folder(folder / "source")
    _install(folder, name, folder / "source")
    return folder / "source"


def _bundle(folder: Path, task: str, condition: str = 'key = "key.csv"\n', run: str = "") -> None:
    (folder / "key.csv").write_text(_csv(PAIRS))
    (folder / "same.csv").write_text(_csv([*PAIRS[:4], ("p5", "a")]))
    (folder / "bundle.toml").write_text(
        f'name = "b"\n[corpus]\nid = "b"\n[[condition]]\nid = "c"\ntask = "{task}"\n{condition}'
        f'[[run]]\nid = "same"\ncondition = "c"\nfiles = ["same.csv"]\n{run}'
    )


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("replaced", "said"),
    [
        ({"__init__": ('key=["pair_id"], separator', "read=lambda *_: 1 / 0, separator")}, "cannot read it (ZeroD"),
        (
            {"load/condition": ("from key_row", "from no_such")},
            "'c': E849 tdtsql-wrong 0.1.0 gives rows that cannot be",
        ),
        ({"schema/wrong": ("answer in ('a', 'b', 'tie')", "answer in ('a', 'b')")}, "rows that cannot be stored"),
        ({"schema/wrong": ("answer varchar", "answer integer")}, "rows that cannot be stored"),
    ],
)
def test_faults_of_a_package_are_errors_of_its_files(tmp_path, replaced, said):
    _changed(tmp_path, "wrong", **replaced)
    _bundle(tmp_path, "wrong")

    code, out, err = _run(tmp_path, "evaluate", "bundle.toml", "--db", "s.duckdb", cwd=tmp_path)

    assert code == 1 and said in err and "Traceback" not in err and not (tmp_path / "s.duckdb").exists(), out + err


@lanes.both
def test_views_that_are_built_in_another_order_than_that_of_their_names(tmp_path):
    """Opening the store compares its views with their definitions; so does `check`, which compares all else, too."""
    write_skeleton("late", tmp_path / "source")
    views = tmp_path / "source" / "src" / "tdtsql_late" / "sql"
    for path in views.rglob("*.sql"):
        path.write_text(path.read_text().replace("late_pair__v1", "late_within__v1"))
    (views / "metric" / "late" / "pair__v1.sql").rename(views / "metric" / "late" / "within__v1.sql")
    lock_folder(tmp_path / "source")
    _install(tmp_path, "late", tmp_path / "source")
    _bundle(tmp_path, "late")

    assert _run(tmp_path, "evaluate", "bundle.toml", "--db", "s.duckdb", cwd=tmp_path)[0] == 0
    for words, said in ((("run", "list"), ""), (("check",), "0 errors, 0 warnings"))[: lanes.number(default=1, full=2)]:
        code, out, err = _run(tmp_path, *words, "--db", "s.duckdb", cwd=tmp_path)
        assert code == 0 and said in err, out + err


def test_definitions_of_a_package_are_rendered_and_traced(site):
    for dialect in ("postgres", "spark"):
        code, out, err = _run(site, "sql", "render", "metric.judge_score", "--dialect", dialect)
        assert code == 0 and "judge.answer" in out, err
    code, out, err = _run(site, "metric", "lineage", "kappa")
    assert code == 0 and "judge.answer" in out, err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('profile_id = "p', "not a TOML file"),
        ('source = "S"', "no profile_id"),
        ('profile_id = "p"', "no source"),
        ('profile_id = "p"\nsource = "S"\n[columns]\nhalf = 1', "half is no column of registry.profile"),
        ('profile_id = "p"\nsource = "S"\n[values]\neer = 1', "eer is a column of registry.profile"),
        ('profile_id = "p"\nsource = "S"\n[values]\na = 1\n[choices]\na = [2]', r"\[choices\] a is not a list that"),
    ],
)
def test_profiles_that_are_refused(tmp_path, text, said):
    write_skeleton("odd", tmp_path / "p")
    (tmp_path / "p" / "src" / "tdtsql_odd" / "sql" / "profile" / "odd.toml").write_text(text)

    with pytest.raises(BrokenDefinition, match=f"sql/profile/odd.toml: {said}"):
        lock_folder(tmp_path / "p")


ANSWERED = """/*
title:    Pairs that some run of a condition answers
source:   Our own: the pool of all runs
inputs:   pooled.answer, registry.run
fills:    pooled.answered
owner:    condition_no
after:    a run of the condition is loaded or dropped
class:    exact
*/
select distinct condition_no, block_no
from pooled.answer
join registry.run using (run_no)
"""


@pytest.mark.full
def test_tables_that_follow_from_the_runs(tmp_path):
    """`same` answers five pairs, `half` four of them, two correctly: 2 of the 5 that are answered by some run; once
    `same` is dropped, 2 of 4.
    """
    write_skeleton("pooled", tmp_path / "source")
    package = tmp_path / "source" / "src" / "tdtsql_pooled"
    changes = {
        "__init__.py": (
            'blocks="pair",',
            'blocks="pair",\n        follows=("pooled_answered",),\n        is_scored_together=True,',
        ),
        "sql/schema/pooled.sql": (
            "-- The tables",
            "create table pooled.answered ( -- Pairs that some run answers\n"
            "    condition_no integer not null, -- condition\n"
            "    block_no integer not null, -- pair\n    primary key (condition_no, block_no)\n);\n\n-- The tables",
        ),
        "sql/metric/pooled/score__v1.sql": (
            "counted as (",
            "size as (\n    select run_no, count(*) as n_answered\n    from pooled.answered\n"
            "    join registry.run using (condition_no)\n    group by run_no\n),\n\ncounted as (",
        ),
    }
    for file, (old, new) in changes.items():
        text = (package / file).read_text()
        assert old in text
        (package / file).write_text(text.replace(old, new))
    view = package / "sql/metric/pooled/score__v1.sql"
    text = view.read_text().replace(
        "inputs:   metric.pooled_pair__v1", "inputs:   metric.pooled_pair__v1, pooled.answered, registry.run"
    )
    view.write_text(
        text.replace("ratio(n_agree, n_pair) as", "ratio(n_agree, n_answered) as") + "join size using (run_no)\n"
    )
    (package / "sql" / "derived").mkdir()
    (package / "sql" / "derived" / "pooled_answered.sql").write_text(ANSWERED)
    lock_folder(tmp_path / "source")
    _install(tmp_path, "pooled", tmp_path / "source")
    _bundle(tmp_path, "pooled", run='[[run]]\nid = "half"\ncondition = "c"\nfiles = ["half.csv"]\n')
    (tmp_path / "half.csv").write_text(_csv([("p1", "a"), ("p2", "a"), ("p3", "a"), ("p4", "a")]))
    score = ("score", "-m", "agreement", "--long", "-f", "json", "--db", "s.duckdb")

    code, out, err = _run(tmp_path, "evaluate", "bundle.toml", "--db", "s.duckdb", cwd=tmp_path)
    assert code == 0, out + err
    rows = json.loads(_run(tmp_path, *score, cwd=tmp_path)[1])
    assert {row["run_id"]: row["value"] for row in rows} == {"same": 0.8, "half": 0.4}
    assert _run(tmp_path, "archive", "pack", "a.zip", "--db", "s.duckdb", cwd=tmp_path)[0] == 0
    code, out, err = _run(tmp_path, "archive", "verify", "a.zip", tasks="none", cwd=tmp_path)
    assert code == 0 and "0 differences" in err, out + err
    out = _run(tmp_path, "metric", "lineage", "metric.pooled_score", cwd=tmp_path)[1]
    assert "pooled.answered" in out and "pooled.answer" in out.replace("pooled.answered", "")
    assert _run(tmp_path, "run", "drop", "same", "--yes", "--db", "s.duckdb", cwd=tmp_path)[0] == 0
    rows = json.loads(_run(tmp_path, *score, cwd=tmp_path)[1])
    assert {row["run_id"]: row["value"] for row in rows} == {"half": 0.5}
    code, out, err = _run(tmp_path, "check", "--recompute", "--db", "s.duckdb", cwd=tmp_path)
    assert code == 0 and "0 errors, 0 warnings" in err, out + err

    (package / "__init__.py").write_text((package / "__init__.py").read_text().replace('"pooled_answered",', ""))
    code, out, err = _run(tmp_path, "task", "check", "source", cwd=tmp_path)
    assert code == 1 and "derived/ has pooled_answered" in out


ANSWERS = """/*
title:       Answers of a run
question:    How often does a run give each answer?
about:       runs
inputs:      asked.answer, registry.run
parameters:
    run  run  needed  the run
grain:       answer
columns:
    answer  key    the answer
    n_pair  count  pairs
order:       By answer.
see also:    leaderboard
*/
select answer, count(*) as n_pair
from asked.answer
join registry.run using (run_no)
where run_id = $run
group by answer
order by answer
"""


def test_saved_queries_of_a_package(tmp_path):
    """`same` answers a, b, tie, a, a."""
    source = _changed(tmp_path, "asked")
    for package in (source / "src" / "tdtsql_asked", tmp_path / "tdtsql_asked"):
        (package / "sql" / "query").mkdir()
        (package / "sql" / "query" / "asked_answers.sql").write_text(ANSWERS)
    _bundle(tmp_path, "asked")

    code, out, err = _run(tmp_path, "evaluate", "bundle.toml", "--db", "s.duckdb", cwd=tmp_path)
    assert code == 0, out + err
    words = ("ask", "asked_answers", "--run", "same", "-f", "json", "--db")
    rows = json.loads(_run(tmp_path, *words, "s.duckdb", cwd=tmp_path)[1])
    assert {row["answer"]: row["n_pair"] for row in rows} == {"a": 3, "b": 1, "tie": 1}
    assert "asked_answers" in _run(tmp_path, "ask", cwd=tmp_path)[1]
    code, _, err = _run(tmp_path, *words, "s.duckdb", tasks="none", cwd=tmp_path)
    assert code == 2 and "asked_answers" in err


@pytest.mark.full
def test_invariants_of_a_package(site, tmp_path):
    """They are asked of stores that have the package: after a load, in `audit` and in `check`, installed or not."""
    write_skeleton("held", tmp_path / "p")
    audit = tmp_path / "p" / "src" / "tdtsql_held" / "sql" / "audit"
    audit.mkdir()
    text = (
        "/*\ntitle:    Keys have no tie\nseverity: warning\ninputs:   held.key\n{}*/\nselect * from held.key where {}\n"
    )
    (audit / "held_no_tie.sql").write_text(text.format("checked:  after every load\n", "answer = 'tie'"))
    (audit / "held_of_later.sql").write_text(text.format("checked:  with the stored numbers\n", "false"))
    lock_folder(tmp_path / "p")
    _install(tmp_path, "held", tmp_path / "p")
    _bundle(tmp_path, "held")

    code, out, err = _run(tmp_path, "evaluate", "bundle.toml", "--db", "s.duckdb", cwd=tmp_path)
    assert code == 0 and "audit: Keys have no tie, and 1 row does not: condition_no 1, block_no 3" in out + err, (
        out + err
    )
    for tasks in ("", "none"):
        rows = json.loads(_run(tmp_path, "audit", "-f", "json", "--db", "s.duckdb", tasks=tasks, cwd=tmp_path)[1])
        assert [row["n_bad"] for row in rows if row["invariant"].startswith("held_")] == [1, 0]
        code, out, err = _run(tmp_path, "check", "--db", "s.duckdb", tasks=tasks, cwd=tmp_path)
        assert code == 0 and "0 errors, 1 warning" in err and "Keys have no tie" in out + err, out + err

    for name, condition, said in (
        ("no_tie", "true", "audit.no_tie is not allowed"),
        ("held_wrong", "no_such_column = 1", "no_such_column"),
    ):
        (audit / f"{name}.sql").write_text(text.format("", condition))
        lock_folder(tmp_path / "p")
        code, out, err = _run(tmp_path, "task", "check", "p", cwd=tmp_path)
        assert code == 1 and said in out + err, out + err
        (audit / f"{name}.sql").unlink()


#: of 20 pairs, careful is wrong on p01, p06, p11 and p16; hasty has 19, and is right on p02, p04, p06, ..., p18
EXAMPLE = {"careful": pytest.approx(16 / 20), "hasty": pytest.approx(9 / 19)}


SECTION = """/*
title:    What a run says of each pair
source:   the package
inputs:   metric.shown_pair__v1, registry.run, registry.condition, registry.profile, base.block
grain:    run_id, condition_id, profile_id, pair
columns:
    run_id        key   run
    condition_id  key   evaluation condition
    profile_id    key   scoring profile
    pair          key   pair
    said          text  answer of the run
    agreement     [0, 1]  1: as people said
edges:    A pair without an answer has NULL.
class:    exact
*/
select run_id, condition_id, profile_id, block_id as pair, said, agreement
from metric.shown_pair__v1
join registry.run using (run_no)
join registry.condition using (condition_no)
join registry.profile using (profile_no)
join base.block using (condition_no, block_no)
where subset_no = 0
"""


def test_sections_of_a_package_are_on_the_page_and_in_the_web_ui(tmp_path):
    """Two runs of 5 pairs: 10 rows in the report, those of a run on its page."""
    pytest.importorskip("starlette")
    from server_client import client_of

    from tdtsql.serve.server import Server

    source = _changed(
        tmp_path,
        "shown",
        __init__=('keys={"key": "file"}', 'keys={"key": "file"}, sections={"Pairs one by one": "report.shown_pair"}'),
    )
    view = source / "src" / "tdtsql_shown" / "sql" / "report" / "shown_pair.sql"
    view.parent.mkdir()
    view.write_text(SECTION)
    lock_folder(source)
    assert [problems for _, problems in islice(check_package(source), 3) if problems] == []
    _bundle(tmp_path, "shown", run='[[run]]\nid = "half"\ncondition = "c"\nfiles = ["half.csv"]\n')
    (tmp_path / "half.csv").write_text(_csv([("p1", "a"), ("p2", "a"), ("p3", "a"), ("p4", "a")]))
    with tdtsql.evaluate(tmp_path / "bundle.toml", db=tmp_path / "s.duckdb") as store:
        page = report(store.engine)
        profile = store.engine.value(
            "select profile_id from registry.condition_profile join registry.profile using (profile_no)"
        )

    rows = rows_of(page, "report.shown_pair", ("c", profile))
    assert rows[:2] == [
        {"run": "half", "pair": "p1", "said": "a", "agreement": 1.0},
        {"run": "half", "pair": "p2", "said": "a", "agreement": 0.0},
    ]
    assert len(rows) == 10 and 'href="#report.shown_pair">Pairs one by one</a>' in page
    server = Server(str(tmp_path / "s.duckdb"))
    try:
        text = client_of(server).get("/run?condition=c&run=half").text
    finally:
        server.close()
    assert "<h2>Pairs one by one</h2>" in text and text.count("<td>a</td>") == 4

    package = source / "src" / "tdtsql_shown" / "__init__.py"
    package.write_text(package.read_text().replace("report.shown_pair", "report.other"))
    sys.modules.pop("tdtsql_shown")
    [(_, [said])] = check_package(source)
    assert "sections=...) names report.other, expected one of its views, with run_id, condition_id, profile_id" in said


ALERT = '''"""Task alert: a story, or none, for each topic; scored as decisions of tracking are."""

from tdtsql.package import Task, TaskPackage

PACKAGE = TaskPackage(
    task=Task(
        name="alert",
        families=("detection", "filtering"),
        primary="f1",
        best="highest",
        summary=("f1", "c_det_norm"),
        formats=("tidy",),
        run_table="base.decision",
        decides_on="topic",
        is_over_stories=True,
        condition_policies={"score_kind": "score"},
    ),
    readers="tdtsql.loading.tasks.tracking",
)
'''


def test_a_package_of_decisions_has_the_numbers_and_the_page_of_built_in_tasks(tmp_path):
    """It has no SQL: its families are those of tracking, whose readers fill the tables."""
    project = (Path(__file__).resolve().parents[2] / "fixtures" / "task" / "pyproject.toml").read_text()
    package = tmp_path / "p" / "src" / "tdtsql_alert"
    (package / "sql").mkdir(parents=True)
    (tmp_path / "p" / "pyproject.toml").write_text(project.replace("preference", "alert"))
    (package / "__init__.py").write_text(ALERT)
    example = tmp_path / "p" / "example"
    example.mkdir()
    (example / "stories.csv").write_text("story_id,position\n" + "".join(f"s{n},{n}\n" for n in range(1, 7)))
    (example / "topics.csv").write_text("topic_id\nt1\nt2\n")
    (example / "judgments.csv").write_text("topic_id,story_id,label\nt1,s1,yes\nt1,s2,yes\nt2,s3,yes\n")
    (example / "run.csv").write_text(
        "run_id,topic_id,story_id,decision,score\na,t1,s1,yes,1\na,t1,s2,no,0\na,t1,s3,yes,1\na,t2,s3,yes,1\n"
        "b,t1,s1,yes,1\nb,t1,s2,yes,2\nb,t2,s3,yes,1\n"
    )
    (example / "second.csv").write_text("topic_id,story_id,label\nt1,s1,yes\nt2,s3,yes\nt2,s4,yes\n")
    corpus = '[corpus]\nid = "k"\nstories = "stories.csv"\ntopics = "topics.csv"\njudgments = "judgments.csv"\n'
    corpus += 'judgments_2 = "second.csv"\n'
    for task in ("alert", "tracking"):
        condition = f'[[condition]]\nid = "c"\ntask = "{task}"\n[[run]]\ncondition = "c"\nfiles = ["run.csv"]\n'
        (example / f"{task}.toml").write_text(corpus + condition)
    shutil.copy(example / "alert.toml", example / "bundle.toml")
    lock_folder(tmp_path / "p")

    checks = islice(check_package(tmp_path / "p"), lanes.number(default=5, full=99))
    assert [problems for _, problems in checks if problems] == []
    found = {}
    for task in ("alert", "tracking"):
        with tdtsql.evaluate(example / f"{task}.toml") as store:
            columns = "condition_id, run_id, metric, weighting, value, n"
            rows = store.sql(f"select {columns} from report.score order by all").fetchall()
            found[task] = {row[:4]: row[4:] for row in rows}
            # two judgments, over topics and stories
            assert len(data_of(report(store.engine))["sections"]["det_curves"]["parts"]) == 4
    assert found["alert"]["c", "a", "f1", "topic"] == (0.75, 2) and found["alert"]["c", "b", "f1", "topic"] == (1, 2)
    assert len({key[0] for key in found["alert"]}) == 2  # of the second judgments too
    assert {key: value for key, value in found["tracking"].items() if key in found["alert"]} == found["alert"]


FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
#: keys of a condition of a task that the example does not have, and its files
SMALL = {
    "partition": (
        'gold = "gold.csv"\n',
        {"gold.csv": "item_id,cluster_id\na,1\nb,1\nc,2\n", "run.csv": "item_id,cluster_id\na,1\nb,2\nc,2\n"},
    ),
    "verification": (
        'key = "key.csv"\nprofile = ["sre10"]\n',
        {
            "key.csv": "trial_id,label,sex\na,target,f\nb,nontarget,m\nc,target,m\nd,nontarget,f\n",
            "run.csv": "trial_id,score\na,1\nb,0.5\nc,0.25\nd,-1\n",
        },
    ),
    "items": (
        'items = "items.csv"\nk = [1]\n',
        {"items.csv": "item_id,lang\na,x\nb,x\nc,y\n", "run.csv": "item_id,score\na,1\nb,0\nc,1\n"},
    ),
}


def _bundle_of(task: str, name: str, folder: Path) -> Path:
    """Write a bundle with the conditions of a task and their runs, the task called otherwise; return its path."""
    if task in SMALL:
        keys, files = SMALL[task]
        for file, text in files.items():
            (folder / file).write_text(text)
        text = (
            f'[corpus]\nid = "k"\n[[condition]]\nid = "c"\ntask = "{task}"\n{keys}'
            f'[[run]]\nid = "r"\ncondition = "c"\nfiles = ["run.csv"]\n'
        )
    else:
        source = FIXTURES / ("filtering" if task == "filtering" else "example")
        shutil.copytree(source, folder, dirs_exist_ok=True)
        text = (source / "bundle.toml").read_text()
    conditions = [one["id"] for one in tomllib.loads(text)["condition"] if one["task"] == task]
    conditions = set(conditions[: lanes.number(default=1, full=99)])  # the others have other files and profiles
    kept = []
    for part in re.split(r"(?m)^(?=\[)", text):
        table = tomllib.loads(part)
        of = [one["id"] for one in table.get("condition", ())] + [one["condition"] for one in table.get("run", ())]
        if conditions.issuperset(of):
            kept.append(part.replace(f'task = "{task}"', f'task = "{name}"'))
    (folder / f"{name}.toml").write_text("".join(kept))
    return folder / f"{name}.toml"


@pytest.mark.sample(1)
@pytest.mark.parametrize("task", [*TASKS])
def test_a_built_in_task_as_a_package_has_the_same_numbers(task, tmp_path):
    """Under another name, from another distribution without SQL: neither Python nor SQL asks for the name of a task."""
    name = f"x{task.replace('_', '')}"
    root = tmp_path / "src" / f"tdtsql_{name}" / "sql"
    root.mkdir(parents=True)
    project = (FIXTURES / "task" / "pyproject.toml").read_text().replace("preference", name)
    (tmp_path / "pyproject.toml").write_text(project)
    lock_folder(tmp_path)
    package = PACKAGES[task]
    row = replace(package.task, name=name, is_in_plan=False, required=())
    declared = replace(package, task=row, folder=root.parent)
    installed.use(installed.read_package(f"tdtsql-{name}", "0.1.0", declared))

    found = []
    for called in (task, name):
        with tdtsql.evaluate(_bundle_of(task, called, tmp_path)) as store:
            columns = "run_id, condition_id, profile_id, metric, weighting, subset, value, n"
            found.append(store.sql(f"select {columns} from report.score order by all").fetchall())
    assert found[0] == found[1] and len(found[0]) > 5


@pytest.mark.full
def test_wheels_in_a_fresh_environment(tmp_path):
    """tdtsql and the package that its `task new` writes, built and installed as users do; the example is evaluated."""
    pytest.importorskip("hatchling", reason="the backend that builds")
    root = Path(__file__).resolve().parents[2]
    environment = tmp_path / "environment"
    venv.create(environment, with_pip=True)
    [packages] = (environment / "lib").glob("python*/site-packages")
    # the dependencies, behind what is installed there
    (packages / "dependencies.pth").write_text(
        "\n".join(path for path in sys.path if path.endswith("-packages")) + "\n"
    )
    clean = {
        name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "TDTSQL_DB", "TDTSQL_TASKS")
    }

    def done(*words, cwd=tmp_path):
        found = subprocess.run([*map(str, words)], cwd=cwd, env=clean, capture_output=True, text=True)
        assert found.returncode == 0, found.stdout + found.stderr
        return found.stdout + found.stderr

    def install(source):
        done(
            sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path / source.name / "dist", cwd=source
        )
        [wheel] = (tmp_path / source.name / "dist").glob("*.whl")
        done(environment / "bin" / "python", "-m", "pip", "install", "-q", "--no-deps", "--no-index", wheel)

    install(root)
    program = environment / "bin" / "tdtsql"
    where = done(environment / "bin" / "python", "-c", "import tdtsql; print(tdtsql.__file__)")
    assert where.startswith(str(environment))
    done(program, "task", "new", "choice")
    done(program, "task", "check", "tdtsql-choice")
    install(tmp_path / "tdtsql-choice")
    assert "tdtsql-choice 0.1.0" in done(program, "task", "list")
    done(program, "evaluate", "tdtsql-choice/example/bundle.toml", "--db", "s.duckdb")
    rows = json.loads(done(program, "score", "--long", "-m", "agreement", "-f", "json", "--db", "s.duckdb"))
    assert {row["run_id"]: row["value"] for row in rows if row["subset"] == "all"} == EXAMPLE
    assert "0 errors, 0 warnings" in done(program, "check", "--recompute", "--db", "s.duckdb")
    done(program, "archive", "pack", "a.zip", "--db", "s.duckdb")
    done(environment / "bin" / "python", "-m", "pip", "uninstall", "-q", "-y", "tdtsql-choice")
    assert "0 differences" in done(program, "archive", "verify", "a.zip")


def test_values_of_profiles_have_choices_and_meanings(tmp_path):
    values = (
        '[values]\norder = "file"\nhalf = 0.5\n[choices]\norder = ["file", "time"]\n[meaning]\nhalf = "of a point"\n'
    )
    _changed(tmp_path, "kept", **{"profile/kept": ("\n[columns]", f"\n{values}")})
    _bundle(tmp_path, "kept")
    bundle = tmp_path / "bundle.toml"
    start = bundle.read_text()

    for given, said in (
        ('order = "tyme"', "order is 'tyme', expected one of file, time"),
        ("order = 1", "order is 1, expected one of file, time"),
        ('half = "x"', "half is 'x', expected a number"),
        ("half = true", "half is True, expected a number"),
    ):
        bundle.write_text(f'{start}[profile.mine]\nbase = "kept"\n{given}\n')
        code, _, err = _run(tmp_path, "evaluate", "--check", "bundle.toml", cwd=tmp_path)
        assert code == 1 and f"E711 profile 'mine': {said}" in err, err
    rows = json.loads(_run(tmp_path, "profile", "show", "kept", "-f", "json", cwd=tmp_path)[1])
    assert {row["column"]: row["meaning"] for row in rows} == {"order": None, "half": "of a point"}


NOTED = """
def _read(path, problems):
    pairs = [text.split(",") for text in path.read_text().splitlines()[2:]]
    if len(pairs) < 5:
        problems.add("E150", "fewer than five pairs", line=len(pairs) + 2)
    return {"line": range(3, len(pairs) + 3), "pair_id": [one[0] for one in pairs], "answer": [one[1] for one in pairs]}


NOTED = Form("noted", {"pair_id": ID, "answer": one_of("a", "b", "tie")}, key=["pair_id"], read=_read)

PACKAGE"""


def test_a_format_is_recognised_by_its_first_line(tmp_path):
    """A file whose first line begins with % is of the second format, whose function reads the rest of it."""
    _changed(
        tmp_path,
        "noted",
        __init__=(
            'run_formats={"tidy": RUN}',
            'run_formats={"tidy": RUN, "noted": RunFormat(NOTED, recognises=lambda line: line[:1] == "%")}',
        ),
    )
    package = tmp_path / "tdtsql_noted" / "__init__.py"
    text = package.read_text().replace("import ID", "import RunFormat, ID")
    text = text.replace('formats=("tidy",)', 'formats=("tidy", "noted")')
    package.write_text(text.replace("\nPACKAGE", NOTED, 1))
    _bundle(tmp_path, "noted")
    (tmp_path / "same.csv").write_text("% by hand\n" + (tmp_path / "same.csv").read_text())

    code, out, err = _run(tmp_path, "evaluate", "bundle.toml", "--db", "s.duckdb", cwd=tmp_path)
    assert code == 0 and "run same: read as noted" in err, out + err
    (tmp_path / "same.csv").write_text("% by hand\n-\np1,a\np2,no\np1,b\n")
    code, out, err = _run(tmp_path, "evaluate", "bundle.toml", "--db", "s.duckdb", cwd=tmp_path)
    found = [line.split(" ")[:2] for line in err.splitlines() if line.startswith("same.csv")]
    assert code == 1 and found == [["same.csv:4:", "E321"], ["same.csv:5:", "E150"], ["same.csv:5:", "E314"]], err


@pytest.mark.full
def test_keys_of_a_package_are_its_own(tmp_path):
    """A package may have keys that tdtsql has for other tasks, with another meaning; it has no other keys."""
    _changed(
        tmp_path,
        "owned",
        __init__=(
            '{"key": "file"}',
            '{"key": "file", "index": "files", "mapping": "text", "languages": "number", "nt": "text", "gold": "flag"}',
        ),
    )
    own = 'key = "key.csv"\nindex = ["key.csv"]\nmapping = "one"\nlanguages = 3\nnt = "x"\ngold = true\n'
    _bundle(tmp_path, "owned", own)
    assert _run(tmp_path, "evaluate", "bundle.toml", "--db", "s.duckdb", cwd=tmp_path)[0] == 0

    _bundle(tmp_path, "owned", 'key = "key.csv"\ntraining = "key.csv"\n')
    code, _, err = _run(tmp_path, "evaluate", "bundle.toml", "--db", "s.duckdb", cwd=tmp_path)
    assert code == 1 and "bundle.toml:8: E701 condition 'c' has an unknown key ('training')" in err, err
    _bundle(tmp_path, "owned", 'key = "key.csv"\ngold = "no"\n')
    code, _, err = _run(tmp_path, "evaluate", "bundle.toml", "--db", "s.duckdb", cwd=tmp_path)
    assert code == 1 and "bundle.toml:8: E703 condition 'c': gold is not a true or false ('no')" in err, err


def test_a_package_that_an_earlier_version_compiled(tmp_path):
    """Definitions without the places of the relations that they read: these are found in the text."""
    write_skeleton("early", tmp_path / "p")
    definitions = definitions_of(tmp_path / "p")
    now = installed.stored("tdtsql-early", "0.1.0", json.dumps(definitions)).relations
    for entry in definitions["relations"].values():
        assert entry.pop("reads")

    before = installed.stored("tdtsql-early", "0.1.0", json.dumps(definitions)).relations
    assert {name: one.reads for name, one in before.items()} == {name: one.reads for name, one in now.items()}
