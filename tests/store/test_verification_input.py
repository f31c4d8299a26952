"""Keys and scores of detection trials: five formats, one way each through the engine and through the reader, and what
is said of broken ones.
"""

import gzip
import math
import shutil
import tomllib
from pathlib import Path

import pytest

import tdtsql
from tdtsql.loading.bundle import evaluate_into
from tdtsql.cli.output import print_problems
from tdtsql.errors import InvalidInput, UnknownName, WrongCall
from tdtsql.scoring.subsets import make_product

pytestmark = pytest.mark.usefixtures("unscored")

FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "malformed" / "verification"
CASES = tomllib.loads((FOLDER / "expected.toml").read_text(encoding="utf-8"))
ACCEPTED = {name for name in CASES if name.startswith("accepted_")}
#: tables that hold what was read
TABLES = (
    *(
        "base.verification_trial base.verification_segment base.verification_attribute base.decision base.subset "
        "base.subset_cell base.block"
    ).split(),
)

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


def write(folder, key, scores, *, condition="", run="", ending="csv"):
    """Write a key, scores and their bundle; returns its path."""
    for name, text in (("key", key), ("scores", scores)):
        (folder / f"{name}.{ending}").write_bytes(
            gzip.compress(text.encode()) if ending.endswith(".gz") else text.encode()
        )
    path = folder / "bundle.toml"
    if "profile" not in condition:
        condition += '\nprofile = ["tdt2004"]'
    path.write_text(
        f'[corpus]\nid = "k"\n[[condition]]\nid = "c"\ntask = "verification"\nkey = "key.{ending}"\n{condition}\n'
        f'[[run]]\nid = "s"\ncondition = "c"\nfiles = ["scores.{ending}"]\n{run}\n'
    )
    return path


def table(rows, header):
    return "\n".join([header, *(",".join(row) for row in rows)]) + "\n"


def plain_key():
    return table(KEY, "trial_id,label,codec,attack")


def plain_scores(scores=SCORES):
    return table([(name, repr(score)) for name, score in sorted(scores.items(), reverse=True)], "trial_id,score")


def rows(store, name):
    return store.sql(f"select * from {name} order by all").fetchall()


def number(store, metric, subset="all", weighting="story"):
    [(value,)] = store.sql(
        f"select value from report.score where metric = '{metric}' and subset = '{subset}' and weighting = "
        f"'{weighting}'"
    ).fetchall()
    return value


@pytest.fixture(scope="module")
def loaded(tmp_path_factory):
    """Return a store with good trials in it, and what was said of them."""
    with tdtsql.connect(":memory:") as store:
        report = evaluate_into(store.engine, write(tmp_path_factory.mktemp("good"), plain_key(), plain_scores()))
        store.refresh()
        yield store, report


@pytest.fixture(scope="module")
def filled(loaded):
    return loaded[0]


def test_there_is_a_folder_for_each_case_and_five_formats():
    assert CASES.keys() == {path.name for path in FOLDER.iterdir() if path.is_dir()}
    assert {"tidy", "kaldi", "voxceleb", "sre", "asvspoof"} <= {name.partition("_")[0] for name in CASES}
    assert len(CASES) - len(ACCEPTED) >= 40


@pytest.mark.sample(8)
@pytest.mark.parametrize("name", sorted(set(CASES) - ACCEPTED))
def test_a_broken_input_is_said_with_its_place_and_nothing_is_stored(name, filled, monkeypatch, capsys):
    before = {one: rows(filled, one) for one in (*TABLES, "registry.condition", "registry.run", "ledger.entry")}
    monkeypatch.chdir(FOLDER / name)

    with pytest.raises(InvalidInput) as caught:
        evaluate_into(filled.engine, Path("bundle.toml"))

    print_problems(caught.value.problems, is_refused=True)
    *lines, tally = capsys.readouterr().err.splitlines()
    assert lines == CASES[name]["lines"] and lines
    assert tally.endswith("Nothing was stored.")
    assert {one: rows(filled, one) for one in before} == before


