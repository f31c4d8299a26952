"""Keys and scores of detection trials, from files and from Python; broken ones: test_malformed_bundles."""

import math
import shutil

import pytest

import tdtsql
from lanes import both, number
from tdtsql.errors import InvalidInput, UnknownName, WrongCall
from tdtsql.scoring.subsets import make_product

pytestmark = pytest.mark.usefixtures("unscored")

#: tables that hold what was read
TABLES = (
    "base.verification_trial base.verification_segment base.verification_attribute base.decision base.subset "
    "base.subset_cell base.block"
).split()

#: nine trials of two attributes; bona fide trials have no attack
KEY = [
    ("t1", "target", "C1", ""),
    ("t2", "target", "C1", ""),
    ("t3", "target", "C2", ""),
    ("t4", "nontarget", "C1", "A1"),
    ("t5", "nontarget", "C1", "A2"),
    ("t6", "nontarget", "C2", "A1"),
    ("t7", "nontarget", "C2", "A2"),
    ("t8", "nontarget", "C2", "A1"),
    ("t9", "target", "C1", ""),
]
SCORES = {"t1": 2.0, "t2": 0.5, "t3": 1.0, "t4": -1.0, "t5": 0.75, "t6": -2.0, "t7": 0.0, "t8": 1.5, "t9": 3.0}


def write(folder, key, scores, *, condition=""):
    """Write a key, scores and their bundle; returns its path."""
    (folder / "key.csv").write_text(key)
    (folder / "scores.csv").write_text(scores)
    (folder / "bundle.toml").write_text(
        f'[corpus]\nid = "k"\n[[condition]]\nid = "c"\ntask = "verification"\nkey = "key.csv"\n{condition}\n'
        'profile = ["tdt2004"]\n[[run]]\nid = "s"\ncondition = "c"\nfiles = ["scores.csv"]\n'
    )
    return folder / "bundle.toml"


def table(rows, header):
    return "\n".join([header, *(",".join(row) for row in rows)]) + "\n"


def plain_key():
    return table(KEY, "trial_id,label,codec,attack")


def plain_scores(scores=SCORES):
    return table([(name, repr(score)) for name, score in sorted(scores.items(), reverse=True)], "trial_id,score")


def rows(store, name):
    return store.sql(f"select * from {name} order by all").fetchall()


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """Return a store with good trials in it."""
    with tdtsql.evaluate(write(tmp_path_factory.mktemp("good"), plain_key(), plain_scores())) as store:
        store.refresh()
        yield store


# ---- products of subsets, frames


def frames():
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    columns = {
        "trial_id": [row[0] for row in KEY],
        "label": [row[1] for row in KEY],
        "codec": [row[2] for row in KEY],
        "attack": [row[3] or None for row in KEY],
    }
    scores = {"trial_id": list(SCORES), "score": list(SCORES.values())}
    return {
        "pandas": (pandas.DataFrame(columns), pandas.DataFrame(scores)),
        "polars": (polars.DataFrame(columns), polars.DataFrame(scores).to_arrow()),
        "lists": (columns, scores),
    }


@pytest.mark.parametrize("kind", ["pandas", "polars", "lists"])
@pytest.mark.sample(1)
def test_columns_from_python_are_the_rows_of_files(kind, filled):
    key, scores = frames()[kind]
    with tdtsql.connect(":memory:") as store:
        store.add_corpus("k")
        store.add_condition("c", corpus="k", task="verification", key=key, profile=["tdt2004"])
        assert store.add_run("s", condition="c", scores=scores) == []

        assert {one: rows(store, one) for one in TABLES} == {one: rows(filled, one) for one in TABLES}
        assert (
            store.sql("select content_sha256 from registry.run").fetchall()
            == filled.sql("select content_sha256 from registry.run").fetchall()
        )
        assert store.score(run="s", metric="min_c_det_norm", subset="all", weighting="story").fetchall()[0][
            7
        ] == pytest.approx(0.5)
        with pytest.raises(InvalidInput, match="E952"):
            store.add_run("s", condition="c", decisions={"trial_id": ["t1", "t1"], "score": [1.0, 2.0]})
        with pytest.raises(InvalidInput, match="E305"):
            store.add_run("s", condition="c", scores={"trial_id": ["t1"], "score": [math.nan]})
        with pytest.raises(WrongCall, match="decisions=... or as scores="):
            store.add_run("s", condition="c")


def test_an_attribute_of_many_values_is_a_unit_and_no_subset(tmp_path):
    """41 speakers make none without `subsets`, and 41 with it."""
    rows = [(f"t{number}", ("target", "nontarget")[number % 2], f"s{number}") for number in range(41)]
    key = "trial_id,label,speaker\n" + "".join(",".join(row) + "\n" for row in rows)
    scores = "trial_id,score\n" + "".join(f"{row[0]},{number}\n" for number, row in enumerate(rows))
    with tdtsql.evaluate(write(tmp_path, key, scores), db=tmp_path / "s.duckdb") as store:
        assert store.engine.column("select subset from base.subset") == ["all"]
        assert "W944" in store.engine.column("select code from registry.problem")
        assert store.engine.value("select count(distinct value) from base.verification_attribute") == 41
    with tdtsql.evaluate(
        write(tmp_path, key, scores, condition='subsets = ["speaker"]'), db=tmp_path / "s.duckdb"
    ) as store:
        assert len(store.engine.column("select subset from base.subset")) == 42


@both
def test_a_product_of_subsets_has_one_name_at_every_door(tmp_path):
    """Its parts are in any order, it is computed on request, and a read-only store draws its curve too."""
    asked, product, path = "codec=C2,attack=A1", "attack=A1,codec=C2", tmp_path / "s.duckdb"
    curves = {
        "curve": lambda store: store.det_curve("s", weighting="story", subset=asked),
        "hull": lambda store: store.hull("s", subset=asked),
        "curves": lambda store: store.ask("det_curves", subset=asked),
    }
    doors = curves | {
        "score": lambda store: store.score("s", subset=asked),
        "board": lambda store: store.leaderboard(subset=asked),
        "explain": lambda store: store.explain("s", "eer", subset=asked) and store.score("s", subset=asked),
    }
    with tdtsql.evaluate(write(tmp_path, plain_key(), plain_scores()), db=path) as store:
        store.refresh()
    found = {}
    some = number(default=2, full=1)
    for read_only, name in [
        *((True, name) for name in [*curves][::some]),
        *((False, name) for name in [*doors][::some]),
    ]:
        own = path if read_only else shutil.copy(path, tmp_path / f"{name}.duckdb")
        with tdtsql.connect(own, read_only=read_only) as store:
            answer = doors[name](store)
            assert {*answer.project("subset").fetchall()} == {(product,)}, name
            if name == "curve":
                found[read_only] = answer.project("threshold, p_miss, p_fa").fetchall()
            eer = "select value from report.score where metric = 'eer' and subset = ? and weighting = 'story'"
            assert read_only or store.engine.value(eer, [product]) == 0.5
            asked = "codec=C2,codec=C1"
            with pytest.raises(WrongCall, match="names codec twice"):
                doors[name](store)
            asked = "codec=C2,attack=A1"
    # targets of codec C2: 1.0; non-targets of C2 and A1: -2.0 and 1.5
    assert found[True] == found[False] == [(None, 1, 0), (1.5, 1, 0.5), (1.0, 0, 0.5), (-2.0, 0, 1)]


def test_a_dash_is_the_name_of_no_subset(filled):
    with pytest.raises(UnknownName, match="attack=-' is unknown. `-` in a key"):  # the door of score --subset
        make_product(filled.engine, "attack=-")
