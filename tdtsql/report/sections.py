"""Sections that the HTML report and the web UI share: leaderboards, comparisons, signatures."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from tdtsql.task import weighting_in_words
from tdtsql.report.charts import Content, escaped, tag
from tdtsql.report.intervals import FEWEST_TOPICS
from tdtsql.report.leaderboard import HEADS, ValueInterval, Leaderboard, RankedRun
from tdtsql.report.tables import UNDEFINED, better
from tdtsql.report.tables import fixed as number


def table(
    heads: Sequence[Content],
    rows: Iterable[Sequence[Content]],
    *,
    caption: str,
    numeric: Sequence[bool] | None = None,
    tall: bool = False,
    sorts: Mapping[int, str] | None = None,
) -> Markup:
    """Return a table whose first column names the rows.

    Args:
        caption: read out by screen readers.
        numeric: which columns are right-aligned; none without it.
        tall: True for many rows: it scrolls by itself.
        sorts: column -> ascending or descending, where the rows are sorted by it.
    """
    kinds = ["number" if is_number else None for is_number in numeric or [False] * len(heads)]
    head = [
        tag("th", text, scope="col", class_=kind, aria_sort=(sorts or {}).get(at))
        for at, (text, kind) in enumerate(zip(heads, kinds, strict=True))
    ]
    # written without `tag`: a page may have tens of thousands of cells
    of_class = [f' class="{kind}"' if kind else "" for kind in kinds]
    begin = [f"<td{kind}>" if at else f'<th scope="row"{kind}>' for at, kind in enumerate(of_class)]
    end = ["</td>" if at else "</th>" for at in range(len(kinds))]
    body = "".join(
        f"<tr>{''.join(b + str(escaped(cell)) + e for b, cell, e in zip(begin, row, end, strict=True))}</tr>"
        for row in rows
    )
    inside = tag(
        "table",
        tag("caption", caption, class_="visually-hidden"),
        tag("thead", tag("tr", head)),
        tag("tbody", Markup(body)),
    )
    # only what scrolls needs a stop of the tabulator key
    if tall:
        return tag("div", inside, class_="scroll tall", tabindex=0, role="region", aria_label=caption)
    return tag("div", inside, class_="scroll")


def leaderboard(
    board: Leaderboard,
    *,
    title: str,
    run: Callable[[RankedRun], Content],
    value: Callable[[RankedRun], Content],
    more: Content = None,
) -> Markup:
    """Return a leaderboard; ``run`` and ``value`` make the cells that may be links.

    With few topics a rank says little: no number is bold then, and no interval is given.
    """
    is_few = max((line.n for line in board.runs), default=0) < FEWEST_TOPICS
    rows = [
        [
            run(line),
            tag("abbr", "withdrawn", title=line.withdrawn) if line.withdrawn is not None else line.rank or UNDEFINED,
            tag("b", value(line)) if line.rank == 1 and not is_few else value(line),
            UNDEFINED if line.low is None else f"{number(line.low)} … {number(line.high)}",
            line.letters or UNDEFINED,
            line.n,
            *(_beside(metric, of_run.get(line.run)) for metric, of_run in board.other_metrics.items()),
        ]
        for line in board.runs
    ]
    has_interval = any(line.low is not None for line in board.runs)
    has_group = any(line.letters for line in board.runs)
    kept = [
        at
        for at in range(6 + len(board.other_metrics))
        if not (at == 3 and not has_interval or at == 4 and not has_group)
    ]
    heads = [
        "run",
        "rank",
        "value",
        "95 % interval",
        "group",
        "n",
        *(HEADS.get(one, one) for one in board.other_metrics),
    ]
    numeric = [False, True, True, True, False, True, *(True for _ in board.other_metrics)]
    said = ", ".join(
        part
        for part in (
            board.metric,
            "" if board.subset == "all" else board.subset,
            weighting_in_words(board.weighting, board.task),
            better(board.best) if board.best != "none" else "",
        )
        if part
    )
    few = f" n = {max((line.n for line in board.runs), default=0)}: too few for a reliable ranking." if is_few else ""
    return tag(
        "div",
        tag("h3", title),
        tag("p", f"{said}.{few} ", more, class_="soft"),
        table(
            [heads[at] for at in kept],
            [[row[at] for at in kept] for row in rows],
            caption=f"Leaderboard of {title}",
            numeric=[numeric[at] for at in kept],
        ),
        tag("details", tag("summary", "Groups and intervals"), tag("p", board.note), class_="soft"),
        class_="board",
    )


def _beside(metric: str, found: ValueInterval | None) -> str:
    """Return another number of a run: an EER in percent."""
    value = None if found is None else found[0]
    return UNDEFINED if value is None else f"{100 * value:.2f}" if metric == "eer" else number(value)


def comparisons(rows: Iterable[Mapping[str, Any]], *, run: Callable[[str], Content]) -> Markup:
    """Return compared runs; ``run`` makes the cells of names."""
    return table(
        ["run", "against", "difference", "95 % interval", "win/tie/loss", "p", "p corrected"],
        [
            [
                run(row["run"]),
                run(row["baseline"]),
                number(row["difference"], signed=True),
                f"{number(row['low'], signed=True)} … {number(row['high'], signed=True)}",
                UNDEFINED if row["win"] is None else f"{row['win']}/{row['tie']}/{row['loss']}",
                number(row["p"]),
                number(row["p_adjusted"]),
            ]
            for row in rows
        ],
        caption="Comparison of runs",
        numeric=[False, False, *([True] * 5)],
    )


def signature(text: str) -> Markup:
    """Return a signature: the first part of it, all of it unfolded."""
    return tag(
        "details",
        tag("summary", "Signature ", tag("code", text[:24] + "…")),
        tag("p", tag("code", text)),
        class_="soft signature",
    )