@pytest.mark.parametrize("name", sorted(ACCEPTED))
@pytest.mark.sample(2)
def test_an_odd_input_is_loaded_and_said(name, monkeypatch, capsys):
    monkeypatch.chdir(FOLDER / name)
    with tdtsql.connect(":memory:") as store:
        report = evaluate_into(store.engine, Path("bundle.toml"))
        [(n_trial, n_decision)] = store.sql(
            "select (select count(*) from base.verification_trial), (select count(*) from base.decision)"
        ).fetchall()

    print_problems(report.warnings)
    assert capsys.readouterr().err.splitlines()[:-1] == CASES[name]["lines"]
    assert n_trial == n_decision > 0


# ---- formats


def test_counts_and_minimum_costs_come_from_the_detection_views(filled):
    # below 1.5 stand t7 0, t2 .5, t5 .75, t3 1: the best threshold under p_target .02, c_miss 1, c_fa .1 accepts t9, t1
    # and t8 no more
    assert (number(filled, "n_target"), number(filled, "n_nontarget")) == (4, 5)
    assert number(filled, "min_c_det_norm") == pytest.approx(0.5) and number(filled, "min_threshold") == 2.0
    assert filled.sql("select count(*) from base.detection_trial__v1 where is_scored = 1").fetchall() == [(9,)]
    assert filled.sql("select sum(is_target), count(*) from base.scored_decision__v1").fetchall() == [(4, 9)]


def test_without_decisions_the_numbers_of_hard_decisions_are_undefined(filled, tmp_path):
    for metric in ("n_hit", "n_false_alarm", "n_miss", "n_correct_rejection", "p_miss", "p_fa", "c_det", "c_det_norm"):
        assert filled.sql(f"select distinct value, n from report.score where metric = '{metric}'").fetchall() == [
            (None, 0)
        ], metric
    assert filled.sql(
        "select distinct value from report.block_score where metric in ('n_hit', 'p_miss', 'p_fa', 'c_det', 'utility')"
    ).fetchall() == [(None,)]

    decided = table(
        [(name, repr(score), "yes" if score >= 1 else "no") for name, score in SCORES.items()],
        "trial_id,score,decision",
    )
    with tdtsql.evaluate(write(tmp_path, plain_key(), decided)) as store:
        store.refresh()
        # yes: t1 t3 t9 of four targets, t8 of five others
        assert (
            number(store, "n_hit"),
            number(store, "n_false_alarm"),
            number(store, "p_miss"),
            number(store, "p_fa"),
        ) == (3, 1, 1 / 4, 1 / 5)
        # a trial has no topic: what the corpus does not say is no reason to judge t8 again
        assert store.sql(
            "select n_run_yes, is_default_no, is_incomplete, is_cross_language, n_reason "
            "from metric.adjudication_candidate__v1"
        ).fetchall() == [(1, 0, 0, 0, 0)]


# ---- subsets and blocks


def test_an_attribute_is_a_subset_and_one_that_a_class_lacks_restricts_the_other(loaded):
    store, report = loaded

    assert store.sql("select subset, kind from base.subset order by subset_no").fetchall() == [
        ("all", "all"),
        ("attack=A1", "attribute of non-targets"),
        ("attack=A2", "attribute of non-targets"),
        ("codec=C1", "attribute"),
        ("codec=C2", "attribute"),
    ]
    counts = {
        name: (number(store, "n_target", name), number(store, "n_nontarget", name))
        for name in ("all", "attack=A1", "attack=A2", "codec=C1", "codec=C2")
    }
    # of A1 (t4 t6 t8) the best threshold lies above t8: 2 of 4 targets
    assert number(store, "min_c_det_norm", "attack=A1") == pytest.approx(0.5)
    assert counts == {"all": (4, 5), "attack=A1": (4, 3), "attack=A2": (4, 2), "codec=C1": (3, 2), "codec=C2": (1, 3)}
    assert "condition c: no target has attribute attack: its subsets restrict the non-targets alone" in report.notes


