"""The track's programs of 2013, 2014 and 2015, number for number; time-sensitive forms; value tracking.

One condition a case and year, all in one store and scored in one pass: the options
of the programs are profiles over the same files. Where a program stops with an
error, the rows it had printed before are compared, and the rest is scored.
"""

import json
from collections import defaultdict

import lanes
import pytest

import tdtsql
from golden_cases import asked_for, keyed
from ts_case import CASES, bundle, bundle_of_programs, evaluations, write_time_sensitive, write_value_tracking

REL = 1e-9
#: short name of the programs, our metric
NAMES = dict(
    pair.split("=")
    for pair in (
        "nupd=n_update egain=eg_v negain=neg elatgain=elg nelatgain=nelg comp=comprehensiveness hmean=h "
        "latcomp=latency_comprehensiveness everb=expected_verbosity elat=expected_latency econfgain=eg_v_conf "
        "neconfgain=neg_conf econflatgain=elg_conf neconflatgain=nelg_conf confcomp=comprehensiveness_conf "
        "conflatcomp=latency_comprehensiveness_conf confhmean=h_conf econfverb=expected_verbosity_conf "
        "econflat=expected_latency_conf nsupd=n_sampled_update"
    ).split()
)


@pytest.fixture(scope="module")
def store(request, shared, tmp_path_factory):
    """Return one store of all cases that are tested."""
    cases = asked_for(request, "case")
    with tdtsql.evaluate(bundle_of_programs(shared, tmp_path_factory.mktemp("programs"), cases)) as opened:
        yield opened


@pytest.mark.parametrize("case", lanes.some(CASES, 8))
def test_every_number_of_the_programs(shared, store, case):
    compared = 0
    for place, results in enumerate(evaluations(shared / case).values()):
        name = f"{case} {place}"
        here = f"subset = 'all' and condition_id = '{name}'"
        blocks = keyed(store, "profile_id, run_id, block_id, metric", "block_score", here)
        scores = keyed(store, "profile_id, run_id, metric", where=f"weighting = 'topic' and {here}")
        events = {key[2].removeprefix("TS15.") if results[0]["year"] == 2015 else key[2]: key[2] for key in blocks}
        for number, result in enumerate(results):
            for row in result["per_event"]:
                for short, value in row["value"].items():
                    got = blocks[f"{name} {number}", f"{row['team']}-{row['run']}", events[row["qid"]], NAMES[short]]
                    what = (result["command"], row["qid"], row["run"], short)
                    assert got == pytest.approx(value, rel=REL, abs=0), what
                    compared += 1
            for row in result["run_stats"]:
                for short, value in row["value"].items() if row["stat"] == "AVG" else ():
                    got = scores[f"{name} {number}", f"{row['team']}-{row['run']}", NAMES[short]]
                    assert got == pytest.approx(value, rel=REL, abs=0), (result["command"], row["run"], short)
                    compared += 1
    assert compared > 0


def test_the_rows_that_nist_published(shared, tmp_path):
    """45 event rows and 12 run rows (mean, standard deviation, least, greatest over events), at their printed
    digits.
    """
    case = shared / "data" / "ts2014"
    files = {"nuggets": case / "nuggets.tsv", "updates": case / "updates_sampled.tsv", "matches": case / "matches.tsv"}
    with tdtsql.evaluate(bundle(tmp_path, files, [case / "runs" / "cunlp.ssv"], {"ts2014": {}})) as store:
        value = keyed(store, "run_id, block_id, metric", "block_score", "subset = 'all'")
    published = json.loads((case / "expected.json").read_text())["published_nist_rows"]
    per_run = defaultdict(list)
    for (run, _, metric), number in value.items():
        per_run[run, metric].append(number)

    def spread(numbers, kind):
        mean = sum(numbers) / len(numbers)
        return {
            "AVG": mean,
            "MIN": min(numbers),
            "MAX": max(numbers),
            "STD": (sum((n - mean) ** 2 for n in numbers) / len(numbers)) ** 0.5,
        }[kind]

    compared = 0
    for row in published:
        run = f"{row['team']}-{row['run']}"
        for name, printed in row.items():
            if name in NAMES:
                kind = row.get("stat") or row["qid"]
                is_spread, metric = kind in ("AVG", "STD", "MIN", "MAX"), NAMES[name]
                got = spread(per_run[run, metric], kind) if is_spread else value[run, row["qid"], metric]
                assert f"{got:.4f}" == printed, (row["qid"], run, name)
                compared += 1
    assert compared >= 45 * 19


