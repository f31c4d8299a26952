"""Every number of the detection family against the definition in exact fractions, for arbitrary small evaluations."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, Phase, given
from lanes import examples
from hypothesis import strategies as st

from trial_model import Answer, Model, Trial, fetch, load, parse, profile_values

PROFILES = {
    "tdt2004": {},
    "f4de": {},
    "tdt3eval": {},
    "equal": {
        "base": "tdt2004",
        "c_miss": 1.0,
        "c_fa": 1.0,
        "p_target": 0.5,
        "topic_cost": "mean_of_costs",
        "topic_cost_minimum": "mean_of_costs",
    },
    "skipping": {"base": "tdt3eval", "fa_topics": "with_target", "topic_cost_minimum": "cost_of_means"},
}
NAMES = list(PROFILES)
TOPICS = ("T1", "T2", "T3", "T4")
N_RUN = 2

# few distinct scores: ties are the rule
answers = st.one_of(
    st.none(), st.builds(Answer, st.booleans(), st.sampled_from([-3.0, -0.5, 0.0, 0.25, 1.0, 1e-300, 7e8]))
)
trials = st.lists(
    st.builds(Trial, st.sampled_from(TOPICS[:3]), st.booleans(), st.tuples(*[answers] * N_RUN)), min_size=1, max_size=14
)
# many evaluations in one store: loading is what takes the time
evaluations = st.lists(trials, min_size=3, max_size=10)
# a failure is shown as found: making it smaller takes minutes
PHASES = [Phase.explicit, Phase.reuse, Phase.generate]
some = examples(default=3, full=40, phases=PHASES, suppress_health_check=[HealthCheck.too_slow])


def same(found, wanted, what, *, tolerance=1e-14):
    assert (found is None) == (wanted is None), (what, found, wanted)
    assert wanted is None or found == pytest.approx(float(wanted), abs=tolerance, rel=1e-14), what


def models(cases, profiles):
    """Return (run number, profile number, model) of everything that ``load`` makes of the cases."""
    run_no = 0
    for case in cases:
        for run in range(N_RUN):
            run_no += 1
            for number, name in enumerate(profiles, start=1):
                yield run_no, number, Model(case, run, profile_values(name, profiles[name]))


def by_key(rows, *names):
    found = {}
    for row in rows:
        found.setdefault(tuple(row[name] for name in names), []).append(row)
    return found


@some
@given(evaluations)
def test_every_number(cases):
    with load({str(number): case for number, case in enumerate(cases)}, PROFILES, all_points=True) as con:
        check_counts_rates_and_costs(con, cases)
        check_all_points_of_the_curves(con, cases)
        check_minimum_points(con, cases)
        check_curve_and_minimum_of_each_block(con, cases)
        check_utilities(con, cases)


def check_counts_rates_and_costs(con, cases):
    rate, count = (
        by_key(fetch(con, "rate"), "run_no", "profile_no"),
        by_key(fetch(con, "count"), "run_no", "profile_no"),
    )
    pooled, topics = (
        by_key(fetch(con, "pooled"), "run_no", "profile_no"),
        by_key(fetch(con, "topic_weighted"), "run_no", "profile_no"),
    )

    for run_no, profile_no, model in models(cases, PROFILES):
        what = (run_no, NAMES[profile_no - 1])
        assert len(rate[run_no, profile_no]) == len(count[run_no, profile_no]) == len(model.topics)
        for topic, row, numbers in zip(model.topics, rate[run_no, profile_no], count[run_no, profile_no], strict=True):
            assert {name: numbers[name] for name in model.counts(topic)} == model.counts(topic), (what, topic)
            p_miss, p_fa = model.rates(topic)
            for name, wanted in {
                "p_miss": p_miss,
                "p_fa": p_fa,
                "c_det": model.cost(p_miss, p_fa),
                "c_det_norm": model.norm(model.cost(p_miss, p_fa)),
            }.items():
                same(row[name], wanted, (what, topic, name))
        [row] = pooled[run_no, profile_no]
        assert {name: row[name] for name in model.counts()} == model.counts()
        p_miss, p_fa = model.rates()
        for name, wanted in {
            "p_miss": p_miss,
            "p_fa": p_fa,
            "c_det_norm": model.norm(model.cost(p_miss, p_fa)),
        }.items():
            same(row[name], wanted, (what, "story", name))
        [row] = topics[run_no, profile_no]
        p_miss, p_fa, cost = model.topic_weighted()
        for name, wanted in {"p_miss": p_miss, "p_fa": p_fa, "c_det": cost, "c_det_norm": model.norm(cost)}.items():
            same(row[name], wanted, (what, "topic", name), tolerance=1e-13)


def check_all_points_of_the_curves(con, cases):
    """Rates, costs, and standard errors against exact variances; under tdt3eval the points of the program's sweep."""
    found = by_key(fetch(con, "det_curve"), "run_no", "profile_no", "weighting")

    for run_no, profile_no, model in models(cases, PROFILES):
        curves = model.program() if model.profile["det_rule"] == "program" else model.curve()
        for weighting, points in curves.items():
            rows = sorted(found.get((run_no, profile_no, weighting), []), key=lambda row: row["point_no"])
            what = (run_no, NAMES[profile_no - 1], weighting)
            assert [row["threshold"] for row in rows] == [point.threshold for point in points], what
            for row, point in zip(rows, points, strict=True):
                here = (*what, point.threshold)
                same(row["p_miss"], point.p_miss, (*here, "p_miss"))
                same(row["p_fa"], point.p_fa, (*here, "p_fa"))
                same(row["c_det"], point.c_det, (*here, "c_det"))
                if weighting == "topic":
                    same(row["p_miss_se"], point.p_miss_se, (*here, "p_miss_se"), tolerance=1e-11)
                    same(row["p_fa_se"], point.p_fa_se, (*here, "p_fa_se"), tolerance=1e-11)


