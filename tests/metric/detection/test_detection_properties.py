"""Every number of the detection family against the definition in exact fractions, for arbitrary small evaluations."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, Phase, given
from lanes import examples
from hypothesis import strategies as st

from trial_model import Answer, Model, Trial, fetch, load, profile_values

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


def same(row, wanted, what, tolerance=1e-14):
    """Hold columns of a row against fractions, by name."""
    for name, value in wanted.items():
        assert (row[name] is None) == (value is None), (what, name, row[name], value)
        assert value is None or row[name] == pytest.approx(float(value), abs=tolerance, rel=1e-14), (what, name)


def by_key(rows, *names):
    found = {}
    for row in rows:
        found.setdefault(tuple(row[name] for name in names), []).append(row)
    return found


def of_runs(con, cases, view, profiles=NAMES):
    """Yield (what it is, its model, its rows of a view) for each run of ``load`` under each profile."""
    found = by_key(fetch(con, f"detection_{view}"), "run_no", "profile_no")
    runs = [(case, run) for case in cases for run in range(N_RUN)]
    for run_no, (case, run) in enumerate(runs, start=1):
        for profile_no, name in enumerate(profiles, start=1):
            model = Model(case, run, profile_values(name, PROFILES[name]))
            yield (view, run_no, name), model, found.get((run_no, profile_no), [])


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
    def costs(model, p_miss, p_fa, cost):
        return {"p_miss": p_miss, "p_fa": p_fa, "c_det": cost, "c_det_norm": model.norm(cost)}

    for what, model, rows in of_runs(con, cases, "count"):
        counts = [model.counts(topic) for topic in model.topics]
        assert [{name: row[name] for name in model.counts()} for row in rows] == counts, what
    for what, model, rows in of_runs(con, cases, "rate"):
        for topic, row in zip(model.topics, rows, strict=True):
            rates = model.rates(topic)
            same(row, costs(model, *rates, model.cost(*rates)), (what, topic))
    for what, model, [row] in of_runs(con, cases, "pooled"):
        rates = model.rates()
        same(row, costs(model, *rates, model.cost(*rates)), what)
        assert {name: row[name] for name in model.counts()} == model.counts(), what
    for what, model, [row] in of_runs(con, cases, "topic_weighted"):
        point = model.topic_weighted("topic_cost")
        same(row, costs(model, point.p_miss, point.p_fa, point.c_det), what, 1e-13)


def check_all_points_of_the_curves(con, cases):
    """Rates, costs, and standard errors against exact variances; under tdt3eval the points of the program's sweep."""
    for what, model, rows in of_runs(con, cases, "det_curve"):
        found = by_key(rows, "weighting")
        for weighting, points in model.curves().items():
            mine = sorted(found.get((weighting,), []), key=lambda row: row["point_no"])
            assert [row["threshold"] for row in mine] == [point.threshold for point in points], (what, weighting)
            for row, point in zip(mine, points):
                here = (what, weighting, point.threshold)
                same(row, {name: getattr(point, name) for name in ("p_miss", "p_fa", "c_det")}, here)
                if weighting == "topic":
                    same(row, {name: getattr(point, name) for name in ("p_miss_se", "p_fa_se")}, here, 1e-11)


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
        thin = by_key(fetch(con, "detection_det_curve"), "run_no", "profile_no", "weighting")
        minima = fetch(con, "detection_det_minimum")
    with load(named, PROFILES, all_points=True) as con:
        full = by_key(fetch(con, "detection_det_curve"), "run_no", "profile_no", "weighting")
        full_minima = fetch(con, "detection_det_minimum")

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
    for what, model, rows in of_runs(con, cases, "det_minimum"):
        found = by_key(rows, "weighting")
        for weighting, points in model.curves().items():
            [row] = found[weighting,]
            best = model.minimum(points)
            if best is None:
                assert row["min_c_det"] is None and row["n_point"] == 0, (what, weighting)
                continue
            lowest = min(point.c_det for point in points)
            rates = {"min_p_miss": best.p_miss, "min_p_fa": best.p_fa}
            same(row, {"min_c_det": lowest} | rates, (what, weighting))
            same(row, {"min_c_det_norm": model.norm(lowest)}, (what, weighting), 1e-12)
            assert row["min_threshold"] == best.threshold, (what, weighting)
            if model.profile["det_rule"] == "complete":  # reject-all, or accept-all, is always there
                assert row["min_c_det_norm"] <= 1 + 1e-12, (what, weighting)


