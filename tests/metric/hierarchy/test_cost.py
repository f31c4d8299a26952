"""Minimal cost of hierarchies: the plan's figure A1, all vertices and paths, and the limits by hand."""

import math

import pytest
from lanes import both, number

import brute_force

from insert_rows import insert_rows
from tdtsql.errors import Problems
from tdtsql.load.hierarchy import check_hierarchy, read_hierarchy_xml
from tdtsql.store.opening import open_file
from tdtsql.scoring.hierarchy import refresh_hierarchy, refresh_stale_hierarchies, store_hierarchy
from tdtsql.store.profiles import load_profiles


@pytest.fixture(scope="module")
def engine():
    return open_file(":memory:")


def to_xml(h):
    rows = [f'<htd system="s" rootVertex="{h["root"]}"><vertexSet>']
    for name in h["names"]:
        rows += [f'<vertex name="{name}">', *(f'<story docID="{s}"/>' for s in h["lists"].get(name, ())), "</vertex>"]
    rows += ["</vertexSet><edgeSet>", *(f'<edge srcVertex="{a}" destVertex="{b}"/>' for a, b in h["edges"])]
    return "\n".join([*rows, "</edgeSet></htd>"]).encode()


def evaluate(engine, h, *, profile="tdt2004", brief=()):
    """Load one hierarchy as run 1 into emptied tables; return {topic: row of the best view}, the mean, the shape."""
    tables = "registry.run registry.condition registry.condition_profile base.story base.judgment base.block "
    for table in f"{tables} base.segment_story base.subset".split():
        engine.execute(f"delete from {table}")
    load(engine, 1, h, profile=profile, brief=brief)
    return read(engine, {1: h})[1]


def load(engine, no, h, *, profile="tdt2004", brief=()):
    """Load a hierarchy as the only run of a condition and a corpus of its own, all three of this number."""

    def add(table, rows):
        insert_rows(engine.execute, table, rows)

    here, corpus = {"condition_no": no}, {"corpus_no": no}
    condition = {"condition_id": f"c{no}", "base_condition_no": no, "task": "hierarchy"}
    add("registry.condition", [here | corpus | condition])
    chosen = f"select {no}, profile_no from registry.profile where profile_id = ?"
    engine.execute(f"insert into registry.condition_profile {chosen}", [profile])
    add("registry.run", [here | {"run_no": no, "run_id": "r", "format": "htd-xml"}])
    number = {s: i for i, s in enumerate(h["stories"], 1)}
    topics = {topic: i for i, topic in enumerate(sorted(h["topics"]), 1)}
    story = corpus | {"source_file_no": 0, "kind": "NEWS", "is_news": 1}
    add("base.story", [story | {"story_no": i, "story_id": s} for s, i in number.items()])
    add("base.segment_story", [here | {"story_no": i, "segment_no": 1} for i in number.values()])
    add("base.block", [here | {"block_no": i, "block_id": topic, "topic_no": i} for topic, i in topics.items()])
    judged = [(topic, s, "yes") for topic in topics for s in h["topics"][topic]] + [(*pair, "brief") for pair in brief]
    judgment = corpus | {"judgment_set": 1}
    rows = [judgment | {"topic_no": topics[t], "story_no": number[s], "label": label} for t, s, label in judged]
    add("base.judgment", rows)
    problems = Problems("h.xml")
    read_hierarchy_xml(engine, to_xml(h), problems)
    hierarchy = check_hierarchy(engine, no, problems)
    assert not problems.errors, problems.errors
    store_hierarchy(engine, no, no, hierarchy)


def read(engine, loaded):
    """Return run -> ({topic: row of the best view}, the mean, the shape) of all hierarchies that are loaded."""

    def rows(view, order):
        result = engine.query(f"select * from metric.hierarchy_{view}__v1 order by {order}")
        names = [column[0] for column in result.description]
        found = {}
        for row in result.fetchall():
            values = dict(zip(names, row))
            found.setdefault(values["run_no"], []).append(values)
        return found

    best, mean, shape = rows("best", "run_no, block_no"), rows("topic_mean", "run_no"), rows("shape", "run_no")
    return {no: (dict(zip(sorted(h["topics"]), best[no])), mean[no][0], shape[no][0]) for no, h in loaded.items()}


def hierarchy(edges, lists, topics, n_story, root="a"):
    names = sorted({v for edge in edges for v in edge} | set(lists) | {root})
    return {
        "root": root,
        "names": names,
        "edges": [tuple(edge) for edge in edges],
        "topics": topics,
        "lists": {v: list(lists.get(v, ())) for v in names},
        "stories": [f"s{i}" for i in range(1, n_story + 1)],
    }