@some
@given(evaluations)
def test_thinned_curves_lose_nothing(cases):
    """Corner points are points of the full curve, the others lie on the lines between them, the minimum is the same.

    Also where some topics do not enter the cost and their non-targets can be accepted at
    no cost: the point is the lowest of the thresholds that cost the same.
    The program's sweep is never thinned.
    """
    named = {str(number): case for number, case in enumerate(cases)}
    with load(named, PROFILES) as con:
        thin, minima = by_key(fetch(con, "det_curve"), "run_no", "profile_no", "weighting"), fetch(con, "det_minimum")
    with load(named, PROFILES, all_points=True) as con:
        full, full_minima = (
            by_key(fetch(con, "det_curve"), "run_no", "profile_no", "weighting"),
            fetch(con, "det_minimum"),
        )

    for row, other in zip(minima, full_minima, strict=True):
        names = ("run_no profile_no weighting min_c_det min_c_det_norm min_threshold min_p_miss min_p_fa").split()
        assert [row[name] for name in names] == [other[name] for name in names]
    assert thin.keys() == full.keys()
    for key, points in full.items():
        points = sorted(points, key=lambda row: row["point_no"])
        if profile_values(NAMES[key[1] - 1], PROFILES[NAMES[key[1] - 1]])["det_rule"] == "program":
            assert points == sorted(thin[key], key=lambda row: row["point_no"]), key
            continue
        kept = {row["threshold"]: row for row in thin[key]}
        assert all(
            kept[row["threshold"]] == {**row, "point_no": kept[row["threshold"]]["point_no"]}
            for row in points
            if row["threshold"] in kept
        ), key
        assert kept.keys() <= {row["threshold"] for row in points}, key
        assert points[0]["threshold"] in kept and points[-1]["threshold"] in kept, key
        places = [place for place, row in enumerate(points) if row["threshold"] in kept]
        for before, after in pairwise(places):
            for row in points[before + 1 : after]:
                assert on_line(points[before], row, points[after]), (key, row)


