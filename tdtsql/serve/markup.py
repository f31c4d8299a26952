"""HTML made so that nothing from a store can be markup: every text is escaped unless it was made here."""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import lru_cache
from urllib.parse import urlencode

from markupsafe import Markup as Html

from tdtsql.report.svg import Content, escaped, tag
from tdtsql.report.sections import table
from tdtsql.report.tables import fixed as number

__all__ = ["Content", "Html", "escaped", "table", "tag"]


def address(path: str, /, **state: str | int | Sequence[str] | None) -> str:
    """Return the address of a page in a state; None is omitted, a list becomes a repeated parameter."""
    pairs = [(name, value) for name, value in state.items() if value is not None]
    return path + (f"?{urlencode(pairs, doseq=True)}" if pairs else "")


def link(text: Content, path: str, /, **state: str | int | Sequence[str] | None) -> Html:
    return tag("a", text, href=address(path, **state))


@lru_cache(8192)
def link_to(text: str, path: str, /, **state: str | None) -> Html:
    """Return a link as ``link`` does; the columns of a table have the same ones again and again."""
    return link(text, path, **state)


def is_numeric(values: Iterable[object]) -> bool:
    """Return True for a column of numbers and nothing else (but NULL)."""
    found = [value for value in values if value is not None]
    return bool(found) and all(
        isinstance(value, int | float | Decimal) and not isinstance(value, bool) for value in found
    )


def shown(value: object) -> str:
    """Return a value as a person reads it: a double in four decimals, nothing for NULL."""
    if value is None:
        return "–"
    return (
        number(value)
        if isinstance(value, float)
        else f"{value:,}"
        if isinstance(value, int) and not isinstance(value, bool)
        else str(value)
    )


def section(title: str, *content: Content, id_: str | None = None) -> Html:
    return tag("section", tag("h2", title), *content, id=id_)


def facts(pairs: Iterable[tuple[str, Content]]) -> Html:
    return tag("dl", [[tag("dt", name), tag("dd", value)] for name, value in pairs])


def notice(*content: Content) -> Html:
    return tag("p", *content, class_="notice")


def choice(label: str, name: str, options: Iterable[str], chosen: str | None, *, any_: str | None = None) -> Html:
    """Return a labelled list to choose from; ``any_``: what the empty choice is called, where there is one."""
    made = [tag("option", any_, value="")] if any_ is not None else []
    made += [tag("option", option, value=option, selected=option == chosen) for option in options]
    return tag("label", label, tag("select", made, name=name))


def hidden(**values: str | None) -> list[Html]:
    return [tag("input", type="hidden", name=name, value=value) for name, value in values.items() if value]


#: the pages that stand on every page
PAGES = (
    ("/", "Overview"),
    ("/metrics", "Metrics"),
    ("/compare", "Compare"),
    ("/sql", "SQL"),
    ("/cookbook", "Cookbook"),
    ("/ledger", "Ledger"),
)


def frame(
    title: str,
    body: Html,
    *,
    here: str,
    store: str,
    entry: int,
    head: str,
    assets: str,
    version: str,
    notes: Sequence[Content] = (),
) -> str:
    """Return a whole page.

    Args:
        here: the entry of PAGES it belongs to.
        store: name of the store; ``entry`` and ``head``: number and hash of the last entry of its ledger.
        assets: what distinguishes this version of the style and the script from others.
        notes: messages at the top of the page.
    """
    entries = [
        tag("li", tag("a", name, href=path, aria_current="page" if path == here else None)) for path, name in PAGES
    ]
    foot = facts(
        [("store", store), ("ledger", tag("span", f"entry {entry}, {head}", class_="hash")), ("tdtsql", version)]
    )
    return Html("<!doctype html>\n") + tag(
        "html",
        tag(
            "head",
            tag("meta", charset="utf-8"),
            tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
            tag("title", f"{title} – {store}"),
            tag("link", rel="icon", href="data:,"),
            tag("link", rel="stylesheet", href=f"/assets/page.css?{assets}"),
            tag("link", rel="stylesheet", href=f"/assets/server.css?{assets}"),
            tag("script", src=f"/assets/common.js?{assets}"),
            tag("script", src=f"/assets/server.js?{assets}"),
        ),
        tag(
            "body",
            tag("a", "Skip to the content", class_="skip", href="#content"),
            tag(
                "header",
                tag("div", tag("h1", title)),
                tag(
                    "div",
                    tag("button", class_="plain", id="theme", type="button", hidden=True),
                    class_="controls screen",
                ),
                class_="page",
            ),
            tag("nav", tag("ul", entries), aria_label="Pages"),
            tag("main", [notice(note) for note in notes], body, id="content"),
            tag("footer", foot),
        ),
        lang="en",
    )