def stories(*numbers):
    return [f"s{number}" for number in numbers]


def listed(text):
    """Return name -> stories of words such as ``b=1,2``."""
    return {name: stories(*filter(None, said.split(","))) for name, said in (word.split("=") for word in text.split())}


FIGURE_A1 = hierarchy(
    "ab ac bd be bf cf cg fh fi gi gj".split(),
    listed("b=1,2 c=3,4 d=5,6 e=7,8 g=9,10 h=8,11,12 i=13,14 j=15,16"),
    listed("t1=8,11,12 t2=13,14,15,16 t3=1,2,5,6,7,8 t4=3 t5=9,15 t6="),
    16,
)


def test_figure_a1(engine):
    # normaliser 7 * log_3(16); h: 15 / 17.666 = 0.849; t1 is h exactly: 0.66 * 0 + 0.34 * 0.849
    best, mean, shape = evaluate(engine, FIGURE_A1)
    want = {
        "t1": ("h", 0, 0.849087053958, 0.288689598346),
        "t2": ("i", 0.5, 0.849087053958, 0.618689598346),
        "t3": ("d", 0.666666666667, 0.679269643166, 0.670951678677),
        "t4": ("d", 1.653333333333, 0.679269643166, 1.322151678677),
        "t5": ("j", 0.85, 0.849087053958, 0.849689598346),
    }
    for topic, (vertex, det, travel, cost) in want.items():
        row = best[topic]
        assert row["best_vertex"] == vertex
        assert (row["c_det_norm"], row["c_travel_norm"], row["min_cost"]) == pytest.approx(
            (det, travel, cost), abs=1e-12
        )
    assert best["t6"]["min_cost"] is None and best["t6"]["n_target"] == 0
    assert mean["min_cost"] == pytest.approx(0.750034430477988, abs=1e-12)
    assert (mean["n_block"], mean["n_block_expected"]) == (5, 4)
    assert (shape["n_vertex"], shape["depth"], shape["n_multi_parent"], shape["n_multi_listed"]) == (10, 3, 2, 1)
    assert shape["mean_branching"] == 11 / 5  # a, b, c, f and g have children
    # t5: s9 in g, s15 in j; down 5, up 1: the mean is 3
    assert best["t5"]["expected_travel_norm"] == pytest.approx(3 / (7 * math.log(16, 3)), rel=1e-12)


def test_rows_say_which_walk_was_cheapest_and_which_vertices_were_pruned(engine):
    """Figure A1 again. Stories in each vertex and travel: a 16/0, b 10/5, c 11/5, f 5/10, g 6/10, d 2/12, e 2/12, h
    3/15, i 2/15, j 2/15.

    No vertex is both as small and as near as a, b, f or d (e has d's numbers and a later name): the front. To it come
    the
    vertices that hold a story of the topic: for t1 (8 11 12) a b c e f h, so 7 are compared and g, i, j are not.
    h has one parent; i has two, f and g, both at 10: the first by name counts. The walk to h and to i is a c f, not a b
    f.
    """
    best, _, _ = evaluate(engine, FIGURE_A1)
    names = ("best_parent", "n_best_parent", "n_step", "n_vertex_compared", "n_vertex_pruned")
    assert {topic: tuple(row[name] for name in names) for topic, row in best.items()} == {
        "t1": ("f", 1, 3, 7, 3),
        "t2": ("f", 2, 3, 8, 2),
        "t3": ("b", 1, 2, 7, 3),
        "t4": ("b", 1, 2, 5, 5),
        "t5": ("g", 1, 3, 7, 3),
        "t6": (None, None, None, None, None),
    }
    rows = engine.rows(
        "select vertex.vertex_id, cost.looked_at_for from metric.hierarchy_vertex_cost__v1 as cost join base.vertex "
        "as vertex "
        "using (run_no, vertex_no) where cost.block_no = 1"
    )
    assert dict(rows) == {"a": "both", "b": "both", "c": "story", "d": "front", "e": "story", "f": "both", "h": "story"}
    parents = engine.rows(
        "select vertex.vertex_id, parent.vertex_id, travel.n_step from base.vertex_travel as travel join base.vertex "
        "as vertex "
        "using (run_no, vertex_no) left join base.vertex as parent on parent.run_no = travel.run_no and "
        "parent.vertex_no = travel.parent_no"
    )
    walks = "a - 0 b a 1 c a 1 d b 2 e b 2 f c 2 g c 2 h f 3 i f 3 j g 3".split()
    found = {(name, parent or "-", str(n_step)) for name, parent, n_step in parents}
    assert found == set(zip(walks[::3], walks[1::3], walks[2::3]))


N_RANDOM = number(default=12, full=300)


