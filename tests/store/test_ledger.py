"""The ledger tells of everything that was done, and every change behind its back is named."""

import json
import random
import re
import shutil
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner

import tdtsql
from tdtsql.cli.main import cli
from tdtsql.store import changes
from tdtsql.store.contents import CHOSEN_PROFILES
from tdtsql.store.ledger import record_hash, rows_hash, since
from tdtsql.errors import InvalidSignature
from tdtsql.audit.signature import parse
from tdtsql.scoring.recompute import derived_again, recompute, same
from tdtsql.store.contents import contents_of, owners
from tdtsql.store.ledger import append, entry_hash, head, load_entry, verify_chain

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"


@pytest.fixture(scope="module")
def evaluated(evaluated_once):
    return evaluated_once(FIXTURES / "bagga" / "bundle.toml")


@pytest.fixture
def path(evaluated, tmp_path):
    """Return the file of a store with Bagga's examples."""
    return Path(shutil.copy(evaluated, tmp_path / "store.duckdb"))


def test_every_load_and_computation_has_an_entry(evaluated):
    with tdtsql.connect(evaluated, read_only=True) as store:
        kinds = dict(store.engine.rows("select kind, count(*) from ledger.entry group by kind"))
        # a load of each owner; contents of the shipped profiles, of the profiles of each condition, of its labelled
        # stories
        assert kinds == {"define": 1, "load": 10, "content": 7, "compute": 6}
        assert verify_chain(store.engine) == []
        outcome = recompute(store.engine)
        assert outcome.divergences == [] and outcome.n_computation == 6 and outcome.n_value > 500


def test_an_appended_load_without_files_verifies_no_files(path):
    with tdtsql.connect(path) as store:
        [(subject, detail)] = store.engine.rows(
            "select subject, detail from ledger.entry where kind = 'load' order by entry_no desc limit 1"
        )
        append(store.engine, "load", subject, {"tables": json.loads(detail)["tables"]})

        assert any(line.startswith(f"{subject}: its input files or problems") for line in verify_chain(store.engine))


def test_what_is_dropped_is_told(path):
    with tdtsql.connect(path) as store:
        store.drop_run("R1")
        assert store.engine.rows("select kind, subject from ledger.entry order by entry_no desc limit 1") == [
            ("drop", "run:large/R1")
        ]
        assert verify_chain(store.engine) == []


TAMPERING = {
    "update ledger.entry set detail = replace(detail, 'R2.csv', 'R3.csv') where entry_no = 14": r"ledger\.entry 14 "
    r"\(load run:large/R2\) was edited",
    "delete from ledger.entry where entry_no = 14": r"ledger\.entry 14 is missing: after 13 comes 15",
    "delete from ledger.entry where entry_no = 24": r"computation 6 is in the store, and no entry of the ledger says "
    r"that it was made",
    "update ledger.entry set previous_sha256 = sha256 where entry_no = 9": r"ledger\.entry 9 .* does not follow 8",
    "update registry.input_file set sha256 = repeat('0', 64) where path = 'R4.csv'": r"run:large/R4: its input files "
    r"or problems .* are not those of ledger\.entry 16",
    "update ledger.computation set result_sha256 = repeat('0', 64) where computation_no = 3": r"computation 3 "
    r"\(run:large/R3\) is not what ledger\.entry 21 says",
    "delete from registry.input_file where owner = 'run:small/R5'": r"run:small/R5: its input files or problems",
    "update base.decision set is_yes = not is_yes where run_no = 2 and trial_no = 3": r"run:large/R2: base\.decision "
    r"does not hold what was loaded \(\d+ rows, [0-9a-f]{8}; now \d+ rows, [0-9a-f]{8}\)",
    "update registry.profile set c_miss = 0.1 where profile_id = 'tdt2004'": r"registry\.profile: tdt2004 has other "
    r"values than were loaded",
    "delete from registry.run where run_id = 'R5'": r"computation 5 \(run:small/R5\) is not what ledger\.entry 23 says",
}