def on_line(start, point, end):
    """Say whether a point lies between two others: the thinned runs go straight down or straight right."""
    flat = start["p_miss"] == point["p_miss"] == end["p_miss"] and (
        start["p_fa"] is None or start["p_fa"] <= point["p_fa"] <= end["p_fa"]
    )
    steep = start["p_fa"] == point["p_fa"] == end["p_fa"] and (
        start["p_miss"] is None or start["p_miss"] >= point["p_miss"] >= end["p_miss"]
    )
    return flat or steep


def check_minimum_points(con, cases):
    found = by_key(fetch(con, "det_minimum"), "run_no", "profile_no", "weighting")

    for run_no, profile_no, model in models(cases, PROFILES):
        curves = model.program() if model.profile["det_rule"] == "program" else model.curve()
        for weighting, points in curves.items():
            [row] = found[run_no, profile_no, weighting]
            what = (run_no, NAMES[profile_no - 1], weighting)
            best = model.minimum(points)
            if best is None:
                assert row["min_c_det"] is None and row["n_point"] == 0, what
                continue
            same(row["min_c_det"], min(point.c_det for point in points), (*what, "min_c_det"))
            same(
                row["min_c_det_norm"],
                model.norm(min(point.c_det for point in points)),
                (*what, "min_c_det_norm"),
                tolerance=1e-12,
            )
            if model.profile["det_rule"] == "complete":
                assert row["min_c_det_norm"] <= 1 + 1e-12, what  # reject-all, or accept-all, is always there
            assert row["min_threshold"] == best.threshold, what
            same(row["min_p_miss"], best.p_miss, (*what, "min_p_miss"))
            same(row["min_p_fa"], best.p_fa, (*what, "min_p_fa"))