@pytest.fixture(scope="module")
def random_ones():
    """Return seed -> (hierarchy, its rows): all are in one store, for each look at the views takes as long as they are
    deep.
    """
    store, made = open_file(":memory:"), {seed: brute_force.random_hierarchy(seed) for seed in range(N_RANDOM)}
    with store.transaction():
        for seed, h in made.items():
            load(store, seed + 1, h)
    found = read(store, {seed + 1: h for seed, h in made.items()})
    return {seed: (h, found[seed + 1]) for seed, h in made.items()}


@both
@pytest.mark.parametrize("seed", range(N_RANDOM))
def test_random_hierarchies_agree_with_all_vertices_and_all_paths(random_ones, seed):
    h, (best, mean, _) = random_ones[seed]
    costs = []
    for topic, on_topic in h["topics"].items():
        row = best[topic]
        if not on_topic:
            assert row["min_cost"] is None
            continue
        want = brute_force.score(h, on_topic)
        costs.append(want["min_cost"])
        assert row["best_vertex"] == want["best_vertex"]
        for name in ("min_cost", "c_det_norm", "c_travel_norm", "best_c_det_norm"):
            assert row[name] == pytest.approx(want[name], rel=1e-12, abs=1e-12)
        walk = brute_force.expected_travel(h, on_topic)
        want_walk = None if walk is None else pytest.approx(walk / brute_force.normaliser(h), rel=1e-12, abs=1e-12)
        assert row["expected_travel_norm"] == want_walk
    if costs:
        assert mean["min_cost"] == pytest.approx(math.fsum(costs) / len(costs), rel=1e-12)


@pytest.mark.parametrize(("branching", "printed"), [(2, 76.4), (3, 67.5), (4, 68.8), (5, 72.4)])
def test_the_normaliser_is_the_plans_footnote(engine, branching, printed):
    # 40,000 stories; b is one step over one child: 3
    load_profiles(engine, {f"branching{branching}": {"optbr": float(branching)}}, "test")
    h = hierarchy(["ab"], {"b": stories(1, 2, 3)}, {"t1": stories(1, 2, 3)}, 40_000)
    best, _, _ = evaluate(engine, h, profile=f"branching{branching}")

    assert best["t1"]["best_vertex"] == "b"
    assert round(3 / best["t1"]["c_travel_norm"], 1) == printed


def test_where_walking_costs_nothing_there_is_no_cost_of_it(engine):
    """0 over 0: two topics, so that means are computed too."""
    load_profiles(engine, {"free": {"c_branch": 0.0, "c_title": 0.0}}, "test")
    h = hierarchy(["ab"], {"b": stories(1, 2, 3)}, {"t1": stories(1, 2), "t2": stories(3, 1)}, 9)
    best, mean, shape = evaluate(engine, h, profile="free")
    assert all(best[topic]["min_cost"] is None for topic in best) and shape["n_vertex"] == 2
    assert all(mean[name] is None for name in ("min_cost", "c_travel_norm", "expected_travel_norm"))


def test_a_brief_story_is_neither_a_target_nor_a_false_alarm(engine):
    # b holds s1 (on topic), s2 (brief), s3: one false alarm of 9 - 1 - 1 = 7 non-targets
    h = hierarchy(["ab"], {"b": stories(1, 2, 3)}, {"t1": stories(1)}, 9)
    best, _, _ = evaluate(engine, h, brief=[("t1", "s2")])
    assert best["t1"]["best_vertex"] == "b" and best["t1"]["n_false_alarm"] == 1
    assert best["t1"]["c_det_norm"] == pytest.approx(4.9 / 7, abs=1e-12)


def test_new_judgments_and_profiles_are_taken_up(engine):
    evaluate(engine, FIGURE_A1)
    engine.execute("insert into base.judgment values (1, 1, 6, 9, 'yes')")
    load_profiles(engine, {"cheap": {"c_branch": 0.5, "c_title": 0.25}}, "test")
    engine.execute(
        "insert into registry.condition_profile select 1, profile_no from registry.profile where profile_id = 'cheap'"
    )
    refresh_hierarchy(engine, 1)
    refresh_stale_hierarchies(engine)
    rows = engine.rows(
        "select profile.profile_id, best.min_cost from metric.hierarchy_best__v1 as best inner join registry.profile "
        "as profile "
        "on profile.profile_no = best.profile_no where best.block_no = 6 order by 1"
    )
    want = [
        brute_force.score(FIGURE_A1, ["s9"], profile)["min_cost"]
        for profile in (brute_force.PLAN | {"c_branch": 0.5, "c_title": 0.25}, brute_force.PLAN)
    ]
    assert [cost for _, cost in rows] == pytest.approx(want, rel=1e-12)