@pytest.mark.full
@pytest.mark.parametrize("statement", TAMPERING)
def test_what_was_changed_is_named_first(path, statement):
    with duckdb.connect(str(path)) as connection:
        connection.execute(statement)

    with tdtsql.connect(path, read_only=True) as store:
        found = verify_chain(store.engine)

    # a run that is gone leaves rows of nobody, which are told first
    assert re.search(TAMPERING[statement], "\n".join(found) if "registry.run" in statement else found[0]), found


def test_single_byte_changes_of_entries_are_all_found(path):
    """1,000 random changes of one character in a random column of a random entry."""
    generator = random.Random(6)
    missed = []
    with tdtsql.connect(path) as store:
        engine = store.engine
        rows = engine.rows("select entry_no, made_at, kind, subject, detail, previous_sha256, sha256 from ledger.entry")
        from tdtsql.store.ledger import entry_hash

        # the check of one entry is its own hash and the link to the next: done on the rows, a database a time would
        # take hours
        for _ in range(1000):
            row = list(generator.choice(rows))
            column = generator.randrange(1, 7)
            place = generator.randrange(len(row[column]))
            row[column] = (
                row[column][:place]
                + chr(ord(row[column][place]) ^ (1 << generator.randrange(7)))
                + row[column][place + 1 :]
            )
            if entry_hash(row) == row[6]:
                missed.append(row)
        # and a few of them in the database
        for row in rows[:5]:
            engine.execute("begin")
            engine.execute("update ledger.entry set subject = subject || '.' where entry_no = ?", [row[0]])
            assert f"ledger.entry {row[0]} " in verify_chain(engine)[0]
            engine.execute("rollback")
    assert missed == []


def test_an_edited_number_and_an_edited_decision_are_named(path):
    with duckdb.connect(str(path)) as connection:
        number, value = connection.execute(
            "select computation_no, value from ledger.result_score where value between 1e-3 and 0.9 order by all "
            "limit 1"
        ).fetchone()
        changed = value * (1 + 1e-15)
        connection.execute(
            "update ledger.result_score set value = ? where computation_no = ? and value = ?", [changed, number, value]
        )
    with tdtsql.connect(path, read_only=True) as store:
        first = str(recompute(store.engine).divergences[0])
        assert (
            "/R1 under tdt2004: " in first
            and f"stored as {changed!r} ({changed.hex()}), recomputed as {value!r}" in first
        ), first

    with duckdb.connect(str(path)) as connection:
        connection.execute("update base.decision set is_yes = not is_yes where trial_no = 1 and run_no = 1")
    with tdtsql.connect(path, read_only=True) as store:
        assert any(
            str(item).startswith("large/R1 under tdt2004: ") and "is stored as" in str(item)
            for item in recompute(store.engine).divergences
        )


def test_equal_means_equal_bits_for_exact_and_four_ulp_for_libm():
    import math

    near = math.nextafter(math.nextafter(0.3, 1), 1)
    assert same(0.3, 0.3, exact=True) and same(None, None, exact=True)
    assert not same(0.3, near, exact=True) and same(0.3, near, exact=False)
    assert not same(0.3, 0.3000001, exact=False) and not same(0.0, None, exact=False)


def test_the_recipe_of_a_topic_s_number_verifies(evaluated):
    done = CliRunner().invoke(
        cli,
        [
            "score",
            "R5",
            "--per-topic",
            "--metric",
            "p_fa",
            "--subset",
            "all",
            "--format",
            "json",
            "--db",
            str(evaluated),
        ],
    )
    rows = json.loads(done.stdout)
    [row] = [row for row in rows if row["block_id"] == "u2"]

    assert re.fullmatch(
        r"p_fa:v1\|w:block\|profile:tdt2004\|subset:all\|block:u2\|sql:[0-9a-f]{8}\|judgments:[0-9a-f]{8}\|run:[0-9a-f]{8}\|tdtsql:[\w.]+\|duckdb:[\d.]+",
        row["signature"],
    )
    with tdtsql.connect(evaluated, read_only=True) as store:
        found = tdtsql.verify(row["signature"], store)
        assert found and (found.run, found.value) == ("R5", row["value"])
        with pytest.raises(InvalidSignature, match="the store has no number p_fa with weighting block"):
            tdtsql.verify(row["signature"].replace("block:u2", "block:u9"), store)
        with pytest.raises(InvalidSignature, match="this is the signature of the scores of all topics"):
            tdtsql.verify(row["signature"].replace("|block:u2", ""), store)