def check_curve_and_minimum_of_each_block(con, cases):
    """A block's curve is that of an evaluation with this block alone."""
    both = zip(of_runs(con, cases, "det_block_curve"), of_runs(con, cases, "det_block_minimum"))
    for place, ((what, model, curves), (_, _, minima)) in enumerate(both):
        case, run = divmod(place // len(NAMES), N_RUN)
        curve_of, minimum_of = by_key(curves, "block_no"), {row["block_no"]: row for row in minima}
        for block_no, topic in enumerate(model.topics, start=1):
            alone = Model([trial for trial in cases[case] if trial.topic == topic], run, model.profile)
            rows, row = curve_of.get((block_no,), []), minimum_of.get(block_no)
            if None in alone.rates():
                assert not rows and (row is None or row["min_c_det"] is None), (what, topic)
                continue
            points = [point["story"] for point in alone.complete()]
            assert [
                (row["threshold"], row["p_miss"], row["p_fa"]) for row in sorted(rows, key=lambda row: row["point_no"])
            ] == [(point.threshold, float(point.p_miss), float(point.p_fa)) for point in points], (what, topic)
            same(row, {"min_c_det": min(point.c_det for point in points)}, (what, topic))
            assert row["min_threshold"] == alone.minimum(points).threshold, (what, topic)


def check_utilities(con, cases):
    names = ("utility", "utility_norm", "utility_scaled")
    both = zip(of_runs(con, cases, "utility", ["tdt2004"]), of_runs(con, cases, "utility_mean", ["tdt2004"]))
    for (what, model, rows), (_, _, [mean]) in both:
        wanted = []
        for topic, row in zip(model.topics, rows, strict=True):
            count = model.counts(topic)
            utility = Fraction(10 * count["n_hit"] - count["n_false_alarm"])
            norm = utility / (10 * count["n_target"]) if count["n_target"] else None
            scaled = None if norm is None else (max(norm, Fraction(-1, 2)) + Fraction(1, 2)) / Fraction(3, 2)
            wanted.append((utility, norm, scaled))
            same(row, dict(zip(names, wanted[-1])), (what, topic))
        for name, values in zip(names, zip(*wanted)):
            defined = [value for value in values if value is not None]
            same(mean, {name: sum(defined) / len(defined) if defined else None}, what, 1e-9)


@some
@given(evaluations)
def test_runs_do_not_leak_into_each_other(cases):
    """Each run of a store with many has the numbers that it has in a store of its own."""
    views = ("count", "rate", "pooled", "topic_weighted", "det_curve", "det_minimum", "det_block_curve", "utility_mean")
    with load({str(number): case for number, case in enumerate(cases)}, PROFILES) as con:
        together = {view: by_key(fetch(con, f"detection_{view}"), "run_no") for view in views}
    last = [trial._replace(answers=trial.answers[1:]) for trial in cases[-1]]
    with load({"alone": last}, PROFILES) as con:
        for view in views:
            alone = fetch(con, f"detection_{view}")
            mine = together[view].get((len(cases) * N_RUN,), [])
            assert [{**row, "run_no": 1} for row in mine] == alone, view


@some
@given(trials, st.randoms(use_true_random=False))
def test_order_of_the_trials_does_not_matter(case, random):
    shuffled = random.sample(case, len(case))
    complete = {name: changes for name, changes in PROFILES.items() if "tdt3eval" not in (name, changes.get("base"))}
    with load({"a": case, "b": shuffled}, complete) as con:
        for view in ("pooled", "topic_weighted", "det_curve", "det_minimum"):
            rows = fetch(con, f"detection_{view}")
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
        rows = {row["threshold"]: row for row in fetch(con, "detection_det_curve", weighting="topic")}

    compared = 0
    for fa, miss, threshold in zip(p_fa, p_miss, thresholds, strict=True):
        if np.isfinite(threshold):
            assert rows[float(threshold)]["p_fa"] == pytest.approx(fa, abs=1e-12)
            assert rows[float(threshold)]["p_miss"] == pytest.approx(miss, abs=1e-12)
            compared += 1
    assert compared > 5


def test_the_model_is_right_about_the_worked_example():
    """The model above is compared with arithmetic done by hand, so that it and the views cannot be wrong together."""
    said = [("T1", True, 0.9), ("T1", True, 0.4), ("T1", False, 0.7), ("T2", True, 0.7), ("T2", False, 0.3)]
    trials = [Trial(topic, is_target, (Answer(score > 0.5, score),)) for topic, is_target, score in said]
    model = Model(trials, 0, profile_values("tdt2004", {}))
    point = next(point for point in model.curves()["topic"] if point.threshold == 0.7)
    assert (point.p_miss, point.p_fa) == (Fraction(1, 4), Fraction(1, 2))
    assert point.p_miss_se == pytest.approx(0.25)
    decided = model.topic_weighted("topic_cost")
    assert (decided.p_miss, decided.p_fa) == (Fraction(1, 4), Fraction(1, 2))
