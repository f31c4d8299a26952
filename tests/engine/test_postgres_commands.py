"""Every command says of a store in PostgreSQL what it says of the same one in a file: byte for byte, but for the
engine's name.
"""

import base64
import gzip
import re
import shutil
import zipfile
from pathlib import Path

import click
import duckdb
import pytest
from click.testing import CliRunner

from tdtsql.cli.main import cli

pytestmark = pytest.mark.engine

BUNDLE = Path(__file__).resolve().parents[2] / "fixtures" / "example" / "bundle.toml"
MINI = Path(__file__).resolve().parents[2] / "fixtures" / "malformed" / "bundle" / "base_tdt"

READING = {
    "run list": "run list",
    "run show": "run show osprey",
    "corpus list": "corpus list",
    "corpus show": "corpus show example",
    "corpus conditions": "corpus conditions",
    "condition list": "condition list --format csv",
    "profile list": "profile list --format csv",
    "profile show": "profile show tdt2004 --format csv",
    "check": "check",
    "corpus cost": "corpus cost example",
    "score": "score --format csv",
    "score of one": "score osprey --condition trk-eng-1 --metric c_det_norm --format json",
    "score per block": "score --per-topic --format csv",
    "score curve": "score osprey --condition trk-eng-1 --curve --format csv",
    "score all points": "score sparrow --condition link-mul-10 --curve --all-points --format csv",
    "score curve of a subset": "score osprey --condition trk-eng-1 --curve --subset language=ENGLISH --format csv",
    "score distributions": "score --distributions --format csv",
    "compare": "compare osprey kestrel sparrow --condition trk-eng-1 --permutations 200 --resamples 200 --profile "
    "tdt2004 --format csv",
    "compare det": "compare osprey kestrel --condition trk-eng-1 --det --resamples 200 --profile tdt2004 --format csv",
    "compare per topic": "compare osprey kestrel --condition new-eng-10 --per-topic --profile tdt2004 --format csv",
    "compare ranks": "compare osprey kestrel sparrow --condition trk-eng-1 --ranks --resamples 200 --profile tdt2004 "
    "--format csv",
    "compare reproduce": "compare osprey kestrel --condition trk-eng-1 --reproduce --profile tdt2004 --format csv",
    "leaderboard": "leaderboard --format csv",
    "plot path": "plot path osprey {vertex} --condition htd-mul --format csv",
    "metric impact": "metric impact --format csv",
    "metric lineage": "metric lineage c_det_norm --format csv",
    "metric diff": "metric diff c_det_norm tdt2004 tdt3eval --format csv",
    "adjudicate": "adjudicate --format csv",
    "adjudicate effect": "adjudicate --effect --format csv",
    "ledger list": "ledger list --format csv",
    "ledger head": "ledger head",
    "ledger verify": "ledger verify",
    "ledger verify quick": "ledger verify --quick",
    "explain a run": "explain osprey c_det_norm --condition trk-eng-1",
    "explain a topic": "explain osprey p_miss {topic} --condition trk-eng-1 --source-dir {bundle}",
    "audit": "audit --verbose --format csv",
    "verify": "verify {signature} --format csv",
    "sql query": "sql query 'select run_id, condition_id, metric, value from report.score order by run_id, "
    "condition_id, profile_id, subset, metric, weighting' --format csv",
    "sql query of a view": "sql query 'select run_no, profile_no, subset_no, block_no, n_target, n_nontarget from "
    "metric.detection_count order by 1, 2, 3, 4' --format csv",
    "ask": "ask worst_topics --run osprey --format csv",
    "ask decisions": "ask late_nuggets --format csv",
    "sql schema": "sql schema --format csv",
    "sql schema of one": "sql schema report.score --format csv",
}

#: what a command group has that is tested below, or needs no store
ELSEWHERE = {
    "evaluate",
    "example",
    "run add",
    "run calibrate",
    "run check",
    "run drop",
    "corpus add",
    "corpus drop",
    "report make",
    "plot det",
    "plot hierarchy",
    "stats subsets",
    "gate",
    "run label",
    "run rename",
    "run restore",
    "run withdraw",
    "metric add",
    "metric check",
    "metric drop",
    "metric new",
    "metric new-version",
    "metric try",
    "task check",
    "task list",
    "task lock",
    "task new",
    "metric list",
    "metric show",
    "metric cite",
    "archive pack",
    "archive verify",
    "archive diff",
    "export",
    "copy",
    "sql render",
    "serve",
}


def ran(line: str, db: object, status: int = 0) -> str:
    """Return what a command prints, with what the two stores may differ in taken out."""
    import shlex

    result = CliRunner().invoke(cli, [*shlex.split(line), "--db", str(db)])
    assert result.exit_code == status, (result.output, result.exception)
    return plain(result.output, db)


