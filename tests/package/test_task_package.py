"""A task that another distribution brings: written, found, loaded, scored, archived, and shown where it is missing."""

import json
import re
import shlex
import shutil
import sys
import tomllib
import warnings
from dataclasses import replace
from itertools import islice
from pathlib import Path

import duckdb
import lanes
import pytest

import tdtsql
from record import ended
from report_page import rows_of
from tdtsql.definitions import sets as installed
from tdtsql.definitions.catalogue import reads_of
from tdtsql.errors import BrokenDefinition, InvalidSetting
from tdtsql.show.report import report
from tdtsql.store.define import check_safe
from tdtsql.task import PACKAGES, TASKS
from tdtsql.testing import check_package, lock_folder, write_skeleton
from places import FIXTURES

#: key and runs of five pairs, in files: `same` has 4 of 5 as the key has them, `half` 2 of 4
FILES = {
    name: "pair_id,answer\n" + "".join(f"p{place},{answer}\n" for place, answer in enumerate(answers.split(), 1))
    for name, answers in {"key": "a b tie a b", "same": "a b tie a a", "half": "a a a a"}.items()
}
SCORE = "score --long -f json --db s.duckdb"


@pytest.fixture(autouse=True)
def leave_no_package_in_use():
    yield
    installed.forget()


def install(folder: Path, name: str, version="0.1.0", requires="tdtsql>=0.2.0,<0.3") -> None:
    """Install the package of `source` into the folder, as pip does."""
    metadata = folder / f"tdtsql_{name}-{version}.dist-info"
    metadata.mkdir(parents=True)
    text = f"Metadata-Version: 2.1\nName: tdtsql-{name}\nVersion: {version}\nRequires-Dist: {requires}\n"
    (metadata / "METADATA").write_text(text)
    (metadata / "entry_points.txt").write_text(f"[tdtsql.tasks]\n{name} = tdtsql_{name}:PACKAGE\n")
    shutil.copytree(folder / name / "source" / "src" / f"tdtsql_{name}", folder / f"tdtsql_{name}")


def written(folder: Path, name: str, changes=(), added=()) -> Path:
    """Write the package of `task new`; return its code.

    Args:
        changes: (file, old text, new text); without an old text the new one is added at the end.
        added: (file, text) of new files.
    """
    source = folder / name / "source"  # not called like the task, which is installed beside it
    write_skeleton(name, source)
    code = source / "src" / f"tdtsql_{name}"
    for file, old, new in changes:
        text = (code / file).read_text()
        assert old in text, old
        (code / file).write_text(text.replace(old, new) if old else text + new)
    for file, text in added:
        (code / file).parent.mkdir(exist_ok=True)
        (code / file).write_text(text)
    lock_folder(source)
    return code


def text_of(file: str) -> str:
    return (Path(__file__).parent / "files" / file).read_text(encoding="utf-8")


def bundle(folder: Path, task: str, condition='key = "key.csv"\n', runs=("same",), more="") -> None:
    for name, text in FILES.items():
        (folder / f"{name}.csv").write_text(text)
    head = f'name = "b"\n[corpus]\nid = "b"\n[[condition]]\nid = "c"\ntask = "{task}"\n{condition}'
    said = "".join(f'[[run]]\nid = "{run}"\ncondition = "c"\nfiles = ["{run}.csv"]\n' for run in runs)
    (folder / "bundle.toml").write_text(head + said + more)


def call(folder: Path, words: str, code: int = 0, tasks="", site=None) -> tuple[str, str]:
    """Return (stdout, stderr) of a command in a folder, as in a new process: the packages of ``site`` (the folder) are
    installed, and none is in use or imported.
    """
    imported = set(sys.modules)
    installed.forget()
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        for name, value in {"TDTSQL_TASKS": tasks, "COLUMNS": "200", "HOME": str(folder)}.items():
            patch.setenv(name, value)
        patch.delenv("TDTSQL_DB", raising=False)
        patch.syspath_prepend(site or folder)
        patch.chdir(folder)
        try:
            found = ended(*shlex.split(words))
        finally:
            for name in sys.modules.keys() - imported:
                if name.split(".")[0].startswith("tdtsql_"):
                    del sys.modules[name]
            installed.forget()
    assert found.returncode == code, found
    return found.stdout, found.stderr


