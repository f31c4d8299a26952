"""DuckDB: the views as they are, but sums in whole units become doubles by way of text, and a few parts are made before
what reads them.

An exact sum is a whole number of up to 38 digits that becomes a double once. DuckDB 1.5 and 2.0.0 round twice in that
cast
past 2^64 (the lower 64 bits, then all) and below -2^53; 2.0.1 and the other engines round once, to the nearest double.
One in
six sums between 2^64 and 2^65 differed in its last bit, one in a hundred between 2^68 and 2^69. What is read from the
digits
is the nearest double in all versions. The casts are found in the words of the views: to read them all with a parser
takes seconds, and a store is made in less than one.
"""

from collections.abc import Collection, Iterator, Mapping
from functools import cache

from tdtsql.metric.catalog import Relation, catalog
from tdtsql.metric.dialect import Dialect
from tdtsql.metric.lexer import OTHER, Token, tokens

#: view -> its part that is made first: DuckDB 2.0.1 expects of some left joins the product of both sides, and then
#: reads the decisions of all
#: topics to find those of one (208,000 trials of 23 million: 2.4 s in place of 0.2)
MADE_FIRST = {"base.trial__v1": "topic"}

#: functions of whole numbers that give one of them, or a sum of them; of all others the result is another type
_WHOLE = frozenset("sum min max coalesce nullif abs lag lead".split())
_NO_CALL = frozenset("and or not then else when in over on".split())
_BEFORE_ITEM = frozenset((OTHER, text) for text in ", ( select distinct from join".split())


def nearest(select: str, whole: Collection[str] = ()) -> str:
    """Return a SELECT with each cast of a sum in whole units to double by way of text; ``whole`` names columns it reads
    that hold such sums.
    """
    return _View(select, whole).rewritten()


@cache
def installed() -> Mapping[str, str]:
    """Return the SELECT of every view of this installation, by name, as DuckDB gets it."""
    return rounded_once(catalog())


def rounded_once(relations: Mapping[str, Relation]) -> Mapping[str, str]:
    """Return the SELECT of every view with each cast of a sum in whole units to double by way of text; each is written
    when it is asked for.
    """
    return _RoundedOnce(relations)


class _RoundedOnce(Mapping[str, str]):
    """Texts of views by name: a task's evaluation asks for a third of them."""

    def __init__(self, relations: Mapping[str, Relation]):
        self._relations = relations
        self._written: dict[str, tuple[str, Collection[str]]] = {}

    def __getitem__(self, name: str) -> str:
        return self._of(name)[0]

    def __iter__(self) -> Iterator[str]:
        return iter(self._relations)

    def __len__(self) -> int:
        return len(self._relations)

    def _of(self, name: str) -> tuple[str, Collection[str]]:
        """Return the text of a view, and which of its columns hold sums in whole units."""
        if name not in self._written:
            relation = self._relations[name]
            read = {
                column for view in relation.header.inputs if view in self._relations for column in self._of(view)[1]
            }
            if read or "decimal" in relation.body.lower():
                view = _View(relation.body, read)
                self._written[name] = view.rewritten(), view.wide & {column.name for column in relation.header.columns}
            else:
                self._written[name] = relation.body, ()
            if part := MADE_FIRST.get(name):
                text, wide = self._written[name]
                self._written[name] = text.replace(f"\n{part} as (", f"\n{part} as materialized (", 1), wide
        return self._written[name]


class _View:
    """The words of one SELECT, and the names of its columns, its steps' included, that hold whole numbers of 38
    digits.
    """

    def __init__(self, text: str, read: Collection[str]):
        self.text, self.words = text, tokens(text)
        self._closing = _parentheses(self.words)
        self._casts = {begin: self._cast(begin) for begin, word in enumerate(self.words) if word[:2] == (OTHER, "cast")}
        self.wide = set(read)
        items = list(self._named_items())
        known = -1
        while known < len(self.wide):
            known = len(self.wide)
            self.wide |= {name for name, begin, end in items if name not in self.wide and self._is_wide(begin, end)}

    def rewritten(self) -> str:
        inserted = []
        for begin, (end, kind) in self._casts.items():
            if self.words[kind].text == "double" and self._is_wide(begin + 2, end):
                last = len(self.text[: self.words[end].start].rstrip())
                inserted += [(self.words[begin + 2].start, 1, "cast("), (last, 0, " as varchar)")]
        text = self.text
        for place, _, added in sorted(inserted, reverse=True):
            text = text[:place] + added + text[place:]
        return text

    def _cast(self, begin: int) -> tuple[int, int]:
        """Return the places of ``as`` and of the type's first word of the cast at ``begin``."""
        place = begin + 2
        while self.words[place][:2] != (OTHER, "as"):
            place = self._closing.get(place, place) + 1
        return place, place + 1

    def _named_items(self) -> Iterator[tuple[str, int, int]]:
        """Yield the name of every item ``... as name`` of a list, and the places of the words before it."""
        types = {kind for _, kind in self._casts.values()}
        opening = {last: first for first, last in self._closing.items()}
        for place, word in enumerate(self.words):
            if word[:2] != (OTHER, "as") or place + 1 in types or self.words[place + 1].text == "(":
                continue
            begin = place
            while begin > 0 and self.words[begin - 1][:2] not in _BEFORE_ITEM:
                begin = opening.get(begin - 1, begin - 1)
            yield self.words[place + 1].text, begin, place

    def _is_wide(self, begin: int, end: int) -> bool:
        """Return whether the words from ``begin`` to before ``end`` are a whole number of 38 digits: not where doubles
        come in, which a quotient is too.
        """
        place, found = begin, False
        while place < end:
            kind, text, _ = self.words[place]
            following = place + 1
            if kind != OTHER or text == "/" or (text[0].isdigit() and "e" in text):
                return False
            if place in self._casts:
                wanted = self.words[self._casts[place][1]].text
                if wanted == "double":
                    return False
                found |= wanted == "decimal"
                following = self._closing[place + 1] + 1
            elif text == "when":  # a condition may be of any type
                while self.words[following][:2] != (OTHER, "then"):
                    following = self._closing.get(following, following) + 1
            elif text == "over" or (place + 1 in self._closing and text[0].isalpha() and text not in _WHOLE | _NO_CALL):
                following = self._closing[place + 1] + 1
            else:
                found |= text in self.wide and self.words[place + 1].text != "."
            place = following
        return found


def _parentheses(words: list[Token]) -> dict[int, int]:
    """Return the place of the closing parenthesis of every opening one."""
    opened, closing = [], {}
    for place, word in enumerate(words):
        if word[:2] == (OTHER, "("):
            opened.append(place)
        elif word[:2] == (OTHER, ")"):
            closing[opened.pop()] = place
    return closing


DIALECT = Dialect("duckdb", "DuckDB", "run")
