"""Charts as SVG, drawn on the server: the same text for the HTML report, the web UI and files.

Colours are variables of the style sheet, so that light, dark and print share one drawing. A file that stands alone
(`standalone`) has the values of the light theme in itself.
"""

import html
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

Content = str | int | float | None | Iterable["Content"]

#: elements that have no end
_EMPTY = {"input", "meta", "link", "br", "img"}


def escaped(content: Content) -> Markup:
    """Return content as markup: texts escaped, several one after the other, None as nothing."""
    if isinstance(content, Markup):
        return content
    if content is None:
        return Markup("")
    if isinstance(content, str | int | float):
        return Markup(html.escape(str(content)))
    return Markup("".join(escaped(part) for part in content))


def tag(name: str, /, *content: Content, **attributes: str | int | float | bool | None) -> Markup:
    """Return an element; ``class_`` is class, an underscore within a name a hyphen; attributes that are None or False
    are left out.
    """
    words = [name]
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        key = key.rstrip("_").replace("_", "-")
        words.append(key if value is True else f'{key}="{html.escape(str(value))}"')
    inside = "".join(escaped(part) for part in content)
    return Markup(f"<{' '.join(words)}>" + ("" if name in _EMPTY else f"{inside}</{name}>"))


def clipped(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


@dataclass(frozen=True, slots=True)
class Box:
    """One vertex of a hierarchy."""

    name: str
    n_story: int  #: stories in it and below
    n_hit: int  #: of these, on the topic
    cost: float | None  #: for the topic; None where it was not computed
    is_best: bool
    n_child: int  #: children it has, drawn or not


#: height of a line of a tree, and indentation of a level, in pixels
_LINE, _INDENT = 22, 22


def tree(boxes: Sequence[Box], edges: Iterable[tuple[str, str]], *, title: str, path: Iterable[tuple] = ()) -> str:
    """Return a hierarchy as an indented tree in a standalone SVG: a line per vertex, children below their parent.

    A vertex with several parents is drawn below one of them, that of the path where it is on it, and names the others.

    Args:
        boxes: B vertices, one of them above all others.
        edges: pairs (parent, child) of names of boxes.
        title: what is drawn, in words; read out by screen readers.
        path: edges of the cheapest path to the best vertex, drawn thick.
    """
    pairs, thick = sorted(set(edges)), set(path)
    parents: dict[str, list[str]] = defaultdict(list)
    for parent, child in pairs:
        parents[child].append(parent)
    below: dict[str | None, list[Box]] = defaultdict(list)
    chosen = {}
    for box in boxes:
        of = parents[box.name]
        chosen[box.name] = next((parent for parent in of if (parent, box.name) in thick), of[0] if of else None)
        below[chosen[box.name]].append(box)
    drawn = {box.name: sum(parent == box.name for parent, _ in pairs) for box in boxes}
    lines: list[Markup] = []
    widest, place = 0, 0
    waiting = [(box, 0, None) for box in reversed(below[None])]
    while waiting:
        box, depth, top = waiting.pop()
        x, y = 16 + depth * _INDENT, 20 + place * _LINE
        place += 1
        others = [parent for parent in parents[box.name] if parent != chosen[box.name]]
        hidden = box.n_child - drawn[box.name]
        said = f"{box.n_hit} of {box.n_story}" + ("" if box.cost is None else f", cost {box.cost:.4f}")
        notes = [f"+{hidden} more"] if hidden > 0 else []
        notes += [f"also below {', '.join(others)}"] if others else []
        widest = max(widest, x + 26 + 7 * (len(clipped(box.name, 40)) + len(said) + sum(map(len, notes)) + 8))
        if top is not None:
            is_thick = (chosen[box.name], box.name) in thick
            lines.append(
                tag("path", class_="edge path" if is_thick else "edge", d=f"M{x - _INDENT} {top + 6}V{y}H{x - 6}")
            )
        kind = "vertex" + (" hit" if box.n_hit else "") + (" best" if box.is_best else "")
        lines.append(
            tag(
                "g",
                tag("title", f"{box.name}: {box.n_story} stories, {box.n_hit} on the topic{said[said.find(',') :]}"),
                tag("circle", class_=kind, cx=x, cy=y, r=5),
                tag(
                    "text",
                    tag("tspan", clipped(box.name, 40), font_weight="bold"),
                    tag("tspan", f"  {said}"),
                    [tag("tspan", f"  {note}", class_="note") for note in notes],
                    x=x + 12,
                    y=y + 4,
                    style="white-space:pre",
                ),
            )
        )
        waiting += [(child, depth + 1, y) for child in reversed(below[box.name])]
    height = 20 + place * _LINE
    return str(
        tag(
            "svg",
            tag("title", title),
            tag("style", _TREE_STYLE),
            *lines,
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {widest} {height}",
            width=widest,
            height=height,
            class_="topic-hierarchy",
            role="img",
            aria_label=title,
            font_family="sans-serif",
            font_size=12,
        )
    )


_TREE_STYLE = Markup(
    ".topic-hierarchy .edge{fill:none;stroke:#888}.topic-hierarchy .path{stroke:#b3430e;stroke-width:3}"
    ".topic-hierarchy .vertex{fill:#fff;stroke:#555}.topic-hierarchy .hit{fill:#6d9fd0}"
    ".topic-hierarchy .best{stroke:#b3430e;stroke-width:3}.topic-hierarchy text{fill:#222}"
    ".topic-hierarchy .note{fill:#666}"
)