def evaluated(folder: Path, code: int = 0, **given) -> str:
    """Evaluate the bundle of a folder; return what is said."""
    return call(folder, "evaluate bundle.toml --db s.duckdb", code, **given)[1]


def values(folder: Path, words: str = f"{SCORE} -m agreement", column: str = "run_id") -> dict:
    return {row[column]: row["value"] for row in json.loads(call(folder, words)[0])}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A folder with the package `tdtsql-judge` 0.1.0, a bundle of five pairs, two runs, and the store made of them."""
    folder = tmp_path_factory.mktemp("site")
    written(folder, "judge")
    install(folder, "judge")
    bundle(folder, "judge", runs=("same", "half"))
    evaluated(folder)
    return folder


def test_the_numbers(site):
    """Agreement 4/5 and 2/4. Kappa of `same`: chance e = 3*2 + 1*2 + 1*1 = 9, (5*4 - 9) / (25 - 9) = 11/16; of `half`,
    which says only a of a, b, tie, a: e = 4*2 = 8, (4*2 - 8) / (16 - 8) = 0.
    """
    rows = json.loads(call(site, SCORE)[0])
    assert {(row["run_id"], row["metric"]): (row["value"], row["n"]) for row in rows} == {
        ("same", "agreement"): (0.8, 5), ("same", "kappa"): (0.6875, 5),
        ("half", "agreement"): (0.5, 4), ("half", "kappa"): (0.0, 4),
    }  # fmt: skip
    assert all("|pkg:tdtsql-judge-0.1.0|" in row["signature"] for row in rows)
    assert "0 errors, 0 warnings" in call(site, "check --recompute --db s.duckdb")[1]
    assert "task package tdtsql-judge 0.1.0, task judge," in call(site, "--version --long")[0]
    for words in ("render metric.judge_score --dialect postgres", "render metric.judge_score --dialect spark"):
        assert "judge.answer" in call(site, f"sql {words}")[0]
    assert "judge.answer" in call(site, "metric lineage kappa")[0]
    shutil.copy(site / "s.duckdb", site / "judge.duckdb")
    for words in ("evaluate bundle.toml --db Judge.duckdb", "score --db judge.duckdb"):
        assert "a store cannot be called like one of its schemas (judge)" in call(site, words, 1)[1]


@lanes.both
def test_without_the_package_numbers_are_shown_and_nothing_is_computed_or_read(site):
    out, err = call(site, SCORE, 1, "none")
    assert {row["value"] for row in json.loads(out)} == {0.8, 0.6875, 0.5, 0.0}
    assert "tdtsql-judge 0.1.0, which is not installed here" in err
    words = ("check", "leaderboard", "explain same kappa", "run list", "report make r.html")
    for command in words[: lanes.number(default=1, full=5)]:
        call(site, f"{command} --db s.duckdb", 0, "none")
    listed = json.loads(call(site, "metric list --task judge -f json --db s.duckdb", 0, "none")[0])
    assert {row["metric"] for row in listed} == {"agreement", "kappa"}
    assert "task 'judge' is unknown" in call(site, "metric list --task judge", 2, "none")[1]
    assert "not installed here" in evaluated(site, 1, tasks="none")
    err = call(site, "evaluate bundle.toml --db other.duckdb", 1, "none")[1]
    assert "E704" in err and "'judge'" in err and not (site / "other.duckdb").exists()
    rows = json.loads(call(site, "task list -f json")[0])
    assert [row["package"] for row in rows if row["task"] == "judge"] == ["tdtsql-judge 0.1.0"]
    assert "judge" not in call(site, "task list", 0, "none")[0]


VIEW = "view metric.judge_score__v1 of tdtsql-judge is not its definition"
#: change of a store -> what the check says of it
TAMPERED = {
    "update registry.package set version = '0.2'": "tdtsql-judge is not what was added",
    "update registry.definition set owner = 'tdtsql' where relation like '%pair%'": "rows of tdtsql-judge were edited",
    "create or replace view metric.judge_score__v1 as select *, 1.0 as more from metric.judge_pair__v1": VIEW,
    "drop view metric.judge_pair": "view metric.judge_pair of tdtsql-judge does not exist",
    "alter table judge.answer drop answer cascade": "table judge.answer is not the definition of tdtsql-judge",
    "update judge.answer set answer = 'tie'": "run:c/",
    "update registry.task set primary_metric = 'kappa' where task = 'judge'": "registry.task",
}


@pytest.mark.sample(2)
@pytest.mark.parametrize("statement", TAMPERED)
def test_tampered_stores_are_reported(site, tmp_path, statement):
    shutil.copy(site / "s.duckdb", tmp_path)
    with duckdb.connect(str(tmp_path / "s.duckdb")) as connection:
        connection.execute(statement)
    assert TAMPERED[statement] in "".join(call(tmp_path, "check --db s.duckdb", 1, site=site))


def test_definitions_that_were_exchanged_under_one_version_are_reported(tmp_path):
    """16 of 20 pairs agree; by the other definition 17 of 21."""
    code = written(tmp_path, "exchanged")
    install(tmp_path, "exchanged")
    call(tmp_path, "evaluate exchanged/source/example/bundle.toml --db s.duckdb")
    view = code / "sql" / "metric" / "exchanged" / "score__v1.sql"
    view.write_text(view.read_text().replace("ratio(n_agree, n_pair)", "ratio(n_agree + 1, n_pair + 1)"))
    lock_folder(tmp_path / "exchanged" / "source")
    shutil.copytree(code, tmp_path / code.name, dirs_exist_ok=True)

    agreement = "select distinct value from report.score where metric = 'agreement' and run_id = 'careful'"
    out, err = call(tmp_path, f'sql query "{agreement}" -f csv --db s.duckdb')
    assert "s.duckdb: written with other definitions (tdtsql-exchanged 0.1.0, " in err and out.split()[1] == "0.8"
    out, err = call(tmp_path, "score careful --db s.duckdb")
    assert "s.duckdb: the definitions of tdtsql-exchanged 0.1.0 (" in err and "were replaced by those installed" in err
    assert "0.8095" in out and "definitions" not in call(tmp_path, "score careful --db s.duckdb")[1]


def test_packages_that_cannot_be_used_are_left_out(tmp_path):
    for name in ("later", "broken", "edited"):
        written(tmp_path, name)
        install(tmp_path, name, requires="tdtsql>=9" if name == "later" else "tdtsql")
    (tmp_path / "tdtsql_broken" / "__init__.py").write_text("raise RuntimeError('no licence')\n")
    view = tmp_path / "tdtsql_edited" / "sql" / "metric" / "edited" / "score__v1.sql"
    view.write_text(view.read_text().replace("ratio(n_agree, n_pair)", "ratio(n_agree + 1, n_pair)"))

    out, err = call(tmp_path, "task list")

    assert "later" not in out and "tracking" in out
    assert "tdtsql-later 0.1.0 is for tdtsql >=9, and this is" in err
    assert "tdtsql-broken 0.1.0: RuntimeError: no licence: left out" in err
    assert "tdtsql-edited 0.1.0: metric.edited_score__v1 is frozen and its SQL changed" in err
    assert "or take it up with `tdtsql task lock FOLDER` before it is released: left out" in err


def test_the_check_names_what_is_wrong(tmp_path):
    write_skeleton("whole", tmp_path / "whole")
    assert not [problems for _, problems in islice(check_package(tmp_path / "whole"), 5) if problems]
    view = tmp_path / "whole" / "src" / "tdtsql_whole" / "sql" / "metric" / "whole" / "score__v1.sql"
    view.write_text(view.read_text().replace("ratio(n_agree, n_pair)", "ratio(n_pair, n_pair)"))
    [(_title, problems)] = check_package(tmp_path / "whole")
    assert "metric.whole_score__v1" in problems[0] and "changed" in problems[0]
    lock_folder(tmp_path / "whole")
    assert not next(iter(check_package(tmp_path / "whole")))[1]

    written(tmp_path, "kinds", [("__init__.py", '{"key": "file"}', '{"key": "fil"}')])
    [(_, problems)] = check_package(tmp_path / "kinds" / "source")
    assert "'fil' is not a kind of value of a key. Known are file, columns, files, flag, format, text," in problems[0]
    root = written(tmp_path, "greedy") / "sql" / "metric"
    shutil.copytree(root / "greedy", root / "detection")
    lock_folder(tmp_path / "greedy" / "source")
    [(_, problems)] = check_package(tmp_path / "greedy" / "source")
    assert "metric.detection_pair__v1 is not allowed" in problems[0]
    for module in ("no.such", "tdtsql.version"):
        said = f"task 'link': the readers {module} cannot be used .*. Tell the authors"
        with pytest.raises(BrokenDefinition, match=said):
            replace(PACKAGES["link"], readers=module).loaded()


def test_skeleton_refuses_names_and_folders(tmp_path):
    for name in ("tracking", "Judge", "a b", "json", "1st", "x" * 40, ""):
        with pytest.raises(InvalidSetting):
            write_skeleton(name, tmp_path / "new")
    with pytest.raises(InvalidSetting, match="exists"):
        write_skeleton("fine", tmp_path)
    assert not (tmp_path / "new").exists()


def test_definitions_that_do_more_than_define_are_refused():
    task = {"name": "bad", "families": ["bad"], "primary": "m", "best": "highest", "summary": ["m"],
            "formats": ["tidy"], "run_table": "bad.answer"}  # fmt: skip
    view = {"file": "metric/bad/x__v1.sql", "body": "select 1 as one"}
    table = {"statement": "create table bad.answer (run_no integer)", "columns": {"run_no": ["integer"]}}
    reads, drops = "select * from read_text('/etc/passwd')", "drop table registry.run"
    held = {"severity": "error", "title": "x"}

    def check(relations=(), tables=(), audit=()):
        read = {name: {"reads": [[*one] for one in reads_of(entry["body"])]} for name, entry in dict(relations).items()}
        relations = {name: read[name] | entry for name, entry in dict(relations).items()}
        parts = {"relations": relations, "tables": dict(tables), "audit": dict(audit)}
        text = json.dumps({"task": task, "key": "0", "profiles": {}, **parts})
        check_safe(installed.stored("tdtsql-bad", "1", text))

    check({"metric.bad_x__v1": view}, {"bad.answer": table})
    for parts in (
        {"relations": {"metric.bad_x__v1": {**view, "body": reads}}},
        {"relations": {"metric.bad_x__v1": {**view, "body": f"select 1; {drops}"}}},
        {"relations": {"metric.bad_x__v1": {**view, "body": "insert into registry.run select 1"}}},
        {"relations": {"metric.bad_x__v1": {**view, "file": "/etc/passwd"}}},
        {"relations": {"metric.bad_x__v1": {**view, "reads": [[0, 6, "registry.run", ""]]}}},
        {"relations": {"metric.bad_x__v1": {**view, "file": "../../secret.sql"}}},
        {"relations": {f"metric.bad_x; {drops}": view}},
        {"tables": {"bad.answer": {**table, "statement": f"create table bad.answer as {reads}"}}},
        {"audit": {"bad_x": {**held, "sql": reads}}},
        {"audit": {"bad_x": {**held, "sql": f"select 1; {drops}"}}},
        {"tables": {"bad.answer": {**table, "statement": f"{table['statement']}; {drops}"}}},
        {"tables": {f"bad.answer; {drops}": table}},
        {"tables": {"bad.answer": {**table, "columns": {"run_no) values (1); --": ["integer"]}}}},
    ):
        with pytest.raises(BrokenDefinition):
            check(**parts)


def test_the_guide_shows_the_files_that_task_new_writes():
    text = (FIXTURES.parent / "docs" / "how-to" / "task.md").read_text(encoding="utf-8")
    sql = "sql/load/run.sql sql/load/run/W101.sql sql/schema/preference.sql sql/metric/preference/score__v1.sql"
    for name in ("pyproject.toml", *(f"src/tdtsql_preference/{file}" for file in ("__init__.py", *sql.split()))):
        assert (FIXTURES / "task" / name).read_text(encoding="utf-8") in text, name


def test_columns_in_python(site):
    """The numbers of `same`: agreement 4/5, kappa 11/16."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(site)
        installed.forget()
        pairs = ["p1", "p2", "p3", "p4", "p5"]
        with tdtsql.connect(":memory:") as store:
            store.add_corpus("c")
            key = {"pair_id": pairs, "answer": ["a", "b", "tie", "a", "b"]}
            store.add_condition("judges", corpus="c", task="judge", key=key)
            decisions = {"pair_id": pairs, "answer": ["a", "b", "tie", "a", "a"]}
            store.add_run("same", condition="judges", decisions=decisions)
            assert sorted((row[5], row[7]) for row in store.score().fetchall()) == [
                ("agreement", 0.8),
                ("kappa", 0.6875),
            ]
    sys.modules.pop("tdtsql_judge")