@pytest.mark.parametrize("part", ["sql", "judgments", "run", "value"])
@pytest.mark.sample(1)
def test_a_part_that_differs_is_named(evaluated, part):
    with tdtsql.connect(evaluated, read_only=True) as store:
        long = tdtsql.signature(store, "R5", "b3_f1", weighting="story")
        digit = parse(long)[part][-1]
        changed = long.replace(parse(long)[part], parse(long)[part][:-1] + ("0" if digit != "0" else "1"))
        assert [item.name for item in tdtsql.verify(changed, store).parts if not item.agrees] == [part]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nonsense", "signature part 1 is 'nonsense', expected name:value"),
        ("c_det:v1|w:topic", "the signature has no profile, subset, sql, judgments, run"),
        (
            "c_det:v1|w:topic|profile:tdt2004|subset:all|sql:12|judgments:12345678|run:12345678",
            "the signature's sql is '12', expected at least eight",
        ),
        (
            "c_det:v1|w:topic|profile:nobody|subset:all|sql:12345678|judgments:12345678|run:12345678",
            "the store has no number c_det with weighting topic of profile nobody",
        ),
    ],
)
def test_what_cannot_be_verified_says_why(evaluated, text, message):
    with tdtsql.connect(evaluated, read_only=True) as store, pytest.raises(InvalidSignature, match=re.escape(message)):
        tdtsql.verify(text, store)


SIGNED = {
    "update base.decision set is_yes = not is_yes "
    "where run_no = (select run_no from registry.run where run_id = 'R5')": {
        "computed again",
        "loaded rows",
    },
    "update base.topic set title = 'another'": {"loaded rows"},
    "delete from staging.tidy_judgment": {"loaded rows"},
    "update registry.input_file set sha256 = repeat('0', 64) where owner = 'run:small/R5'": {"loaded rows"},
    "update registry.profile set w_det = 0.5 where profile_id = 'tdt2004'": {"loaded rows"},
    "update ledger.result_block set value = value + 1 where metric = 'n_target'": {"stored scores"},
    "update ledger.entry set made_at = '2020-01-01T00:00:00Z' where entry_no = 3": {"chain of the ledger"},
    "update registry.made_with set value = 'another' where item = 'definitions'": {"definitions"},
}


@pytest.mark.parametrize("statement", SIGNED)
@pytest.mark.sample(1)
def test_verify_says_no_where_any_part_differs(path, statement):
    with tdtsql.connect(path, read_only=True) as store:
        long = tdtsql.signature(store, "R5", "b3_f1", weighting="story")
        made = {part.name for part in tdtsql.verify(long, store).parts if part.agrees}
    with duckdb.connect(str(path)) as connection:
        connection.execute(statement)
    with tdtsql.connect(path, read_only=True, inspect=True) as store:
        if "registry.profile" in statement:
            # the number is not of now any more
            with pytest.raises(InvalidSignature, match="the store has no number b3_f1"):
                tdtsql.verify(long, store)
            return
        found = tdtsql.verify(long, store)

    assert {part.name for part in found.parts if not part.agrees} == SIGNED[statement] <= made
    assert not found


