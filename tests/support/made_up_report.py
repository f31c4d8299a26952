"""A report of made-up runs, large enough to show what the page does with size."""

import numpy as np

from tdtsql.report.charts import Curve
from tdtsql.report.leaderboard import Leaderboard, RankedRun
from tdtsql.report.page import Board, Report

METRICS = ("p_miss", "p_fa", "c_det", "c_det_norm", "min_c_det_norm", "precision", "recall", "f1")
SUBSETS = (
    "all",
    "language=ENGLISH",
    "language=MANDARIN",
    "source=NYT",
    "source=APW",
    "source=CNN",
    "source=VOA",
    "topics=multilingual",
)


def synthetic_report(n_run: int = 20, n_topic: int = 250, seed: int = 1) -> Report:
    """Return a report with one tracking condition, one of summarization and one hierarchy."""
    generator = np.random.default_rng(seed)
    runs = [{"id": f"System{index:02}", "system": None} for index in range(n_run)] + [
        {"id": "TS-a"},
        {"id": "TS-b"},
        {"id": "Tree"},
    ]
    direction = {name: "highest" if name in ("precision", "recall", "f1") else "lowest" for name in METRICS}
    tracking = Board(
        "nwt-eng-1",
        "tdt2004",
        "tracking",
        "c_det_norm",
        "topic",
        list(range(n_run)),
        {"p_target": 0.02, "c_miss": 1.0, "c_fa": 0.1, "band_z": 1.6448536269514722},
        direction,
    )
    summary = Board("ts14", "ts2014", "summarization", "h", "topic", [n_run, n_run + 1], None, {"h": "highest"})
    tree = Board("htd-1", "tdt2004", "hierarchy", "min_cost", "topic", [n_run + 2], None, {"min_cost": "lowest"})
    quality = np.linspace(2.6, 0.9, n_run)
    topics = [f"{55001 + index}" for index in range(n_topic)]
    difficulty = generator.normal(0, 0.5, n_topic)
    blocks = {name: {"relation": "metric.detection_rate__v1", "signature": {}, "values": {}} for name in METRICS}
    det, histograms = [], []
    for run in range(n_run):
        for name in METRICS:
            values = 1 / (1 + np.exp(quality[run] + difficulty + generator.normal(0, 0.4, n_topic)))
            if direction[name] == "highest":
                values = 1 - values
            blocks[name]["values"][run] = [float(v) if generator.random() > 0.01 else None for v in values]
            blocks[name]["signature"][run] = f"{name}:v1|w:block|profile:tdt2004|run:System{run:02}"
        targets, others = generator.normal(quality[run], 1, 4000), generator.normal(0, 1, 60000)
        thresholds = np.linspace(4.5, -2.5, 250)
        for weighting in ("topic", "story"):
            for subset in ("all", "language=ENGLISH"):
                miss = np.array([(targets < t).mean() for t in thresholds])
                alarm = np.array([(others >= t).mean() for t in thresholds])
                cost = (0.02 * miss + 0.1 * 0.98 * alarm) / 0.02
                best = int(cost.argmin())
                det.append(
                    {
                        "board": 0,
                        "run": run,
                        "subset": subset,
                        "weighting": weighting,
                        "curve": Curve(
                            f"System{run:02}",
                            alarm.tolist(),
                            miss.tolist(),
                            thresholds.tolist(),
                            np.sqrt(miss * (1 - miss) / n_topic).tolist(),
                            (alarm[best], miss[best]),
                            (alarm[best - 12], miss[best - 12]),
                        ),
                    }
                )
        histograms.append(
            {
                "board": 0,
                "run": run,
                "low": -4.0,
                "high": 6.0,
                "target": np.histogram(targets, 40, (-4, 6))[0].tolist(),
                "nontarget": np.histogram(others, 40, (-4, 6))[0].tolist(),
                "every": 1,
                "fit": None,
            }
        )
    columns = {
        name: [] for name in ("run", "board", "metric", "weighting", "subset", "value", "n", "signature", "relation")
    }
    primary = {}
    for run in range(n_run):
        for subset in SUBSETS:
            for weighting in ("topic", "topic_all", "story"):
                for name in METRICS:
                    if (subset, weighting, name) == ("all", "topic", "c_det_norm"):
                        primary[run] = len(columns["run"])
                    for key, value in {
                        "run": run,
                        "board": 0,
                        "metric": name,
                        "weighting": weighting,
                        "subset": subset,
                        "value": float(generator.random() * (run + 1)),
                        "n": n_topic,
                        "relation": "metric.detection_topic_weighted__v1",
                        "signature": f"{name}:v1|w:{weighting}|profile:tdt2004|subset:{subset}|topics:{n_topic}|"
                        f"sql:{'9f3c' * 16}"
                        f"|judgments:{'ab12' * 16}|run:{run:04}{'77e0' * 15}|tdtsql:0.1.0|duckdb:2.0.0",
                    }.items():
                        columns[key].append(value)
    ranked = tuple(
        RankedRun(
            run + 1,
            runs[run]["id"],
            0.1 + 0.02 * run,
            n_topic,
            chr(97 + run // 3),
            columns["signature"][primary[run]],
            0.08 + 0.02 * run,
            0.12 + 0.02 * run,
        )
        for run in range(n_run)
    )
    comparisons = [
        {
            "run": f"System{run:02}",
            "baseline": "System00",
            "difference": 0.02 * run,
            "low": 0.01 * run,
            "high": 0.03 * run,
            "win": 60,
            "tie": 10,
            "loss": 180,
            "p": 0.001,
            "p_adjusted": 0.012,
        }
        for run in range(1, n_run)
    ]
    note = (
        "Groups: paired randomisation, 100,000 permutations, Holm over 190 comparisons, seed 20040; runs that share a "
        "letter do not differ at 5 %."
    )
    hours = [3600.0 * hour for hour in (1, 2, 4, 8, 24, 48, 96, 240)]
    vertices = [["root", None, 500, None]] + [
        [f"v{i}", "root" if i < 6 else f"v{(i - 6) // 4}", 500 // (i + 1), f"5500{i}" if i % 7 == 3 else None]
        for i in range(60)
    ]
    return Report(
        title="mini: an evaluation of topic tracking",
        facts=[("tdtsql", "0.1.0"), ("DuckDB", "2.0.0"), ("store", "mini.duckdb")],
        runs=runs,
        boards=[tracking, summary, tree],
        leaderboards=[
            (
                0,
                Leaderboard(
                    "nwt-eng-1",
                    "tdt2004",
                    "tracking",
                    "c_det_norm",
                    "topic",
                    "lowest",
                    "all",
                    ranked,
                    note,
                    "compare:c_det_norm|seed:20040",
                    comparisons,
                ),
            )
        ],
        metrics={name: f"{name}, what it is" for name in METRICS} | {"h": "harmonic mean", "min_cost": "minimal cost"},
        relations={
            "metric.detection_topic_weighted__v1": {
                "title": "Topic-weighted rates and costs",
                "sql": "select\n    rate.run_no as run_no\nfrom metric.detection_rate__v1 as rate",
                "reads": ["metric.detection_rate__v1"],
            },
            "metric.detection_rate__v1": {
                "title": "Rates of a topic",
                "sql": "select\n    trial.n_miss as n_miss\nfrom metric.detection_count__v1 as trial",
                "reads": ["metric.detection_count__v1"],
            },
        },
        scores=columns,
        blocks=[
            {"blocks": topics, "metrics": blocks},
            {
                "blocks": ["1", "2"],
                "metrics": {
                    "h": {"relation": "x", "signature": {}, "values": {n_run: [0.2, 0.3], n_run + 1: [0.1, None]}}
                },
            },
            {
                "blocks": ["55001"],
                "metrics": {"min_cost": {"relation": "x", "signature": {}, "values": {n_run + 2: [0.25]}}},
            },
        ],
        det=det,
        det_relation="metric.detection_rate__v1",
        histograms=histograms,
        tau=[
            {
                "board": 1,
                "run": n_run + i,
                "metric": metric,
                "tau": hours,
                "value": [k / (k + 2 + i) for k in range(1, 9)],
            }
            for i in range(2)
            for metric in ("comprehensiveness_tau", "eg_tau")
        ],
        hierarchies=[{"board": 2, "run": n_run + 2, "n_vertex": 900, "vertices": vertices}],
        problems=[
            {
                "code": "W201",
                "owner": "run:nwt-eng-1/System03",
                "place": f"sys/03.out:{line}",
                "message": "extra docno <img src=x onerror=alert(1)>",
            }
            for line in range(1, 30)
        ],
    )