@pytest.mark.full
def test_versions_of_a_package(site, tmp_path):
    """0.2.0 halves the agreement of `same`, 0.8 to 0.4: a store is updated when it is opened to write, and never taken
    back by 0.1.0.
    """
    newer = tmp_path / "newer"
    shutil.copytree(site / "judge", newer / "judge")
    for name in ("s.duckdb", "bundle.toml", *(f"{name}.csv" for name in FILES)):
        shutil.copy(site / name, newer)
    views = newer / "judge" / "source" / "src" / "tdtsql_judge" / "sql" / "metric" / "judge"
    text = (views / "score__v1.sql").read_text().replace("score__v1", "score__v2")
    (views / "score__v2.sql").write_text(text.replace("ratio(n_agree, n_pair) as", "ratio(n_agree, 2 * n_pair) as"))
    lock_folder(newer / "judge" / "source")
    install(newer, "judge", "0.2.0")
    score = "score same -m agreement --long -f json --db s.duckdb"

    [row] = json.loads(call(newer, score)[0])
    assert (row["value"], row["version"]) == (0.4, "v2") and "|pkg:tdtsql-judge-0.2.0|" in row["signature"]
    # a warning: the other run is not scored again yet
    assert "every_run_is_scored" in call(newer, "check --recompute --db s.duckdb")[0]
    call(newer, "score --db s.duckdb")
    assert "0 errors, 0 warnings" in call(newer, "check --recompute --db s.duckdb")[1]
    out, err = call(newer, score, 1, site=site)
    assert json.loads(out)[0]["value"] == 0.4 and "0.2.0, which is not installed" in err
    assert "written with tdtsql-judge 0.2.0, and 0.1.0 is installed" in evaluated(newer, 1, site=site)


