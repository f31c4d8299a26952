"""Which columns of a table a terminal has room for, and how wide each is: nothing is broken inside a number or a
name.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from rich.cells import cell_len

#: blanks between two columns
GAP = 2
#: how narrow a column of sentences may get
NARROW = 16


@dataclass(frozen=True, slots=True)
class Layout:
    """What is shown of a table; columns by their places."""

    widths: dict[int, int]  #: columns that are shown, each with its width
    constant: list[int]  #: columns with one value for all rows, which is said once
    left_out: list[int]  #: columns for which there is no room
    heading: list[int]  #: columns that stand in a line of their own above the rows that have the value


def layout(columns: Sequence[str], texts: Sequence[Sequence[str]], width: int, keep: Collection[str] = ()) -> Layout:
    """Return what of a table is shown in ``width`` characters.

    Sentences are broken between words. Where that is not enough, columns with the same value in every row are
    said once instead; then columns are left out, the last first; and where those that are kept are too many,
    the first ones become headings.

    Args:
        columns: names.
        texts: the cells of each row, as they are printed.
        keep: columns that are never left out; the first column never is.
    """
    natural = {
        place: max(cell_len(text) for text in [name, *(row[place] for row in texts)])
        for place, name in enumerate(columns)
    }
    least = {
        place: min(full, _least(name, [row[place] for row in texts]))
        for (place, full), name in zip(natural.items(), columns, strict=True)
    }
    shown = list(range(len(columns)))
    constant: list[int] = []
    left_out: list[int] = []
    if _total(least, shown) > width and len(texts) > 1:
        constant = [
            place
            for place in shown[1:]
            if len({row[place] for row in texts}) == 1 and texts[0][place] and columns[place] not in keep
        ]
        shown = [place for place in shown if place not in constant]
    droppable = [place for place in shown[1:] if columns[place] not in keep]
    while droppable and _total(least, shown) > width:
        left_out.insert(0, droppable.pop())
        shown.remove(left_out[0])
    heading: list[int] = []
    while len(shown) > 2 and _total(least, shown) > width:
        heading.append(shown.pop(0))
    widths = {place: least[place] for place in shown}
    room = width - _total(widths, shown)
    for place in shown:
        widths[place] += (more := max(0, min(room, natural[place] - least[place])))
        room -= more
    return Layout(widths, constant, left_out, heading)


def _least(name: str, texts: Sequence[str]) -> int:
    """Return the least width in which no word of a column is broken; sentences keep room for a few words in a line."""
    words = [name, *(word for text in texts for word in text.split(" "))]
    return max(NARROW if any(" " in text for text in texts) else 0, *(cell_len(word) for word in words))


def _total(widths: dict[int, int], shown: Sequence[int]) -> int:
    return sum(widths[place] for place in shown) + GAP * max(0, len(shown) - 1)