def test_blocks_are_the_product_of_attributes(tmp_path):
    key = table(
        [
            ("a", "target", "f", "1"),
            ("b", "target", "f", "2"),
            ("c", "target", "m", "1"),
            ("d", "nontarget", "f", "1"),
            ("e", "nontarget", "m", "1"),
            ("f", "nontarget", "m", "1"),
        ],
        "trial_id,label,gender,enrolments",
    )
    scores = "trial_id,score,decision\na,1,no\nb,1,yes\nc,1,yes\nd,1,yes\ne,1,no\nf,1,yes\n"
    with tdtsql.evaluate(write(tmp_path, key, scores, condition='blocks = ["gender", "enrolments"]')) as store:
        store.refresh()
        assert store.sql("select block_id from base.block order by block_no").fetchall() == [
            ("gender=f,enrolments=1",),
            ("gender=f,enrolments=2",),
            ("gender=m,enrolments=1",),
        ]
        # misses: 1 of 1, 0 of 1, 0 of 1; false alarms: 1 of 1, none there, 1 of 2
        assert number(store, "p_miss", weighting="topic") == pytest.approx(1 / 3) and number(
            store, "p_fa", weighting="topic"
        ) == pytest.approx((1 + 1 / 2) / 2)
        assert number(store, "p_miss", weighting="story") == pytest.approx(1 / 3) and number(
            store, "p_fa", weighting="story"
        ) == pytest.approx(2 / 3)
        assert (number(store, "n_target", "gender=f"), number(store, "n_nontarget", "enrolments=2")) == (2, 0)


# ---- scores


@pytest.fixture(scope="module")
def pair():
    with tdtsql.connect(":memory:") as store:
        store.add_corpus("k")
        yield store


@pytest.mark.parametrize(
    ("scores", "given", "kept", "kind"),
    [
        ("llr", "-1.5", -1.5, "llr"),
        ("score", "-1.5", -1.5, "score"),
        ("probability", "0.25", math.log(1 / 3), "llr"),
        ("probability", "1", math.inf, "llr"),
        ("probability", "0", -math.inf, "llr"),
        ("log10lr", "2", 2 * math.log(10), "llr"),
    ],
)
def test_scores_become_natural_logarithms_of_likelihood_ratios(pair, scores, given, kept, kind):
    key = {"trial_id": ["a", "b"], "label": ["target", "nontarget"]}
    pair.add_condition("c", corpus="k", task="verification", key=key, profile=["tdt2004"], scores=scores)
    pair.add_run("s", condition="c", scores={"trial_id": ["a", "b"], "score": [given, "0.5"]})
    [value] = pair.engine.column("select score from base.decision where trial_no = 1")
    assert value == pytest.approx(kept, rel=1e-15)
    assert pair.engine.rows("select score_kind, scores from registry.condition") == [(kind, scores)]


def test_several_runs_in_one_file(tmp_path):
    scores = "run_id,trial_id,score\n" + "".join(
        f"{run},{name},{score + add}\n" for run, add in (("r1", 0), ("r2", 1)) for name, score in SCORES.items()
    )
    path = write(tmp_path, plain_key(), scores)
    path.write_text(path.read_text().replace('[[run]]\nid = "s"\n', "[[run]]\n"))
    with tdtsql.evaluate(path) as store:
        assert store.sql(
            "select run_id, min(score), n_row from registry.run join base.decision using (run_no) group by all order "
            "by 1"
        ).fetchall() == [("r1", -2.0, 9), ("r2", -1.0, 9)]


def test_the_same_rows_have_the_same_hash_in_any_order(filled, tmp_path):
    lines = plain_scores().splitlines()
    with tdtsql.evaluate(write(tmp_path, plain_key(), "\n".join([lines[0], *sorted(lines[1:])]) + "\n")) as store:
        store.refresh()
        assert (
            store.sql("select content_sha256 from registry.run").fetchall()
            == filled.sql("select content_sha256 from registry.run").fetchall()
        )
        assert (
            store.sql("select metric, value from report.score order by all").fetchall()
            == filled.sql("select metric, value from report.score order by all").fetchall()
        )


def test_evaluating_again_keeps_all(tmp_path):
    path = write(tmp_path, plain_key(), plain_scores())
    with tdtsql.evaluate(path) as store:
        report = evaluate_into(store.engine, path)

        assert {"condition:c", "run:c/s"} <= set(report.kept)
        assert store.sql(
            "select count(*) from duckdb_tables() where temporary and table_name like 'trial_row%'"
        ).fetchall() == [(0,)]


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