def check_curve_and_minimum_of_each_block(con, cases):
    """A block's curve is that of an evaluation with this block alone."""
    curves, minima = (
        by_key(fetch(con, "det_block_curve"), "run_no", "profile_no", "block_no"),
        fetch(con, "det_block_minimum"),
    )

    minimum_of = {(row["run_no"], row["profile_no"], row["block_no"]): row for row in minima}
    for run_no, profile_no, model in models(cases, PROFILES):
        case = cases[(run_no - 1) // N_RUN]
        for block_no, topic in enumerate(model.topics, start=1):
            alone = Model([trial for trial in case if trial.topic == topic], (run_no - 1) % N_RUN, model.profile)
            rows = sorted(curves.get((run_no, profile_no, block_no), []), key=lambda row: row["point_no"])
            row = minimum_of.get((run_no, profile_no, block_no))
            if None in alone.rates():
                assert not rows and (row is None or row["min_c_det"] is None)
                continue
            points = alone.curve()["story"]
            assert [(row["threshold"], row["p_miss"], row["p_fa"]) for row in rows] == [
                (point.threshold, float(point.p_miss), float(point.p_fa)) for point in points
            ]
            best = alone.minimum(points)
            same(row["min_c_det"], min(point.c_det for point in points), (run_no, topic))
            assert row["min_threshold"] == best.threshold


def check_utilities(con, cases):
    found, means = by_key(fetch(con, "utility", profile_no=1), "run_no"), fetch(con, "utility_mean", profile_no=1)

    for run_no, _, model in models(cases, {"tdt2004": {}}):
        wanted = []
        for topic, row in zip(model.topics, found[run_no,], strict=True):
            count = model.counts(topic)
            utility = Fraction(10 * count["n_hit"] - count["n_false_alarm"])
            norm = utility / (10 * count["n_target"]) if count["n_target"] else None
            scaled = None if norm is None else (max(norm, Fraction(-1, 2)) + Fraction(1, 2)) / Fraction(3, 2)
            wanted.append((utility, norm, scaled))
            for name, value in zip(("utility", "utility_norm", "utility_scaled"), wanted[-1], strict=True):
                same(row[name], value, (run_no, topic, name))
        for name, values in zip(("utility", "utility_norm", "utility_scaled"), zip(*wanted, strict=True), strict=True):
            defined = [value for value in values if value is not None]
            same(
                means[run_no - 1][name],
                sum(defined, Fraction(0)) / len(defined) if defined else None,
                (run_no, name),
                tolerance=1e-9,
            )


@some
@given(evaluations)
def test_runs_do_not_leak_into_each_other(cases):
    """Each run of a store with many has the numbers that it has in a store of its own."""
    views = ("count", "rate", "pooled", "topic_weighted", "det_curve", "det_minimum", "det_block_curve", "utility_mean")
    with load({str(number): case for number, case in enumerate(cases)}, PROFILES) as con:
        together = {view: by_key(fetch(con, view), "run_no") for view in views}
    last = [trial._replace(answers=trial.answers[1:]) for trial in cases[-1]]
    with load({"alone": last}, PROFILES) as con:
        for view in views:
            alone = fetch(con, view)
            mine = together[view].get((len(cases) * N_RUN,), [])
            assert [{**row, "run_no": 1} for row in mine] == alone, view


@some
@given(trials, st.randoms(use_true_random=False))
def test_order_of_the_trials_does_not_matter(case, random):
    shuffled = random.sample(case, len(case))
    complete = {name: changes for name, changes in PROFILES.items() if "tdt3eval" not in (name, changes.get("base"))}
    with load({"a": case, "b": shuffled}, complete) as con:
        for view in ("pooled", "topic_weighted", "det_curve", "det_minimum"):
            rows = fetch(con, view)
            first = [row for row in rows if row["run_no"] <= N_RUN]
            assert [{**row, "run_no": row["run_no"] - N_RUN} for row in rows if row["run_no"] > N_RUN] == first, view


@given(st.integers(0, 2**32))
@some
def test_topic_weighted_curve_equals_scikit_learn_with_sample_weights(seed):
    """Each target of a topic weighs 1 / its targets, each non-target 1 / its non-targets."""
    np = pytest.importorskip("numpy")
    metrics = pytest.importorskip("sklearn.metrics")
    random = np.random.default_rng(seed)
    case, labels, scores, weights = [], [], [], []
    for topic in TOPICS:
        n_target, n_nontarget = random.integers(1, 8), random.integers(1, 30)
        for number in range(n_target + n_nontarget):
            is_target = bool(number < n_target)
            score = float(round(random.normal(1.0 if is_target else 0.0), 1))
            case.append(Trial(topic, is_target, (Answer(score > 1, score),)))
            labels.append(int(is_target))
            scores.append(score)
            weights.append(1 / (n_target if is_target else n_nontarget))
    p_fa, p_miss, thresholds = metrics.det_curve(labels, scores, sample_weight=weights)
    with load({"case": case}, all_points=True) as con:
        rows = {row["threshold"]: row for row in fetch(con, "det_curve", weighting="topic")}

    compared = 0
    for fa, miss, threshold in zip(p_fa, p_miss, thresholds, strict=True):
        if np.isfinite(threshold):
            assert rows[float(threshold)]["p_fa"] == pytest.approx(fa, abs=1e-12)
            assert rows[float(threshold)]["p_miss"] == pytest.approx(miss, abs=1e-12)
            compared += 1
    assert compared > 5


def test_the_model_is_right_about_the_worked_example():
    """The model above is compared with arithmetic done by hand, so that it and the views cannot be wrong together."""
    model = Model(
        parse(
            "T1 1 target yes 0.9\nT1 1 target no 0.4\nT1 1 nontarget yes 0.7\nT2 1 target yes 0.7\nT2 1 nontarget no "
            "0.3"
        ),
        0,
        profile_values("tdt2004", {}),
    )
    point = next(point for point in model.curve()["topic"] if point.threshold == 0.7)
    assert (point.p_miss, point.p_fa) == (Fraction(1, 4), Fraction(1, 2))
    assert point.p_miss_se == pytest.approx(0.25)
    assert model.topic_weighted()[:2] == (Fraction(1, 4), Fraction(1, 2))