def test_a_ledger_made_anew_shows_with_the_hash_that_was_kept_elsewhere(path):
    """All entries with another date, every hash computed again: only a hash from before tells."""
    with tdtsql.connect(path) as store:
        number, before = head(store.engine)
        assert verify_chain(store.engine, expected=before) == []
        previous = "0" * 64
        for row in store.engine.rows(
            "select entry_no, made_at, kind, subject, detail from ledger.entry order by entry_no"
        ):
            entry = [row[0], "2020-01-01T00:00:00Z", *row[2:], previous]
            previous = entry_hash(entry)
            store.engine.execute(
                "update ledger.entry set made_at = ?, previous_sha256 = ?, sha256 = ? where entry_no = ?",
                [entry[1], entry[5], previous, row[0]],
            )

        assert verify_chain(store.engine) == [] and head(store.engine) == (number, previous)
        assert re.match(
            rf"no ledger\.entry has the hash {before[:16]}: the {number} entries differ",
            verify_chain(store.engine, expected=before)[0],
        )


def test_head_and_what_was_not_checked(path):
    told = CliRunner().invoke(cli, ["ledger", "head", "--db", str(path)])
    sha256 = told.stdout.strip()
    assert re.fullmatch("[0-9a-f]{64}", sha256)
    with tdtsql.connect(path) as store:
        store.score_distributions()  # later entries that change nothing are listed

    with_head, short = (
        CliRunner().invoke(cli, ["ledger", "verify", "--quick", *more, "--db", str(path)])
        for more in (["--head", sha256], ["--head", "abc"])
    )
    assert with_head.exit_code == 0 and "Not checked" not in with_head.output
    assert re.search(r"\d+ entries after [0-9a-f]{16}:\n  entry \d+: distribute run:", with_head.output)
    assert short.exit_code == 2 and "expected at least 16 hexadecimal digits" in short.output


#: statement -> (owner whose entry is appended, its table, what is reported)
RESEALED = {
    "update base.decision set is_yes = not is_yes where run_no = 2": ("run:large/R2", "base.decision"),
    "update base.judgment set label = 'brief' where story_no = 1": ("corpus:large", "base.judgment"),
    "update registry.condition set on_topic = 'yes brief' where condition_id = 'large'": (
        "condition:large",
        "registry.condition",
    ),
    "update base.block set block_id = 'x' where block_no = 1": ("condition:large", "base.block"),
    "update staging.tidy_story set story_id = story_id || 'x'": ("corpus:large", "staging.tidy_story"),
}


@pytest.mark.sample(2)
@pytest.mark.parametrize("kind", ["content", "load"])
@pytest.mark.parametrize("statement", RESEALED)
def test_rows_that_are_resealed_by_an_appended_entry_are_reported(path, statement, kind):
    """Anyone with write access can change rows and append an entry that records their hashes."""
    owner, table = RESEALED[statement]
    with tdtsql.connect(path) as store:
        engine = store.engine
        _, before = head(engine)
        signed = tdtsql.signature(store, "R2", "p_miss", weighting="topic")
        owner = owner if owner in owners(engine) else next(o for o in owners(engine) if o.startswith(owner[:6]))
        engine.execute(statement)
        if kind == "content":
            now = contents_of(engine, owner, owners(engine)[owner], [table])
            append(engine, "content", owner, {"tables": now or {table: [0, ""]}})
        else:
            append(engine, "load", *load_entry(engine, owner))
        with_head = "\n".join(verify_chain(engine, expected=before))
        assert re.search(
            rf"{owner}: .*{table}.* changed \(ledger\.entry \d+, after the head {before[:8]}\)|"
            rf"ledger\.entry \d+ \(content {owner}\) was added: no command rewrites {table}",
            with_head,
        )
        if kind == "content":
            assert "no command rewrites" in verify_chain(engine)[0]
        elif table.startswith("base"):  # the hash in the registry is that of the rows, and the signature has it
            assert f"{owner}: its hash in the registry" in verify_chain(engine)[0]
            engine.verified_owners.clear()
            assert not tdtsql.verify(signed, store)