ALLOWED = "answer in ('a', 'b', 'tie')"


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("__init__.py", 'key=["pair_id"], separator', "read=lambda *_: 1 / 0, separator"), "cannot read it (ZeroD"),
        (("sql/load/condition.sql", "from key_row", "from no_such"), "'c': E849 tdtsql-wrong 0.1.0 gives rows that"),
        (("sql/schema/wrong.sql", ALLOWED, "answer in ('a', 'b')"), "rows that cannot be stored"),
        (("sql/schema/wrong.sql", "answer varchar", "answer integer"), "rows that cannot be stored"),
        (
            (
                "sql/load/attribute.sql",
                "'topic' as attribute, topic as value from key_row where topic is not null",
                "'to=pic' as attribute, 'x' as value from key_row",
            ),
            "'c': E964 an attribute needs a name without =",
        ),
    ],
)
def test_faults_of_a_package_are_errors_of_its_files(tmp_path, change, said):
    written(tmp_path, "wrong", [change])
    install(tmp_path, "wrong")
    bundle(tmp_path, "wrong")

    err = evaluated(tmp_path, 1)

    assert said in err and "Traceback" not in err and not (tmp_path / "s.duckdb").exists(), err


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
    with pytest.raises(BrokenDefinition, match=f"sql/profile/odd.toml: {said}"):
        written(tmp_path, "odd", added=[("sql/profile/odd.toml", text)])