def plain(text: str, db: object) -> str:
    """Return a text without the engine's version, the store's place, times, and hashes over them."""
    text = text.replace(str(db), "STORE").replace(str(db).rsplit("/", 1)[-1], "STORE")
    text = re.sub(r"\+PostgreSQL-[0-9.]+", "", text)
    return re.sub(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", "TIME", text)


def groups(group=cli, path=()):
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from groups(command, (*path, name))
        else:
            yield " ".join((*path, name))


def test_every_command_is_here():
    reading = {
        words[0] if words[0] in set(groups()) else " ".join(words[:2])
        for words in (line.split() for line in READING.values())
    }

    assert reading | ELSEWHERE == set(groups())


@pytest.mark.parametrize("name", READING)
def test_a_command_says_the_same(name, example, server):
    path, database = example
    with duckdb.connect(str(path), read_only=True) as connection:
        topic = connection.execute(
            "select min(block_id) from report.block_score where condition_id = 'trk-eng-1'"
        ).fetchall()[0][0]
    signature = re.search(
        r"c_det_norm:v\d+\|\S+",
        ran("score osprey --condition trk-eng-1 --metric c_det_norm --subset all --profile tdt2004 --format csv", path),
    )[0]
    said = []
    for db in (path, server.address(database)):
        long = signature
        if name == "verify" and db != path:
            long = signature.replace(
                "|duckdb:" + duckdb.__version__, f"|duckdb:{duckdb.__version__}+PostgreSQL-{version(server)}"
            )
        said.append(
            ran(
                READING[name].format(topic=topic, signature=f"'{long}'", bundle=BUNDLE.parent, vertex=topic_of(path)),
                db,
            )
        )
    if name in ("ledger list", "ledger head"):  # hashes of entries with another engine's name in them
        said = [re.sub(r"[0-9a-f]{64}", "HASH", text) for text in said]

    assert said[0] == said[1]
    assert said[0]


def version(server) -> str:
    number = int(server.psql("show server_version_num"))
    return f"{number // 10000}.{number % 10000}"


def test_drawings_are_the_same(example, server, tmp_path):
    path, database = example
    for number, db in enumerate((path, server.address(database))):
        ran(f"plot det -o {tmp_path}/{number}.svg --condition trk-eng-1 --profile tdt2004", db)
        ran(f"plot hierarchy -o {tmp_path}/{number}h.svg osprey {topic_of(path)} --condition htd-mul", db)

    assert (tmp_path / "0.svg").read_text() == (tmp_path / "1.svg").read_text()
    assert (tmp_path / "0h.svg").read_text() == (tmp_path / "1h.svg").read_text()


def topic_of(path) -> str:
    with duckdb.connect(str(path), read_only=True) as connection:
        return connection.execute(
            "select min(block_id) from report.block_score where condition_id = 'htd-mul'"
        ).fetchall()[0][0]


def test_the_page_is_the_same(example, server, tmp_path):
    path, database = example
    pages = []
    for number, db in enumerate((path, server.address(database))):
        ran(f"report make {tmp_path}/{number}.html --title Same", db)
        page = (tmp_path / f"{number}.html").read_text()
        packed = re.findall("H4sI[A-Za-z0-9+/=]+", page)
        pages.append(
            plain(
                re.sub("H4sI[A-Za-z0-9+/=]+", "PACKED", page)
                + "".join(gzip.decompress(base64.b64decode(text)).decode() for text in packed),
                db,
            )
        )

    assert re.sub(r"[0-9a-f]{64}", "HASH", pages[0]) == re.sub(r"[0-9a-f]{64}", "HASH", pages[1])


def test_exports_are_the_same(example, server, tmp_path):
    path, database = example
    said = [
        ran(f"export {tmp_path}/{number}", db).replace(f"{tmp_path}/{number}", "")
        for number, db in enumerate((path, server.address(database)))
    ]
    files = [
        sorted(str(file.relative_to(tmp_path / number)) for file in (tmp_path / number).rglob("*.parquet"))
        for number in "01"
    ]

    assert said[0] == said[1]
    assert files[0] == files[1]
    for file in files[0]:
        rows = [
            duckdb.sql(
                f"select * from read_parquet('{tmp_path / number / file}', hive_partitioning = false)"
            ).fetchall()
            for number in "01"
        ]
        assert plain(repr(rows[0]), path) == plain(repr(rows[1]), path), file


def test_an_archive_can_be_computed_again(example, server, tmp_path):
    path, database = example
    ran(f"archive pack {tmp_path}/0.zip --tag x", path)
    ran(f"archive pack {tmp_path}/1.zip --tag x", server.address(database))
    result = CliRunner().invoke(cli, ["archive", "verify", f"{tmp_path}/1.zip"])

    assert result.exit_code == 0, result.output
    with zipfile.ZipFile(f"{tmp_path}/0.zip") as one, zipfile.ZipFile(f"{tmp_path}/1.zip") as other:
        assert one.namelist() == other.namelist()
        assert plain(one.read("results.json").decode(), "no store") == plain(
            other.read("results.json").decode(), "no store"
        )


def test_runs_and_corpora_come_and_go(example, server, tmp_path):
    path, database = example
    copy = tmp_path / "copy.duckdb"
    shutil.copyfile(path, copy)
    there = server.address(server.database(database))
    tidy = tmp_path / "mine.csv"
    with duckdb.connect(str(path), read_only=True) as connection:
        connection.sql(
            "select pair.id_1 as story_id_1, pair.id_2 as story_id_2, case when pair.trial_no % 3 = 0 then 'yes' else "
            "'no' end as decision, "
            "sin(pair.trial_no) as score from base.link_pair as pair join registry.condition as condition using "
            "(condition_no) "
            "where condition_id = 'link-mul-10' order by pair.trial_no"
        ).write_csv(str(tidy))
    for line in (
        f"run check --id mine {tidy} --condition link-mul-10",
        f"run add --id mine {tidy} --condition link-mul-10",
        "score mine --format csv",
        "run drop sparrow --yes",
        "run list",
        "score --format csv",
        "score --per-topic --format csv",
        f"evaluate {BUNDLE} --format csv",
        "score --format csv",
        "audit",
        "ledger verify",
        "corpus drop example --yes",
        "run list",
        "corpus list",
        "ledger verify --quick",
        "audit",
        f"corpus add {BUNDLE}",
        "corpus show example",
        f"evaluate {BUNDLE} --format csv",
        "score --format csv",
        "audit",
        "ledger verify",
    ):
        here, elsewhere = (ran(line, store) for store in (copy, there))
        assert here == elsewhere, line
