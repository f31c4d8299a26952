"""Scored trials: subset tables, figures and leaderboards.

key   12 trials of bona fide speech without an attack, 24 of attacks A1 and <A2>, each in codec C0 or C1
"""

import pytest

import tdtsql
from loads import unscored_loads


N = 36
KEY = {
    "trial_id": [f"t{number:02}" for number in range(N)],
    "label": ["target" if number % 3 == 0 else "nontarget" for number in range(N)],
    "attack": [None if number % 3 == 0 else "A1" if number % 3 == 1 else "<A2>" for number in range(N)],
    "codec": [f"C{number // 3 % 2}" for number in range(N)],
    "file": [f"f{number}" for number in range(N)],
}
#: a tie of everything in ``flat``, an infinite score in ``mine``
SYSTEMS = {
    "mine & co": [float("inf") if number == 0 else number % 7 - (number % 3) * 1.5 for number in range(N)],
    "flat": [0.0] * N,
}


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("trials") / "trials.duckdb"
    with unscored_loads(), tdtsql.connect(path) as store:
        store.add_corpus("k")
        store.add_condition("la", corpus="k", task="verification", key=KEY, profile=["voxsrc", "kaldi"])
        for name, scores in SYSTEMS.items():
            store.add_run(name, condition="la", scores={"trial_id": KEY["trial_id"], "score": scores})
        store.add_condition(
            "plain",
            corpus="k",
            task="verification",
            key={name: KEY[name] for name in ("trial_id", "label")},
            profile=["voxsrc"],
        )
        store.add_run("flat", condition="plain", scores={"trial_id": KEY["trial_id"], "score": SYSTEMS["flat"]})
        store.refresh()
    return path


@pytest.fixture(scope="module")
def store(path):
    with tdtsql.connect(path, read_only=True) as opened:
        yield opened


# ---- figures and tables of subsets


def lines(figure):
    return {line.get_gid(): line for line in figure.axes[0].lines if line.get_gid()}


def test_a_det_plot_is_square_with_the_diagonal_of_equal_rates_and_a_legend_of_marks(store):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed (pip install 'tdtsql[plot]')")
    figure = store.det_plot("mine & co", condition="la", profile="voxsrc", hull=True)
    [axes] = figure.axes
    assert axes.get_box_aspect() == 1
    assert lines(figure)["equal"].get_xdata().tolist() == lines(figure)["equal"].get_ydata().tolist()
    assert lines(figure).keys() == {"curve-0", "hull-0", "equal"}
    said = [text.get_text() for text in figure.legends[0].get_texts()]
    assert said == ["mine & co", "equal rates", "minimum cost", "convex hull"]
    assert figure.get_suptitle() == "la, voxsrc, pooled over trials"
    figure = store.det_plot("mine & co", condition="la", profile="voxsrc", points=False)
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["mine & co", "equal rates"]


def test_a_curve_for_each_subset(store):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed (pip install 'tdtsql[plot]')")
    figure = store.det_plot("mine & co", condition="la", profile="voxsrc", by="codec")
    assert [lines(figure)[f"curve-{n}"].get_label() for n in range(2)] == ["codec=C0", "codec=C1"]
    figure = store.det_plot(condition="la", profile="voxsrc", subset=["all", "attack=A1"])
    assert [lines(figure)[f"curve-{n}"].get_label() for n in range(4)] == [
        "flat, all",
        "mine & co, all",
        "flat, attack=A1",
        "mine & co, attack=A1",
    ]
    with pytest.raises(tdtsql.errors.UnknownName, match="'language' is unknown. There are attack, codec, file"):
        store.det_plot(condition="la", profile="voxsrc", by="language")
    with pytest.raises(tdtsql.errors.InvalidSetting, match="by 'codec' and subset 'attack=A1' exclude each other"):
        store.det_plot(condition="la", profile="voxsrc", by="codec", subset="attack=A1")


def test_a_value_without_a_class_has_no_curve_beside_those_of_the_others():
    pytest.importorskip("matplotlib", reason="matplotlib is not installed (pip install 'tdtsql[plot]')")
    with tdtsql.connect(":memory:") as store:
        store.add_corpus("k")
        key = {"trial_id": list("abcd"), "label": [1, 0, 0, 0], "codec": ["x", "x", "y", "y"]}
        store.add_condition("c", corpus="k", task="verification", key=key, profile=["voxsrc"])
        store.add_run("a", condition="c", scores={"trial_id": list("abcd"), "score": [2.0, 1.0, 0.5, 3.0]})
        store.score()
        assert lines(store.det_plot("a", by="codec")).keys() == {"curve-0", "equal"}


def test_two_attributes_are_crossed(store):
    table = store.subset_table("mine & co", condition="la", profile="voxsrc", by="attack,codec")
    values = {row[0]: row[1] for row in table.relation.project("subset, value").fetchall()}
    assert len(values) == 3 * 3
    # bona fide trials have no attack: those of the codec count against each attack
    chosen = [n for n in range(N) if KEY["codec"][n] == "C1" and KEY["attack"][n] in (None, "A1")]
    scores = {
        label: [SYSTEMS["mine & co"][n] for n in chosen if KEY["label"][n] == label] for label in set(KEY["label"])
    }
    area = sum(
        (target > other) + (target == other) / 2 for target in scores["target"] for other in scores["nontarget"]
    ) / (len(scores["target"]) * len(scores["nontarget"]))
    auc = store.subset_table("mine & co", condition="la", profile="voxsrc", by="attack,codec", metric="auc")
    found = {row[0]: row[1:] for row in auc.relation.project("subset, value, n_target, n_nontarget, low").fetchall()}
    assert found["attack=A1,codec=C1"] == (pytest.approx(area, abs=1e-15), 6, 6, None)
    [shown] = table.tables()
    assert shown.columns == ["attack \\ codec", "all", "C0", "C1"]
    assert [str(row[0].text) for row in shown.rows] == ["all", "<A2>", "A1"]
    assert shown.rows[2][3].text == f"{values['attack=A1,codec=C1'] * 100:.2f}"
    drawn = store.subset_table("mine & co", condition="la", profile="voxsrc", by="attack,codec", resamples=50)
    assert all(low <= high for low, high in drawn.relation.project("low, high").fetchall())
    with pytest.raises(tdtsql.errors.InvalidSetting, match="not two attributes"):
        store.subset_table(condition="la", by="attack,attack")
