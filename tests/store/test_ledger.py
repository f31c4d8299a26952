"""The ledger tells of everything that was done, and every change behind its back is named."""

import json
import math
import re

import pytest
from click.testing import CliRunner

import tdtsql
from tdtsql.cli.main import cli
from tdtsql.definitions.catalogue import read_statement
from tdtsql.store.contents import CHOSEN_PROFILES, FACTS
from tdtsql.store.ledger import since
from tdtsql.store.recording import note, record
from tdtsql.errors import InvalidSignature
from tdtsql.scoring.recompute import recompute
from tdtsql.store.ledger import verify_chain
from load_entry import sealed_again
from tdtsql.store.recording import append, head


def test_every_load_and_computation_has_an_entry(bagga):
    with tdtsql.connect(bagga, read_only=True) as store:
        kinds = dict(store.engine.rows("select kind, count(*) from ledger.entry group by kind"))
        # a load of each owner; contents of the shipped profiles
        assert kinds == {"define": 1, "load": 10, "content": 1, "compute": 6}
        assert verify_chain(store.engine) == []
        outcome = recompute(store.engine)
        assert outcome.divergences == [] and outcome.n_computation == 6 and outcome.n_value > 500


def test_an_appended_load_without_files_verifies_no_files(bagga_copy):
    with tdtsql.connect(bagga_copy) as store:
        [(subject, detail)] = store.engine.rows(
            "select subject, detail from ledger.entry where kind = 'load' order by entry_no desc limit 1"
        )
        append(store.engine, ("load", subject, {"tables": json.loads(detail)["tables"]}))

        assert any(line.startswith(f"{subject}: its input files or problems") for line in verify_chain(store.engine))


def test_equal_means_equal_bits_for_exact_and_four_ulp_for_libm(bagga_copy):
    kept, smallest = 0.3, math.ulp(0.3)
    again = {  # metric -> what comes out again: is it named
        "p_miss": {kept: False, kept + smallest: True},  # all views are of class exact
        "min_cllr": {kept: False, kept + 4 * smallest: False, kept - 4 * smallest: False, kept + 5 * smallest: True}
        | {0.3000001: True, -kept: True, math.nan: True, math.inf: True, None: True},
    }
    with tdtsql.connect(bagga_copy) as store:
        for kind in ("score", "block", "label", "det_point"):
            store.engine.make_temporary(f"again_{kind}", f"from ledger.result_{kind} limit 0")
        for metric, values in again.items():
            for number, (value, is_named) in enumerate(values.items(), 1000):
                for table, one in (("ledger.result_score", kept), ("again_score", value)):
                    row = [number, 0, metric, "topic", one, 1, "v1", None]
                    store.engine.execute(f"insert into {table} values (?, ?, ?, ?, ?, ?, ?, ?)", row)
                found = store.engine.rows(read_statement("verify/divergences"), {"computation_no": number})
                store.engine.execute("delete from again_score")
                store.engine.execute("delete from ledger.result_score where computation_no = ?", [number])

                place = f"{metric}, subset 0, weighting topic, version v1"
                assert [row[:2] for row in found] == [(place, kept)] * is_named, (metric, value)


def test_the_recipe_of_a_topic_s_number_verifies(bagga):
    words = "score R5 --per-topic --metric p_fa --subset all --format json --db".split()
    done = CliRunner().invoke(cli, [*words, str(bagga)])
    rows = json.loads(done.stdout)
    [row] = [row for row in rows if row["block_id"] == "u2"]

    assert re.fullmatch(
        r"p_fa:v1\|w:block\|profile:tdt2004\|subset:all\|block:u2\|sql:[0-9a-f]{8}\|judgments:[0-9a-f]{8}\|run:[0-9a-f]{8}\|tdtsql:[\w.]+\|duckdb:[\d.]+",
        row["signature"],
    )
    with tdtsql.connect(bagga, read_only=True) as store:
        found = tdtsql.verify(row["signature"], store)
        assert found and (found.run, found.value) == ("R5", row["value"])
        with pytest.raises(InvalidSignature, match="the store has no number p_fa with weighting block"):
            tdtsql.verify(row["signature"].replace("block:u2", "block:u9"), store)
        with pytest.raises(InvalidSignature, match="this is the signature of the scores of all topics"):
            tdtsql.verify(row["signature"].replace("|block:u2", ""), store)


def test_a_ledger_made_anew_shows_with_the_hash_that_was_kept_elsewhere(bagga_copy):
    """All entries with another date, every hash computed again: only a hash from before tells."""
    with tdtsql.connect(bagga_copy) as store:
        number, before = head(store.engine)
        assert verify_chain(store.engine, expected=before) == []
        previous = sealed_again(store.engine)

        assert verify_chain(store.engine) == [] and head(store.engine) == (number, previous)
        assert re.match(
            rf"no ledger\.entry has the hash {before[:16]}: the {number} entries differ",
            verify_chain(store.engine, expected=before)[0],
        )