TAU_NAMES = {name: f"{metric}_tau" for name, metric in NAMES.items()} | {"egain": "eg_tau"}


@pytest.mark.parametrize("year", ["2013", "2014"])
def test_time_sensitive_numbers(shared, tmp_path, year):
    case = shared / "golden" / "ts" / "timesens" / f"synth_{year}"
    expected = json.loads((case / "expected.json").read_text())
    path = write_time_sensitive(case, tmp_path, year)
    with tdtsql.evaluate(path) as store:
        blocks = keyed(store, "run_id, subset, block_id, metric", "block_score")
        scores = keyed(store, "run_id, subset, metric", where="weighting = 'topic_all'")
        areas = {
            row[:2]: row[2:]
            for row in store.sql("""
            select run.run_id, event.event_id, sum(step.eg_v * width), sum(step.elg * width),
                sum(step.comprehensiveness * width)
            from (select *, greatest(0, least(coalesce(next_time, end_time), end_time) - greatest(step_time,
                start_time)) as width
                  from metric.summarization_gain_curve__v1 join base.event using (block_no)
                  where start_time is not null) as step
            join registry.run as run using (run_no) join base.event as event using (block_no)
            group by all""").fetchall()
        }
    prefix = "" if year == "2013" else "TS14."
    for row in expected["at_tau"]:
        for name, value in row["value"].items():
            got = blocks[f"{row['team']}-{row['run']}", f"tau={row['tau_rel']}", prefix + row["qid"], TAU_NAMES[name]]
            assert got == pytest.approx(value, rel=REL, abs=0), (row, name)
    for row in expected["mean_at_tau"]:
        for name, value in row["value"].items():
            got = scores[f"{row['team']}-{row['run']}", f"tau={row['tau_rel']}", TAU_NAMES[name]]
            assert got == pytest.approx(value, rel=REL, abs=0), (row, name)
    for row in expected["integral"]:
        key = (f"{row['team']}-{row['run']}", "all", prefix + row["qid"])
        assert blocks[*key, "c_integral"] == pytest.approx(row["integral_latcomp"], rel=REL)
        assert blocks[*key, "c_integral_norm"] == pytest.approx(row["mean_latcomp"], rel=REL)
        area = areas[f"{row['team']}-{row['run']}", prefix + row["qid"]]
        assert area == pytest.approx((row["integral_egain"], row["integral_elatgain"], row["integral_comp"]), rel=REL)


def test_value_tracking(shared, tmp_path):
    case = shared / "golden" / "ts" / "value_tracking"
    expected = json.loads((case / "expected.json").read_text())
    with tdtsql.evaluate(write_value_tracking(case, tmp_path)) as store:
        blocks = keyed(store, "block_id", "block_score", "metric = 'ee' and subset = 'all'")
        scores = keyed(store, "subset", where="metric = 'ee' and weighting = 'topic'")
    for row in expected["EE"]:
        assert blocks[f"{row['qid']}/{row['attribute']}"] == pytest.approx(row.get("EE_karney", row.get("EE")), rel=REL)
    for attribute, value in expected["mean_over_events"].items():
        if attribute != "locations":  # their mean takes half the equator where Vincenty's formula does not converge
            assert scores[f"attribute={attribute}"] == pytest.approx(value, rel=REL)
