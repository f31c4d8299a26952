"""Rows that are kept of large runs: whatever changes, those put together of kept ones are the view's own, and nothing
stale is shown.
"""

import random
import shutil

import pytest
from inside import recompute

import tdtsql
from tdtsql.scoring.curve import kept_rows
from tdtsql.scoring.curve.kept_rows import CELL, MEMBERSHIP, YES, KeptRows

BUNDLE = """
[corpus]
id = "k"
stories = "stories.csv"
topics = "topics.csv"
judgments = "judgments.csv"

[profile.dear]
base = "tdt2004"
c_fa = {c_fa}

[profile.excluded]
base = "tdt2004"
judged_no = "excluded"

[profile.few]
base = "tdt2004"
fa_topics = "with_target"
det_omitted = "never"

[[condition]]
id = "track"
task = "tracking"
profile = [{profiles}]

[[run]]
id = "one"
condition = "track"
files = ["one.csv"]
format = "tidy"
"""
VIEWS = (CELL, YES, MEMBERSHIP)
#: (view, whether kept rows were enough)
COUNTED, KEPT = {(name, False) for name in VIEWS}, {(name, True) for name in VIEWS}
#: alike in what is kept, or not: of what is scored, of topics without targets, of trials without a decision
EVERY = ("tdt2004", "dear", "excluded", "few")
N_TOPIC, N_STORY = 12, 40
#: p_miss of the store of `folder`; see `labels`
MISSED = (
    "select value from report.score where subset = 'all' and metric = 'p_miss' and weighting = 'story' and profile_id "
    "= 'tdt2004'"
)


class World:
    """A bundle whose judgments change, its store, and what was asked of the kept rows."""

    def __init__(self, folder, seed, profiles=("tdt2004", "dear"), digits=1):
        self.folder, self.random, self.profiles = folder, random.Random(seed), profiles
        self.asked: list[tuple[str, bool]] = []  #: view, whether kept rows were enough
        #: of each topic but the last: two targets, one judged not on topic, one brief
        self.labels = {
            (topic, self.random.randrange(N_STORY)): label
            for topic in range(N_TOPIC - 1)
            for label in ("yes", "yes", "no", "brief")
        }
        folder.mkdir(exist_ok=True)
        (folder / "stories.csv").write_text(
            "story_id,position\n" + "".join(f"S{number},{number}\n" for number in range(N_STORY))
        )
        (folder / "topics.csv").write_text("topic_id\n" + "".join(f"T{number}\n" for number in range(N_TOPIC)))
        self.write()
        # scores of few values (with one digit), so that many are equal; of some trials nothing is said
        self.decide(
            [
                (topic, story, round(self.random.gauss(0, 1), digits))
                for topic in range(N_TOPIC)
                for story in range(N_STORY)
                if self.random.random() < 0.9
            ]
        )

    def decide(self, said):
        self.said = {(topic, story): score for topic, story, score in said}
        (self.folder / "one.csv").write_text(
            "topic_id,story_id,decision,score\n"
            + "".join(f"T{topic},S{story},{'yes' if score > 0.4 else 'no'},{score}\n" for topic, story, score in said)
        )

    def write(self, c_fa=0.2):
        (self.folder / "judgments.csv").write_text(
            "topic_id,story_id,label\n"
            + "".join(f"T{topic},S{story},{label}\n" for (topic, story), label in sorted(self.labels.items()))
        )
        (self.folder / "bundle.toml").write_text(
            BUNDLE.format(c_fa=c_fa, profiles=", ".join(f'"{name}"' for name in self.profiles))
        )

    def evaluate(self):
        """Return {(view, whether kept rows were enough)} of the evaluation."""
        self.asked.clear()
        with tdtsql.connect(self.folder / "store.duckdb") as store:
            store.evaluate(self.folder / "bundle.toml")
            self.missed = store.sql(MISSED).fetchall()[0][0]
        return set(self.asked)

    def is_verified(self):
        with tdtsql.connect(self.folder / "store.duckdb") as store:
            return recompute(store.engine).divergences == []


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """The folder of the kept rows, one of each test's own."""
    monkeypatch.setattr(kept_rows, "cache_folder", lambda: tmp_path / "cache")
    monkeypatch.setattr(kept_rows, "MANY", 1)
    return tmp_path / "cache" / "rows"


@pytest.fixture
def world(tmp_path, monkeypatch, request):
    """A world in which every answer of the kept rows is held against the view's own rows."""
    world = World(tmp_path / "world", *getattr(request, "param", [1]))
    select = KeptRows.select

    def held(self, engine, name, body, names):
        answer = select(self, engine, name, body, names)
        if name in VIEWS:
            assert sorted(engine.rows(answer), key=repr) == sorted(engine.rows(body), key=repr), name
            world.asked.append((name, "kept_whole_" not in answer))
        return answer

    monkeypatch.setattr(KeptRows, "select", held)
    return world