def subsets_of(folder, key, condition=""):
    """Evaluate a key of four trials or more under its scores; return the subsets and the store."""
    store = tdtsql.evaluate(write(folder, key, SCORES_OF_FOUR, condition=condition), db=folder / "s.duckdb")
    with store:
        found = store.engine.column("select subset from base.subset order by subset_no")
        codes = store.engine.column("select code from registry.problem order by 1")
        units = store.engine.column("select distinct attribute from base.verification_attribute order by 1")
        with pytest.raises(UnknownName, match="attack=-' is unknown. `-` in a key"):  # the door of score --subset
            make_product(store.engine, "attack=-")
    (folder / "s.duckdb").unlink()
    return found, codes, units


SCORES_OF_FOUR = "trial_id,score\n" + "".join(f"t{number},1\n" for number in range(4))


@pytest.mark.parametrize(("name", "codes"), [("1.2E+18", ["W949", "W971"]), ("12E18", ["W949"])])
def test_ids_that_a_spreadsheet_rounded_are_warned_of(tmp_path, name, codes):
    """A hash with an E is none."""
    key, scores = f"trial_id,label\nt1,target\n{name},nontarget\n", f"trial_id,score\nt1,1\n{name},1\n"
    with tdtsql.evaluate(write(tmp_path, key, scores), db=tmp_path / "s.duckdb") as store:
        assert store.engine.column("select code from registry.problem order by 1") == codes


def test_subsets_are_those_of_the_condition_and_a_dash_in_both_classes_is_a_value(tmp_path):
    """The codec has - and C1 in both classes; the attack has - in targets alone, so all targets are in its subsets."""
    key = "trial_id,label,codec,attack\nt0,target,-,-\nt1,target,C1,-\nt2,nontarget,-,A1\nt3,nontarget,C1,A1\n"
    found, codes, _ = subsets_of(tmp_path, key)
    assert found == ["all", "attack=A1", "codec=-", "codec=C1"]
    assert codes == ["W949"]  # all scores are 1
    # an empty cell is no value, and neither is - where one class has nothing else
    assert subsets_of(tmp_path, key.replace(",-,", ",,"))[0] == ["all", "attack=A1", "codec=C1"]
    assert subsets_of(tmp_path, key.replace("t1,target,C1", "t1,target,-"))[0] == ["all", "attack=A1", "codec=C1"]
    for condition, wanted in (('["codec"]', ["all", "codec=-", "codec=C1"]), ("[]", ["all"])):
        found, codes, units = subsets_of(tmp_path, key, f"subsets = {condition}")
        assert (found, units) == (wanted, ["attack", "codec"])
    with pytest.raises(InvalidInput, match="E954 the key has no attribute of the name in subsets"):
        subsets_of(tmp_path, key, 'subsets = ["kodec"]')


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
        "paper": lambda store: store.score().paper() and store.score(subset=asked).paper(),
        "explain": lambda store: store.explain("s", "eer", subset=asked) and store.score("s", subset=asked),
    }
    with tdtsql.evaluate(write(tmp_path, plain_key(), plain_scores()), db=path) as store:
        store.refresh()
    found = {}
    for read_only, name in [*((True, name) for name in curves), *((False, name) for name in doors)]:
        own = path if read_only else shutil.copy(path, tmp_path / f"{name}.duckdb")
        with tdtsql.connect(own, read_only=read_only) as store:
            answer = doors[name](store)
            assert {*answer.project("subset").fetchall()} == {(product,)}, name
            if name == "curve":
                found[read_only] = answer.project("threshold, p_miss, p_fa").fetchall()
            assert read_only or number(store, "eer", product) == 0.5
            asked = "codec=C2,codec=C1"
            with pytest.raises(WrongCall, match="names codec twice"):
                doors[name](store)
            asked = "codec=C2,attack=A1"
    # targets of codec C2: 1.0; non-targets of C2 and A1: -2.0 and 1.5
    assert found[True] == found[False] == [(None, 1, 0), (1.5, 1, 0.5), (1.0, 0, 0.5), (-2.0, 0, 1)]
