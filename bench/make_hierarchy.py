"""Makes a hierarchy of any size: a ternary DAG whose leaves list stories in time order, more or less.

    make_hierarchy.py N_STORY [SEED]  > out.xml      (TDT5 size: 278000)

Half as many vertices as stories, 10 % of them with two parents, 5 % of the
stories in two lists.
"""

import random
import sys


def make(n_story: int, seed: int = 1):
    """Return (vertex names, edges, lists) of a hierarchy over stories s0 .. s(n-1)."""
    chance = random.Random(seed)
    n_vertex = max(4, n_story // 2)
    names = [f"v{i}" for i in range(n_vertex)]
    edges = [((i - 1) // 3, i) for i in range(1, n_vertex)]
    for i in range(4, n_vertex):
        if chance.random() < 0.1:
            other = chance.randrange(max(1, (i - 1) // 3 - 50), (i - 1) // 3 + 1)
            if other != (i - 1) // 3 and other < i:
                edges.append((other, i))
    first_leaf = (n_vertex - 2) // 3 + 1
    leaves = range(first_leaf, n_vertex)
    lists: dict[int, list[int]] = {leaf: [] for leaf in leaves}
    for story in range(n_story):
        leaf = first_leaf + story * len(leaves) // n_story
        lists[leaf].append(story)
        if chance.random() < 0.05:
            other = first_leaf + chance.randrange(len(leaves))
            if other != leaf:
                lists[other].append(story)
    return names, edges, lists


def to_xml(names, edges, lists, story_id=lambda number: f"s{number}") -> str:
    rows = ['<htd system="bench" rootVertex="v0">\n<vertexSet>\n']
    for i, name in enumerate(names):
        rows.append(
            f'<vertex name="{name}">'
            + "".join(f'<story docID="{story_id(s)}"/>\n' for s in lists.get(i, ()))
            + "</vertex>\n"
        )
    rows.append("</vertexSet>\n<edgeSet>\n")
    rows += [f'<edge srcVertex="{names[a]}" destVertex="{names[b]}"/>\n' for a, b in edges]
    return "".join(rows) + "</edgeSet>\n</htd>\n"


if __name__ == "__main__":
    sys.stdout.write(to_xml(*make(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)))