def test_head_and_what_was_not_checked(bagga_copy):
    told = CliRunner().invoke(cli, ["ledger", "head", "--db", str(bagga_copy)])
    sha256 = told.stdout.strip()
    assert re.fullmatch("[0-9a-f]{64}", sha256)
    with tdtsql.connect(bagga_copy) as store:
        store.score_distributions()  # later entries that change nothing are listed

    with_head, short = (
        CliRunner().invoke(cli, ["ledger", "verify", "--quick", *more, "--db", str(bagga_copy)])
        for more in (["--head", sha256], ["--head", "abc"])
    )
    assert with_head.exit_code == 0 and "Not checked" not in with_head.output
    assert re.search(r"\d+ entries after [0-9a-f]{16}:\n  entry \d+: distribute run:", with_head.output)
    assert short.exit_code == 2 and "expected at least 16 hexadecimal digits" in short.output


def test_what_is_loaded_after_a_head_is_listed_and_is_no_divergence(bagga_copy):
    with tdtsql.connect(bagga_copy) as store:
        _, before = head(store.engine)
        rows = store.sql(
            "select block_id, story_id from report.trial where run_id = 'R5' and condition_id = 'small' and is_scored "
            "limit 3"
        ).fetchall()
        store.add_run(
            "later",
            condition="small",
            decisions={
                "topic_id": [row[0] for row in rows],
                "story_id": [row[1] for row in rows],
                "decision": ["yes"] * len(rows),
                "score": [1.0] * len(rows),
            },
        )
        assert verify_chain(store.engine, expected=before) == []
        store.drop_run("R5", condition="small")
        assert re.match(
            r"run:small/R5 was dropped \(ledger.entry \d+, after", verify_chain(store.engine, expected=before)[0]
        )


def test_what_is_added_to_loaded_data_after_a_head_is_listed_and_what_is_replaced_is_a_divergence(bagga_copy):
    def found(store, before):
        with_head = since(store.engine, before)
        assert verify_chain(store.engine, expected=before) == with_head.changed
        return with_head

    with tdtsql.connect(bagga_copy) as store:
        _, before = head(store.engine)
        store.withdraw_run("R5", reason="bug", condition="small")
        store.label_run("R5", team="x", condition="small")
        profile = store.engine.value("select profile_no from registry.profile where profile_id = 'tdt3eval'")
        number = store.engine.value("select condition_no from registry.condition where condition_id = 'small'")
        store.engine.execute(f"insert into registry.condition_profile values ({number}, {profile})")
        note(store.engine, "condition:small", CHOSEN_PROFILES)
        record(store.engine)
        store.refresh()
        later = found(store, before)
        assert later.changed == []
        assert [re.sub(r"^entry \d+: ", "", line) for line in later.entries][:4] == [
            "withdraw run:small/R5 (bug)",
            "content run:small/R5 (registry.withdrawal)",
            "content run:small/R5 (registry.run_fact)",
            "content condition:small (registry.condition_profile)",
        ]
        assert {line.split()[2] for line in later.entries[4:]} == {"compute"}

        _, before = head(store.engine)
        store.restore_run("R5", condition="small")
        store.label_run("R5", team="y", condition="small")
        [changed] = found(store, before).changed
        assert changed.startswith("run:small/R5: registry.run_fact, registry.withdrawal changed (ledger.entry ")


def test_what_is_replaced_while_a_row_is_added_is_a_divergence(bagga_copy):
    """One profile becomes two others, and one fact two others: more rows than before, and not those of before."""
    with tdtsql.connect(bagga_copy) as store:
        store.label_run("R5", team="x", condition="small")
        engine = store.engine
        _, before = head(engine)
        condition = engine.value("select condition_no from registry.condition where condition_id = 'small'")
        run = engine.value("select run_no from registry.run where run_id = 'R5' and condition_no = ?", [condition])
        engine.execute(f"delete from registry.condition_profile where condition_no = {condition}")
        engine.execute(
            f"insert into registry.condition_profile select {condition}, profile_no from registry.profile "
            "where profile_id in ('tdt3eval', 'f4de')"
        )
        engine.execute(f"update registry.run_fact set value = 'y' where run_no = {run}")
        engine.execute(
            f"insert into registry.run_fact select run_no, fact_no + 100, name, value, path, sha256 "
            f"from registry.run_fact where run_no = {run}"
        )
        note(engine, "condition:small", CHOSEN_PROFILES)
        note(engine, "run:small/R5", FACTS)
        record(engine)

        changed = [line.split(" changed (")[0] for line in since(engine, before).changed]
        assert changed == ["condition:small: registry.condition_profile", "run:small/R5: registry.run_fact"]