def test_values_of_profiles_have_choices_and_meanings_and_count(tmp_path):
    """`half = 0.5` counts an agreement as a half: 4 of 5 pairs agree, 4 * 0.5 / 5 = 0.4; `mine` has a quarter: 0.2."""
    values_of = '\n[values]\norder = "file"\nhalf = 0.5\n[choices]\norder = ["file", "time"]\n[meaning]\n'
    view = "sql/metric/kept/score__v1.sql"
    written(tmp_path, "kept", [
        ("sql/profile/kept.toml", "\n\n[columns]", f'{values_of}half = "each"\n'),
        (view, "metric.kept_pair__v1\ngrain", "metric.kept_pair__v1, registry.profile_value\ngrain"),
        (view, "ratio(n_agree, n_pair) as", "ratio(n_agree, n_pair) * cast(value as double) as"),
        (view, "", "join registry.profile_value using (profile_no)\nwhere name = 'half'\n"),
    ])  # fmt: skip
    install(tmp_path, "kept")
    both = 'key = "key.csv"\nprofile = ["kept", "mine"]\n'

    for given, said in (
        ('order = "tyme"', "order is 'tyme', expected one of file, time"),
        ("order = 1", "order is 1, expected one of file, time"),
        ('half = "x"', "half is 'x', expected a number"),
        ("half = true", "half is True, expected a number"),
    ):
        bundle(tmp_path, "kept", both, more=f'[profile.mine]\nbase = "kept"\n{given}\n')
        assert f"E711 profile 'mine': {said}" in call(tmp_path, "evaluate --check bundle.toml", 1)[1]
    rows = json.loads(call(tmp_path, "profile show kept -f json")[0])
    assert {row["column"]: row["meaning"] for row in rows} == {"order": None, "half": "each"}
    for given, expected in ((0.25, 0.2), (0.125, 0.1)):
        bundle(tmp_path, "kept", both, more=f'[profile.mine]\nbase = "kept"\nhalf = {given}\n')
        evaluated(tmp_path)
        assert values(tmp_path, column="profile_id") == {"kept": 0.4, "mine": expected}
    assert "0 errors, 0 warnings" in call(tmp_path, "check --recompute --db s.duckdb")[1]
    with duckdb.connect(str(tmp_path / "s.duckdb")) as connection:
        connection.execute("update registry.profile_value set value = '0.75' where value = '0.125'")
    said = "".join(call(tmp_path, "ledger verify --quick --db s.duckdb", 1))
    assert "registry.profile: mine has other values" in said