@pytest.mark.parametrize(
    ("world", "few"), [([0, EVERY], 16), ([1, EVERY, 2], 0)], indirect=["world"], ids=["compared", "sorted"]
)
def test_rows_are_the_views_own_whatever_labels_change(world, few, monkeypatch):
    monkeypatch.setattr(kept_rows, "FEW", few)
    monkeypatch.setattr(kept_rows, "MOST_BETWEEN", 20.0)
    monkeypatch.setattr(kept_rows, "_SLICES", 16)
    assert world.evaluate() == COUNTED
    n_kept = 0
    for _ in range(6):
        for _ in range(world.random.choice([1, 1, 2, 6])):
            pair = world.random.randrange(N_TOPIC), world.random.randrange(N_STORY)
            label = world.random.choice(["yes", "yes", "no", "brief", None])
            if world.random.random() < 0.4:  # one goes
                pair, label = world.random.choice(sorted(world.labels)), None
            world.labels.pop(pair, None)
            if label:
                world.labels[pair] = label
        world.write()
        n_kept += (CELL, True) in world.evaluate()
    assert n_kept >= 4  # else nothing was tried
    assert world.is_verified()


def test_a_judgment_is_seen(world):
    """Of 22 targets or fewer one is added that the run says no to: one miss and one target more."""
    world.evaluate()
    targets = [pair for pair, label in world.labels.items() if label == "yes"]
    missed = [pair for pair in targets if world.said.get(pair, -9) <= 0.4]
    assert world.missed == len(missed) / len(targets)
    pair = min(pair for pair, score in world.said.items() if pair[0] == 3 and score <= 0.4 and pair not in world.labels)
    world.labels[pair] = "yes"
    world.write()
    assert world.evaluate() == KEPT
    assert world.missed == (len(missed) + 1) / (len(targets) + 1)
    del world.labels[pair]
    world.write()
    assert world.evaluate() == KEPT
    assert world.missed == len(missed) / len(targets)


def test_costs_alone_change_no_counts(world):
    world.evaluate()
    world.write(c_fa=0.3)
    assert world.evaluate() == KEPT
    assert world.is_verified()


def test_a_changed_decision_is_seen(world, cache):
    world.evaluate()
    files = set(cache.iterdir())
    targets = [pair for pair, label in world.labels.items() if label == "yes"]
    # all of them are missed now
    world.decide([(*pair, -3.0 if pair in targets else score) for pair, score in world.said.items()])
    assert world.evaluate() == COUNTED
    assert world.missed == 1.0
    assert files < set(cache.iterdir())


def test_a_topic_more_is_seen(world):
    world.evaluate()
    with (world.folder / "topics.csv").open("a") as file:
        file.write(f"T{N_TOPIC}\n")
    assert world.evaluate() == COUNTED
    assert world.is_verified()


def test_many_other_labels_are_kept_anew(world, cache):
    """Of twelve topics two change, which is more than one in eight: what is kept is of the new labels from then on."""
    world.evaluate()
    before = set(cache.iterdir())
    for topic in (2, 3):
        world.labels.update({(topic, story): "brief" for story in range(5)})
    world.write()
    assert (CELL, True) in world.evaluate()
    now = set(cache.iterdir())
    assert len(now) == len(before)  # each in place of the one before
    assert now != before
    assert world.is_verified()


def test_most_labels_changed_are_counted_anew(world):
    world.evaluate()
    for topic in range(7):
        world.labels.update({(topic, story): "yes" for story in range(5)})
    world.write()
    assert world.evaluate() == COUNTED


def test_scores_below_all_are_counted_by_the_view(world):
    """-9e99 is where trials without a decision are."""
    world.decide(
        [(*pair, -9e99 if pair == (0, 0) else score) for pair, score in world.said.items()]
        + [(0, 0, -9e99)] * ((0, 0) not in world.said)
    )
    world.evaluate()
    world.labels[5, 5] = "yes"
    world.write()
    assert world.evaluate() == {(CELL, False), (YES, True), (MEMBERSHIP, True)}


@pytest.mark.parametrize("harm", ["cut", "another", "open", "gone"])
def test_a_file_that_is_not_as_written_is_not_read(world, cache, harm):
    world.evaluate()
    for path in list(cache.iterdir()):
        if harm == "cut":
            path.write_bytes(path.read_bytes()[:-100])
        elif harm == "another":
            path.write_text("no Parquet")
        elif harm == "open":
            path.chmod(0o666)
        else:
            path.unlink()
    world.labels[4, 4] = "yes"
    world.write()
    assert world.evaluate() == COUNTED


def test_without_a_folder_everything_is_counted(world, cache):
    cache.parent.mkdir(parents=True)
    cache.write_text("no folder")
    assert world.evaluate() == COUNTED
    world.labels[4, 4] = "yes"
    world.write()
    assert world.evaluate() == COUNTED


def test_verifying_reads_nothing_that_is_kept(world, monkeypatch):
    world.evaluate()

    def fail(*_):
        raise AssertionError("kept rows were read")

    monkeypatch.setattr(KeptRows, "select", fail)
    assert world.is_verified()


def test_a_small_run_keeps_nothing(world, cache, monkeypatch):
    monkeypatch.setattr(kept_rows, "MANY", 10**6)
    assert world.evaluate() == set()
    assert not cache.exists()


def test_files_are_kept_within_their_room(world, cache, monkeypatch):
    world.evaluate()
    newest = max(cache.iterdir(), key=lambda path: path.stat().st_mtime_ns)
    monkeypatch.setattr(kept_rows, "MOST_BYTES", 1)
    shutil.rmtree(cache)
    world.labels[4, 4] = "yes"
    world.write()
    world.evaluate()
    assert newest not in set(cache.iterdir())
    assert list(cache.iterdir()) == []
