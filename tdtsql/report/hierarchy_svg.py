"""A hierarchy around the best vertex of a topic, drawn in layers, as one SVG.

Layers by depth, few crossings: `tdtsql.hierarchy.layers`. Plain data in, text out.
"""

import html
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from tdtsql.hierarchy.layers import layered

#: size of a box, and space around it, in pixels
WIDTH, HEIGHT, GAP_X, GAP_Y, MARGIN = 132, 46, 16, 54, 16


@dataclass(frozen=True, slots=True)
class Box:
    """One vertex of the drawing."""

    name: str
    n_story: int  #: stories in it and below
    n_hit: int  #: of these, on the topic
    cost: float | None  #: for the topic; None where it was not looked at
    is_best: bool
    n_child: int  #: children it has, drawn or not


def draw_hierarchy(
    boxes: list[Box], edges: list[tuple[str, str]], *, title: str, walk: Sequence[tuple[str, str]] = ()
) -> str:
    """Return an SVG of the boxes and the edges between them.

    Args:
        boxes: B vertices, one of them above all others.
        edges: pairs (parent, child) of names of boxes.
        title: what is drawn, in words; read out by screen readers.
        walk: edges that are drawn thick: the cheapest walk to the best vertex.
    """
    place = _layout(boxes, edges)
    right = max(x for x, _ in place.values()) + WIDTH / 2 + MARGIN
    bottom = max(y for _, y in place.values()) + HEIGHT / 2 + MARGIN
    drawn = defaultdict(int)
    lines = []
    for parent, child in sorted(set(edges)):
        drawn[parent] += 1
        (x1, y1), (x2, y2) = place[parent], place[child]
        top, end = y1 + HEIGHT / 2, y2 - HEIGHT / 2
        middle = (top + end) / 2
        kind = "edge walk" if (parent, child) in walk else "edge"
        lines.append(
            f'<path class="{kind}" d="M{x1:.1f} {top:.1f}C{x1:.1f} {middle:.1f} {x2:.1f} {middle:.1f} {x2:.1f} '
            f'{end:.1f}"/>'
        )
    for box in boxes:
        lines.append(_box(box, *place[box.name], box.n_child - drawn[box.name]))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {right:.0f} {bottom:.0f}" width="{right:.0f}" '
        f'height="{bottom:.0f}" '
        f'class="topic-hierarchy" role="img" aria-label="{html.escape(title)}" font-family="sans-serif" '
        f'font-size="11">\n<title>{html.escape(title)}</title>\n'
        "<style>.topic-hierarchy .edge{fill:none;stroke:#888}.topic-hierarchy "
        ".walk{stroke:#b3430e;stroke-width:3}.topic-hierarchy .box{fill:#fff;stroke:#555}.topic-hierarchy "
        ".hit{fill:#dbe9f6}"
        ".topic-hierarchy .best{stroke:#b3430e;stroke-width:3}.topic-hierarchy "
        "text{fill:#222;text-anchor:middle}</style>\n" + "\n".join(lines) + "\n</svg>\n"
    )


def _layout(boxes: list[Box], edges: list[tuple[str, str]]) -> dict[str, tuple[float, float]]:
    """Return name -> middle of the box."""
    place = layered([box.name for box in boxes], edges, step=WIDTH + GAP_X)
    return {
        name: (x + MARGIN + WIDTH / 2, layer * (HEIGHT + GAP_Y) + MARGIN + HEIGHT / 2)
        for name, (x, layer) in place.items()
    }


def _box(box: Box, x: float, y: float, hidden: int) -> str:
    name = box.name if len(box.name) <= 18 else box.name[:17] + "…"
    cost = "" if box.cost is None else f", cost {box.cost:.4f}"
    more = f'<text fill="#666" x="{x:.1f}" y="{y + HEIGHT / 2 + 12:.1f}">+{hidden} more</text>' if hidden > 0 else ""
    kind = "box" + (" hit" if box.n_hit else "") + (" best" if box.is_best else "")
    return (
        f"<g><title>{html.escape(box.name)}: {box.n_story} stories, {box.n_hit} on the topic{cost}</title>"
        f'<rect class="{kind}" x="{x - WIDTH / 2:.1f}" y="{y - HEIGHT / 2:.1f}" width="{WIDTH}" height="{HEIGHT}" '
        f'rx="4"/>'
        f'<text x="{x:.1f}" y="{y - 5:.1f}" font-weight="bold">{html.escape(name)}</text>'
        f'<text x="{x:.1f}" y="{y + 11:.1f}">{box.n_hit} of {box.n_story}{cost}</text>{more}</g>'
    )
