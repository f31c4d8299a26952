"""DET curves of the values of an attribute, of a task that stores curves of all trials only."""

from dataclasses import replace

import tdtsql
from tdtsql.report import curves
from tdtsql.report.curves import curves_of, subsets_by


def test_curves_of_several_subsets_of_a_run_are_computed_in_one_pass(example_store, monkeypatch):
    passes, made = [], curves.det_curve
    monkeypatch.setattr(
        curves, "det_curve", lambda *run, **asked: passes.append((*run[1:], asked["subset"])) or made(*run, **asked)
    )
    asked = {"condition": "trk-eng-1", "profile": "tdt2004", "weighting": "topic", "runs": ["osprey"]}
    with tdtsql.connect(example_store, read_only=True) as store:
        subsets = subsets_by(store.engine, "trk-eng-1")["language"]
        found = curves_of(store.engine, subsets=["all", *subsets], **asked)
        assert passes == [("osprey", subsets)] and len(subsets) > 1
        assert [curve.run for curve in found] == ["all", *subsets]
        single = [curves_of(store.engine, subsets=[subset], **asked) for subset in subsets]
    assert found[1:] == [replace(curve, run=subset) for subset, [curve] in zip(subsets, single, strict=True)]
    assert len({str(curve.p_miss) for curve in found}) > 1