@pytest.mark.parametrize(
    ("statement", "names", "said"),
    [
        ("update base.labelled_story set label = 'no' where label = 'yes'", ("base.labelled_story",), "labelled_story"),
        ("update registry.run set has_decision = 0", (), "has_decision is not what its decisions say"),
    ],
)
def test_derived_rows_are_computed_again(path, statement, names, said):
    """Commands rewrite them, so the ledger accepts an entry about them: only computing them again tells."""
    with tdtsql.connect(path) as store:
        engine = store.engine
        assert derived_again(engine) == []
        engine.execute(statement)
        for owner, place in owners(engine).items() if names else ():
            if place[0] == "condition_no":
                append(engine, "content", owner, {"tables": contents_of(engine, owner, place, names)})
        if names:
            assert verify_chain(engine) == []
        assert said in derived_again(engine)[0]


def test_what_is_loaded_after_a_head_is_listed_and_is_no_divergence(path):
    with tdtsql.connect(path) as store:
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


def test_what_is_added_to_loaded_data_after_a_head_is_listed_and_what_is_replaced_is_a_divergence(path):
    def found(store, before):
        with_head = since(store.engine, before)
        assert verify_chain(store.engine, expected=before) == with_head.changed
        return with_head

    with tdtsql.connect(path) as store:
        _, before = head(store.engine)
        store.withdraw_run("R5", reason="bug", condition="small")
        store.label_run("R5", team="x", condition="small")
        profile = store.engine.value("select profile_no from registry.profile where profile_id = 'tdt3eval'")
        number = store.engine.value("select condition_no from registry.condition where condition_id = 'small'")
        store.engine.execute(f"insert into registry.condition_profile values ({number}, {profile})")
        record_hash(store.engine, "condition:small", CHOSEN_PROFILES)
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


@pytest.mark.full
def test_a_file_that_is_read_again_elsewhere_is_listed_and_is_no_divergence(tmp_path):
    text = "item_id,score\na,1\nb,0\n"
    (tmp_path / "one.csv").write_text(text)
    (tmp_path / "two.csv").write_text(text)
    with tdtsql.connect(tmp_path / "store.duckdb") as store:
        store.add_corpus("k")
        store.add_condition("i", corpus="k", task="items")
        store.add_run("r", condition="i", decisions=tmp_path / "one.csv")
        _, before = head(store.engine)
        store.add_run("r", condition="i", decisions=tmp_path / "two.csv")
        later = since(store.engine, before)
        assert [line.split(": ", 1)[1] for line in later.entries] == ["load run:i/r"] and later.changed == []
        (tmp_path / "two.csv").write_text(text.replace("b,0", "b,1"))
        store.add_run("r", condition="i", decisions=tmp_path / "two.csv")
        assert [line.partition(" (")[0] for line in since(store.engine, before).changed] == [
            "run:i/r: base.item_score changed",
            "run:i/r: its input files or warnings changed",
        ]


@pytest.mark.full
def test_runs_that_are_not_up_to_date_are_said_to_be_left_out(path):
    with tdtsql.connect(path) as store:
        store.drop_corpus("bagga", condition="large")  # whose numbers would be computed again
        changes.rename_run(store.engine, "R5", "R6", "small")
    for command in ("ledger verify", "check --recompute"):
        told = CliRunner().invoke(cli, [*command.split(), "--db", str(path)])
        assert ("Not checked: whether the ledger was rebuilt" in told.output) == (command == "ledger verify")
        assert "1 run not up to date" in told.output and "`tdtsql score` computes them" in told.output


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("null", "b"), (None, "b")),
        (("a|1:b", "c"), ("a", "b|1:c")),
        (("a\n", "b"), ("a", "\nb")),
        (("", "b"), (None, "b")),
    ],
)
def test_hashes_of_rows_tell_texts_apart(one, other):
    """NULL, the text of that name, and texts with what stands between columns and rows."""
    hashes = set()
    with tdtsql.connect(":memory:") as store:
        for title, languages in (one, other):
            store.engine.execute("delete from base.topic")
            store.engine.execute(
                "insert into base.topic (corpus_no, topic_no, topic_id, title, languages) values (1, 1, 't', ?, ?)",
                [title, languages],
            )
            hashes.add(rows_hash(store.engine, "base.topic"))

    assert len(hashes) == 2
