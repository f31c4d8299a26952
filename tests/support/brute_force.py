"""A hierarchy scored the slow way: all vertices, all paths, exact fractions. The oracle of the tests."""

import math
import random
from fractions import Fraction
from itertools import permutations

import networkx

#: the plan's table A2
PLAN = {
    "p_target": Fraction(2, 100),
    "c_miss": 1,
    "c_fa": Fraction(1, 10),
    "w_det": Fraction(66, 100),
    "optbr": 3,
    "c_branch": 2,
    "c_title": 1,
}


def random_hierarchy(seed: int) -> dict:
    """Return a small DAG with multi-parent vertices, stories in several lists, and topics, some without stories."""
    chance = random.Random(seed)
    n_vertex = chance.randint(1, 24)
    names = chance.sample([f"v{i:02d}" for i in range(60)], n_vertex)
    edges = set()
    for at in range(1, n_vertex):
        for _ in range(1 + (chance.random() < 0.35) + (chance.random() < 0.15)):
            edges.add((names[chance.randrange(max(0, at - 9), at)], names[at]))
    n_story = chance.randint(2, 40)
    stories = [f"s{i:02d}" for i in range(n_story)]
    graph = networkx.DiGraph(sorted(edges))
    graph.add_nodes_from(names)
    lists: dict[str, list[str]] = {name: [] for name in names}
    for story in stories:
        if chance.random() < 0.05:
            continue  # in no list: in the root only
        for _ in range(1 + 2 * (chance.random() < 0.3)):
            vertex = chance.choice(names)
            related = networkx.ancestors(graph, vertex) | networkx.descendants(graph, vertex) | {vertex}
            if not any(story in lists[other] for other in related):
                lists[vertex].append(story)
    topics = {f"t{i}": chance.sample(stories, chance.randint(0, min(8, n_story - 1))) for i in range(4)}
    return {
        "root": names[0],
        "names": names,
        "edges": sorted(edges),
        "lists": lists,
        "stories": stories,
        "topics": topics,
    }


def story_sets(h: dict) -> dict[str, set[str]]:
    """Return the stories of each vertex: its own and those of all below; the root has all."""
    graph = networkx.DiGraph(h["edges"])
    graph.add_nodes_from(h["names"])
    sets = {v: set(h["lists"][v]).union(*(h["lists"][d] for d in networkx.descendants(graph, v))) for v in h["names"]}
    sets[h["root"]] = set(h["stories"])
    return sets


def travel(h: dict, profile: dict = PLAN) -> dict[str, Fraction]:
    """Return the cheapest walk from the root, over all simple paths."""
    graph = networkx.DiGraph(h["edges"])
    graph.add_nodes_from(h["names"])
    price = {v: profile["c_branch"] * graph.out_degree(v) + profile["c_title"] for v in h["names"]}
    cost = {h["root"]: Fraction(0)}
    for v in h["names"]:
        if v != h["root"]:
            cost[v] = min(
                Fraction(sum(price[p] for p in path[:-1])) for path in networkx.all_simple_paths(graph, h["root"], v)
            )
    return cost


def expected_travel(h: dict, on_topic: list[str], profile: dict = PLAN) -> float | None:
    """Return the mean cheapest walk over ordered pairs of different stories, by Dijkstra; not normalised."""
    graph = networkx.DiGraph()
    graph.add_nodes_from(h["names"])
    down = networkx.DiGraph(h["edges"])
    for parent, child in h["edges"]:
        graph.add_edge(parent, child, price=profile["c_branch"] * down.out_degree(parent) + profile["c_title"])
        graph.add_edge(child, parent, price=profile["c_title"])
    holders = {s: [v for v in h["names"] if s in h["lists"][v]] or [h["root"]] for s in on_topic}
    walks = dict(networkx.all_pairs_dijkstra_path_length(graph, weight="price"))
    pairs = [min(walks[a][b] for a in holders[s] for b in holders[t]) for s, t in permutations(on_topic, 2)]
    return float(Fraction(sum(Fraction(p) for p in pairs)) / len(pairs)) if pairs else None


def normaliser(h: dict, profile: dict = PLAN) -> float:
    return (
        (profile["c_branch"] * profile["optbr"] + profile["c_title"])
        * math.log(len(h["stories"]))
        / math.log(profile["optbr"])
    )


def score(h: dict, on_topic: list[str], profile: dict = PLAN) -> dict:
    """Return min_cost, its parts and its vertex for one topic, looking at every vertex."""
    sets, cost, norm = story_sets(h), travel(h, profile), normaliser(h, profile)
    targets, rest = set(on_topic), len(h["stories"]) - len(set(on_topic))
    p = profile["p_target"]
    floor = min(profile["c_miss"] * p, profile["c_fa"] * (1 - p))
    rows = []
    for v in h["names"]:
        hit = len(sets[v] & targets)
        det = (
            profile["c_miss"] * p * (1 - Fraction(hit, len(targets)))
            + profile["c_fa"] * (1 - p) * Fraction(len(sets[v]) - hit, rest)
        ) / floor
        walk = float(cost[v]) / norm
        total = float(profile["w_det"]) * float(det) + float(1 - profile["w_det"]) * walk
        rows.append(
            (math.floor(total * 1e12 + 0.5), math.floor(float(det) * 1e12 + 0.5), cost[v], v, total, float(det), walk)
        )
    best = min(rows)
    return {
        "min_cost": best[4],
        "c_det_norm": best[5],
        "c_travel_norm": best[6],
        "best_vertex": best[3],
        "best_c_det_norm": min(row[5] for row in rows),
    }