TABLE = """create table pooled.answered ( -- Pairs that some run answers
    condition_no integer not null, -- condition
    block_no integer not null, -- pair
    primary key (condition_no, block_no)
);

-- The tables"""
SIZE = """size as (
    select run_no, count(*) as n_answered
    from pooled.answered
    join registry.run using (condition_no)
    group by run_no
),

counted as ("""


def test_tables_that_follow_from_the_runs(tmp_path):
    """`same` answers five pairs, `half` four of them, two correctly: 2 of the 5 that are answered by some run; once
    `same` is dropped, 2 of 4.
    """
    view, follows = "sql/metric/pooled/score__v1.sql", 'follows=("pooled_answered",),'
    code = written(tmp_path, "pooled", [
        ("__init__.py", 'blocks="pair",', f'blocks="pair",\n        {follows}\n        is_scored_together=True,'),
        ("sql/schema/pooled.sql", "-- The tables", TABLE),
        (view, "counted as (", SIZE),
        (view, "inputs:   metric.pooled_pair__v1", "inputs:   metric.pooled_pair__v1, pooled.answered, registry.run"),
        (view, "ratio(n_agree, n_pair) as", "ratio(n_agree, n_answered) as"),
        (view, "", "join size using (run_no)\n"),
    ], [("sql/derived/pooled_answered.sql", text_of("pooled_answered.sql"))])  # fmt: skip
    install(tmp_path, "pooled")
    bundle(tmp_path, "pooled", runs=("same", "half"))

    evaluated(tmp_path)
    assert values(tmp_path) == {"same": 0.8, "half": 0.4}
    call(tmp_path, "archive pack a.zip --db s.duckdb")
    assert "0 differences" in call(tmp_path, "archive verify a.zip", 0, "none")[1]
    out = call(tmp_path, "metric lineage metric.pooled_score")[0]
    assert "pooled.answered" in out and "pooled.answer" in out.replace("pooled.answered", "")
    call(tmp_path, "run drop same --yes --db s.duckdb")
    assert values(tmp_path) == {"half": 0.5}
    assert "0 errors, 0 warnings" in call(tmp_path, "check --recompute --db s.duckdb")[1]

    (code / "__init__.py").write_text((code / "__init__.py").read_text().replace(follows, ""))
    assert "derived/ has pooled_answered" in call(tmp_path, "task check pooled/source", 1, site=tmp_path / "none")[0]


