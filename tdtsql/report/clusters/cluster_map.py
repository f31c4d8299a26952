"""Cluster map: gold clusters and clusters of a run as an alluvial diagram (SVG), and the same numbers for a table.

The largest clusters of either side are separate; all others are merged into one, with their number. So every item is in
the drawing. Files are used as given, before the policies of a profile; an item in several clusters counts in each.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from tdtsql.engine.duckdb import Engine
from tdtsql.report.sections import drawn

#: clusters of a side that stand by themselves
MOST = 12
#: sizes in pixels: the drawing, a column of names, a bar, the least height of a line, what all items are high
_WIDTH, _NAMES, _BAR, _LINE, _TALL = 860, 240, 12, 17, 400
#: colours, none of them a run's: the largest part of a gold cluster, items split off from it, clusters drawn together
_LARGEST, _SPLIT_OFF, _TOGETHER = "var(--ink, #1c2330)", "var(--warn, #8a4b00)", "var(--soft, #5a6475)"
#: rank of the items that a side has in no cluster
_NOWHERE = 0


@dataclass(frozen=True)
class Node:
    """A cluster of one side, or several that are drawn as one."""

    name: str
    n_item: int
    is_one: bool  #: False: other clusters together, or items in none


@dataclass(frozen=True)
class ClusterMap:
    """G gold clusters, S clusters of a run, and the items that they share."""

    run: str
    gold: list[Node]  #: the largest first, then the others, then what is in none
    system: list[Node]  #: likewise
    cells: list[tuple[int, int, int]]  #: position in ``gold``, position in ``system``, items > 0

    @property
    def caption(self) -> str:
        """What is drawn, in words."""
        n_gold, n_system = (sum(node.is_one for node in side) for side in (self.gold, self.system))
        others = [
            f"{node.name} of the {side}"
            for side, nodes in (("gold", self.gold), ("run", self.system))
            for node in nodes
            if not node.is_one and "other" in node.name
        ]
        n_item = sum(n for *_, n in self.cells)
        return (
            f"Gold clusters (left) and clusters of {self.run} (right): {n_item:,} item{'' if n_item == 1 else 's'}, "
            f"{n_gold} gold cluster{'' if n_gold == 1 else 's'} and {n_system} of the run by themselves"
            + (f"; {' and '.join(others)} are drawn together" if others else "")
            + ". Neutral: the largest part of a gold cluster; coloured: items split off from it."
        )

    @property
    def drawn(self) -> Markup:
        return drawn_flow(self)


def cluster_map_of(
    store: Engine, condition: str, run: str, *, block: str | None = None, most: int = MOST
) -> ClusterMap | None:
    """Return the cluster map of a run; None if neither side has a cluster.

    Args:
        block: one block; None: all of them, whose names stand before those of their clusters where there are several.
        most: clusters of a side that stand by themselves.
    """
    [(run_no, condition_no)] = store.rows(
        "select run_no, condition_no from registry.run join registry.condition using (condition_no) where "
        "condition_id = ? and run_id = ?",
        [condition, run],
    )
    blocks = dict(
        store.rows(
            f"select block_no, block_id from base.block where condition_no = {condition_no} union all select "
            f"block_no, block_id from base.partition_extra_block where run_no = {run_no}"
        )
    )
    chosen = [number for number, name in blocks.items() if block in (None, name)]
    cells = f"""
        with cell as (
            select gold_no, system_no, sum(n_item)::bigint as n_item from base.partition_cell__v1
            where run_no = {run_no} and block_no in ({", ".join(map(str, chosen)) or "null"})
            group by gold_no, system_no),
        gold as (select gold_no, row_number() over (order by sum(n_item) desc, gold_no) as place from cell
        where gold_no <> 0 group by gold_no),
        system as (select system_no, row_number() over (order by sum(n_item) desc, system_no) as place from cell
        where system_no <> 0 group by system_no)"""
    shared = store.rows(f"""{cells}
        select case when gold_no = 0 then {_NOWHERE} else least(gold.place, {most + 1}) end as gold_place,
            case when system_no = 0 then {_NOWHERE} else least(system.place, {most + 1})
                end as system_place, sum(n_item)::bigint as n_item
        from cell left join gold using (gold_no) left join system using (system_no) group by gold_place, system_place
        order by gold_place, system_place""")
    sides = []
    for side, number, table, of in (
        (0, "gold", "base.partition_gold_cluster", f"condition_no = {condition_no}"),
        (1, "system", "base.partition_cluster", f"run_no = {run_no}"),
    ):
        named = store.rows(f"""{cells}
            select place, block_no, cluster_id, n_cluster from (select {number}_no, place, count(*) over () as n_cluster
            from {number})
            join (select cluster_no as {number}_no, block_no, cluster_id from {table} where {of}) using ({number}_no)
            where place <= {most} order by place""")
        names = {
            place: cluster if len(chosen) < 2 else f"{blocks[block_no]}: {cluster}"
            for place, block_no, cluster, _ in named
        }
        n_other = (named[0][3] if named else 0) - len(named)
        names[most + 1] = f"{n_other:,} other cluster{'' if n_other == 1 else 's'}"
        names[_NOWHERE] = "no gold cluster" if side == 0 else "no cluster of the run"
        sizes: dict[int, int] = {}
        for row in shared:
            sizes[row[side]] = sizes.get(row[side], 0) + row[2]
        places = sorted(sizes, key=lambda place: (place == _NOWHERE, place))
        sides.append(
            (places, [Node(names[place], sizes[place], place not in (_NOWHERE, most + 1)) for place in places])
        )
    (gold_places, gold), (system_places, system) = sides
    if not gold:
        return None
    return ClusterMap(run, gold, system, [(gold_places.index(g), system_places.index(s), n) for g, s, n in shared])


def drawn_flow(flow: ClusterMap) -> Markup:
    """Return a drawing as SVG: a bar a cluster, a ribbon for the items that two share, as thick as they are many."""
    total = sum(n for *_, n in flow.cells)
    scale = _TALL / total
    order = _order(flow)
    tops = (
        _tops([node.n_item for node in flow.gold], range(len(flow.gold)), scale),
        _tops([node.n_item for node in flow.system], order, scale),
    )
    height = 8 + max(
        top + max(_LINE, node.n_item * scale)
        for side, nodes in enumerate((flow.gold, flow.system))
        for top, node in zip(tops[side], nodes, strict=True)
    )
    place = {at: rank for rank, at in enumerate(order)}
    used_gold, used_system = [0.0] * len(flow.gold), [0.0] * len(flow.system)
    ribbons, bars = [], []
    largest = {g: s for g, s, _ in sorted(flow.cells, key=lambda cell: (cell[2], -cell[1]))}
    starts: dict[tuple[int, int], float] = {}
    for g, s, n in sorted(flow.cells, key=lambda cell: (cell[0], place[cell[1]])):
        starts[g, s] = tops[0][g] + used_gold[g]
        used_gold[g] += n * scale
    for g, s, n in sorted(flow.cells, key=lambda cell: (cell[1], cell[0])):
        y0, y1, thick = starts[g, s], tops[1][s] + used_system[s], n * scale
        used_system[s] += thick
        kind = _TOGETHER if not flow.gold[g].is_one else _LARGEST if largest[g] == s else _SPLIT_OFF
        said = f"{flow.gold[g].name} to {flow.system[s].name}: {n:,}"
        ribbons.append((y0, y1, thick, kind, said))
    for side, nodes in enumerate((flow.gold, flow.system)):
        for at, node in enumerate(nodes):
            bars.append(
                (side, tops[side][at], max(node.n_item * scale, 1), _LARGEST if node.is_one else _TOGETHER, node)
            )
    return drawn("cluster_map", ribbons, bars, _WIDTH, round(height), _NAMES, _BAR, flow.caption)


def _order(flow: ClusterMap) -> list[int]:
    """Return the clusters of the run so that ribbons cross little: by where their items come from; those drawn together
    stay last.
    """
    weight, items = [0.0] * len(flow.system), [0] * len(flow.system)
    for g, s, n in flow.cells:
        weight[s] += g * n
        items[s] += n
    return sorted(
        range(len(flow.system)),
        key=lambda at: (not flow.system[at].is_one, weight[at] / items[at] if flow.system[at].is_one else at, at),
    )


def _tops(sizes: Sequence[int], order: Sequence[int], scale: float) -> list[float]:
    """Return where the bars of a side begin, one below the other, each with room for its name."""
    tops, y = [0.0] * len(sizes), 4.0
    for at in order:
        tops[at] = y
        y += max(_LINE, sizes[at] * scale + 4)
    return tops
