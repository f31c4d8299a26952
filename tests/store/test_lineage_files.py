"""A number of the example back to its files."""

import tdtsql
from loads import unscored_loads


def test_every_kind_of_source_has_its_files():
    from tdtsql.definitions.origin import BUNDLE
    from tdtsql.store.lineage import source_kinds

    with tdtsql.connect(":memory:") as store:
        ends = {row[0] for row in store.engine.rows("select distinct from_relation from registry.lineage_source")}
    files = {end for end in ends if not end.startswith(("registry.", "base.", "ledger."))}
    assert files - {BUNDLE} <= {relation for relation, _ in source_kinds()}


def test_a_cost_of_scored_trials_goes_back_to_the_key_and_the_scores(tmp_path):
    (tmp_path / "key.csv").write_text("trial_id,label\na,target\nb,nontarget\n")
    (tmp_path / "scores.csv").write_text("trial_id,score\na,1\nb,0\n")
    (tmp_path / "bundle.toml").write_text(
        '[corpus]\nid = "trials"\n[[condition]]\nid = "c"\ntask = "verification"\n'
        'key = "key.csv"\nprofile = ["voxsrc"]\n'
        '[[run]]\nid = "s"\ncondition = "c"\nfiles = ["scores.csv"]\n'
    )
    with unscored_loads(), tdtsql.evaluate(tmp_path / "bundle.toml") as store:
        files = {row[4:] for row in store.lineage("min_c_det").fetchall() if row[3] == "file"}

    assert files == {("key.csv", "condition:c"), ("scores.csv", "run:c/s")}