HELD = (
    "/*\ntitle:    Keys have no tie\nseverity: warning\ninputs:   asked.key\n{}*/\nselect * from asked.key where {}\n"
)


def test_saved_queries_and_invariants_of_a_package(tmp_path):
    """`same` answers a, b, tie, a, a. Invariants are asked after a load, by `audit` and `check`, installed or not."""
    code = written(tmp_path, "asked", added=[
        ("sql/query/asked_answers.sql", text_of("asked_answers.sql")),
        ("sql/audit/asked_no_tie.sql", HELD.format("checked:  after every load\n", "answer = 'tie'")),
    ])  # fmt: skip
    install(tmp_path, "asked")
    bundle(tmp_path, "asked")

    assert "audit: Keys have no tie, and 1 row does not: condition_no 1, block_no 3" in evaluated(tmp_path)
    words = "ask asked_answers --run same -f json --db s.duckdb"
    rows = json.loads(call(tmp_path, words)[0])
    assert {row["answer"]: row["n_pair"] for row in rows} == {"a": 3, "b": 1, "tie": 1}
    assert "asked_answers" in call(tmp_path, "ask")[0] and "asked_answers" in call(tmp_path, words, 2, "none")[1]
    for tasks in ("", "none"):
        rows = json.loads(call(tmp_path, "audit -f json --db s.duckdb", 0, tasks)[0])
        assert [row["n_bad"] for row in rows if row["invariant"].startswith("asked_")] == [1]
        said = "".join(call(tmp_path, "check --db s.duckdb", 0, tasks))
        assert "0 errors, 1 warning" in said and "Keys have no tie" in said

    for name, where, said in (
        ("no_tie", "true", "audit.no_tie is not allowed"),
        ("asked_wrong", "no_such_column = 1", "no_such_column"),
    ):
        path = code / "sql" / "audit" / f"{name}.sql"
        path.write_text(HELD.format("", where))
        lock_folder(tmp_path / "asked" / "source")
        assert said in "".join(call(tmp_path, "task check asked/source", 1, site=tmp_path / "none"))
        path.unlink()


def test_sections_of_a_package_are_on_the_page_and_in_the_web_ui(tmp_path):
    """Two runs of 5 pairs: 10 rows in the report, those of a run on its page; in a store without the task nothing."""
    pytest.importorskip("starlette")
    from server_client import client_of

    from tdtsql.serve.server import Server
    from tdtsql.show.section import page_of, questions

    code = written(tmp_path, "shown", added=[("sql/query/shown_pairs.sql", text_of("shown_pairs.sql"))])
    assert [problems for _, problems in islice(check_package(tmp_path / "shown" / "source"), 3) if problems] == []
    bundle(tmp_path, "shown", runs=("same", "half"))
    with tdtsql.evaluate(tmp_path / "bundle.toml", db=tmp_path / "s.duckdb") as store:
        page = report(store.engine)
        profile = store.engine.value("select profile_id from report.score limit 1")

    rows = rows_of(page, "shown_pairs", ("c", profile))
    assert rows[:2] == [
        {"run": "half", "pair": "p1", "said": "a", "agreement": 1.0},
        {"run": "half", "pair": "p2", "said": "a", "agreement": 0.0},
    ]
    assert len(rows) == 10 and 'href="#shown_pairs">Pairs one by one</a>' in page
    server = Server(str(tmp_path / "s.duckdb"))
    try:
        text = client_of(server).get("/run?condition=c&run=half").text
    finally:
        server.close()
    assert "<h2>Pairs one by one</h2>" in text and text.count("<td>a</td>") == 4
    with tdtsql.connect(":memory:") as other:
        assert "shown_pairs" in questions()
        assert "shown_pairs" not in [query.name for query in page_of(other.engine, "report")]

    (code / "sql" / "query" / "shown_pairs.sql").write_text(text_of("shown_pairs.sql").replace("title:", "tilte:"))
    sys.modules.pop("tdtsql_shown")
    assert "the header has an unknown field 'tilte'" in str([*check_package(tmp_path / "shown" / "source")])


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


