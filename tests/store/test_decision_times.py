"""Decision times outside of the event: a warning, and the numbers of the track's programs."""

import math

import pytest
from tdtsql.loading.bundle import evaluate_into

import tdtsql


def test_a_decision_time_outside_of_the_event_is_warned_of_and_counts_as_the_programs_have_it(tmp_path):
    """Their L = 1 - 2/pi atan((t - t of the nugget) / 6 h), whatever the event's span: near 2 long before the
    nugget.
    """
    nugget = 1_000_000
    span = {"early": 1, "late": 3_000_000, "inside": nugget + 21_600}
    for name, text in {
        "nuggets.tsv": "query_id\tnugget_id\ttimestamp\timportance\tnugget_len\tnugget_text\n"
        f"1\tN\t{nugget}\t3\t3\ta b\n",
        "updates_sampled.tsv": "query_id\tupdate_id\tdoc_id\tsentence_id\tupdate_len\tduplicate_id\tupdate_text\n"
        "1\tD-0\tD\t0\t3\tNULL\ta b\n",
        "matches.tsv": "query_id\tupdate_id\tnugget_id\tmatch_start\tmatch_end\tauto_p\n1\tD-0\tN\t0\t3\t0\n",
        "topics.xml": "<events><event><id>1</id><title>a</title><query>a</query><type>storm</type>"
        f"<start>{nugget - 10}</start><end>{nugget + 30_000}</end></event></events>",
        **{f"{run}.ssv": f"1 team {run} D 0 {time} 0.5\n" for run, time in span.items()},
        "bundle.toml": '[corpus]\nid = "k"\n[[condition]]\nid = "c"\ntask = "summarization"\nnuggets = "nuggets.tsv"\n'
        'updates = "updates_sampled.tsv"\nmatches = "matches.tsv"\nevents = "topics.xml"\n'
        'profile = ["ts2014", "ts2015", "ts-seed"]\n'
        + "".join(f'[[run]]\ncondition = "c"\nfiles = ["{run}.ssv"]\nformat = "ts"\n' for run in span),
    }.items():
        (tmp_path / name).write_text(text)

    with tdtsql.connect(":memory:") as store:
        report = evaluate_into(store.engine, tmp_path / "bundle.toml")
        found = store.sql(
            "select run_id, profile_id, value from report.score where metric = 'latency_comprehensiveness' and subset "
            "= 'all' and weighting = 'topic'"
        ).fetchall()

    assert [(problem.path, problem.line, problem.value) for problem in report.warnings if problem.code == "W565"] == [
        ("early.ssv", 1, "D-0"),
        ("late.ssv", 1, "D-0"),
    ]
    assert {(run, profile): value for run, profile, value in found} == {
        (f"team-{run}", profile): pytest.approx(1 - 2 / math.pi * math.atan((time - nugget) / 21_600))
        for run, time in span.items()
        for profile in ("ts2014", "ts2015", "ts-seed")
    }