def bundle_of(task: str, name: str, folder: Path) -> Path:
    """Write a bundle with the conditions of a task and their runs, the task called otherwise; return its path."""
    if task in SMALL:
        keys, files = SMALL[task]
        for file, text in files.items():
            (folder / file).write_text(text)
        text = f'[corpus]\nid = "k"\n[[condition]]\nid = "c"\ntask = "{task}"\n{keys}'
        text += '[[run]]\nid = "r"\ncondition = "c"\nfiles = ["run.csv"]\n'
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
        with tdtsql.evaluate(bundle_of(task, called, tmp_path)) as store:
            columns = "run_id, condition_id, profile_id, metric, weighting, subset, value, n"
            found.append(store.sql(f"select {columns} from report.score order by all").fetchall())
    assert found[0] == found[1] and len(found[0]) > 5


def test_a_format_is_recognised_by_its_first_line(tmp_path):
    """A file whose first line begins with % is of the second format, whose function reads the rest of it."""
    formats = 'run_formats={"tidy": RUN, "noted": RunFormat(NOTED, recognises=lambda line: line[:1] == "%")}'
    edits = {'run_formats={"tidy": RUN}': formats, "import ID": "import RunFormat, ID"}
    edits["\nPACKAGE = "] = text_of("noted.py.txt")
    written(tmp_path, "noted", [("__init__.py", *edit) for edit in edits.items()])
    install(tmp_path, "noted")
    bundle(tmp_path, "noted")
    (tmp_path / "same.csv").write_text("% by hand\n" + FILES["same"])

    assert "run same: read as noted" in evaluated(tmp_path)
    (tmp_path / "same.csv").write_text("% by hand\n-\np1,a\np2,no\np1,b\n")
    found = [line.split(" ")[:2] for line in evaluated(tmp_path, 1).splitlines() if line.startswith("same.csv")]
    assert found == [["same.csv:4:", "E321"], ["same.csv:5:", "E150"], ["same.csv:5:", "E314"]]


def test_keys_of_a_package_are_its_own(tmp_path):
    """A package may have keys that tdtsql has for other tasks, with another meaning; it has no other keys."""
    keys = '"key": "file", "index": "files", "mapping": "text", "languages": "number", "nt": "text", "gold": "flag"'
    written(tmp_path, "owned", [("__init__.py", '"key": "file"', keys)])
    install(tmp_path, "owned")
    own = 'key = "key.csv"\nindex = ["key.csv"]\nmapping = "one"\nlanguages = 3\nnt = "x"\ngold = true\n'
    bundle(tmp_path, "owned", own)
    evaluated(tmp_path)
    for key, said in (
        ('training = "key.csv"\n', "E701 condition 'c' has an unknown key ('training')"),
        ('gold = "no"\n', "E703 condition 'c': gold is not a true or false ('no')"),
    ):
        bundle(tmp_path, "owned", f'key = "key.csv"\n{key}')
        assert f"bundle.toml:8: {said}" in evaluated(tmp_path, 1)


def test_views_in_another_order_than_that_of_their_names(tmp_path):
    """Opening the store compares its views with their definitions, which are made in the order of what they read."""
    pair, score = "sql/metric/late/pair__v1.sql", "sql/metric/late/score__v1.sql"
    code = written(tmp_path, "late")
    for path in (code / "sql").rglob("*.sql"):
        path.write_text(path.read_text().replace("late_pair__v1", "late_within__v1"))
    (code / pair).rename((code / score).with_name("within__v1.sql"))
    lock_folder(tmp_path / "late" / "source")
    install(tmp_path, "late")
    bundle(tmp_path, "late")
    evaluated(tmp_path)
    call(tmp_path, "run list --db s.duckdb")
