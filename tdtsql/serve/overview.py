"""The first page: conditions, their runs, and leaderboards with intervals and groups."""

from tdtsql.report.gather import leaderboards
from tdtsql.report.page import Board, Leaderboard
from tdtsql.serve.desk import Ask, Page
from tdtsql.serve.markup import Content, Html, escaped, link, notice, section, shown, table, tag
from tdtsql.task import TASKS


def page(ask: Ask) -> Page:
    conditions = ask.desk.keep("conditions", lambda: _conditions(ask))
    runs, boards, tables = ask.desk.keep("leaderboards", lambda: leaderboards(ask.engine))
    stale = ask.desk.keep("stale", lambda: ask.rows("select count(*) from report.stale")[0][0])
    n_run = len({(row[0], run) for row in conditions for run in row[4]})
    cards = [
        (n_run, "runs"),
        (len({row[0] for row in conditions}), "conditions"),
        (len({row[2] for row in conditions}), "corpora"),
        (len({board.profile for board in boards}), "scoring profiles"),
    ]
    body: list[Content] = [
        notice(
            f"{stale} runs have no numbers that are up to date; they are not shown. `tdtsql score --db STORE` "
            f"computes them."
        )
        if stale
        else None,
        tag(
            "div",
            [tag("div", tag("b", f"{count:,}"), tag("span", what), class_="card") for count, what in cards],
            class_="cards",
        ),
        section(
            "Leaderboards",
            tag(
                "div",
                [_board(ask, runs, boards[found.board], found) for found in tables if found.standings],
                class_="boards",
            ),
        ),
        section(
            "Conditions and runs",
            table(
                ["condition", "task", "corpus", "profiles", "runs"],
                [
                    [
                        [name, " ", link("subsets", "/subsets", condition=name)]
                        if TASKS[task].decides_on == "trial"
                        else name,
                        task.replace("_", " "),
                        corpus,
                        ", ".join(profiles),
                        tag(
                            "span",
                            [[link(run, "/run", condition=name, run=run), " "] for run in members],
                            class_="words",
                        ),
                    ]
                    for name, task, corpus, profiles, members in conditions
                ],
                caption="Conditions and runs",
            ),
        ),
    ]
    return Page("Overview", escaped(body))


def _conditions(ask: Ask) -> list[tuple]:
    """Return (condition, task, corpus, profiles, runs) of every condition."""
    return ask.rows("""
        select condition_id, task, corpus_id,
            (select coalesce(list(profile_id order by profile_no), []) from registry.condition_profile as chosen
                join registry.profile as profile using (profile_no)
             where chosen.condition_no = condition.condition_no),
            (select coalesce(list(run_id order by run_id), []) from registry.run as run
            where run.condition_no = condition.condition_no)
        from registry.condition as condition
        join registry.corpus as corpus using (corpus_no)
        order by condition_no""")


def _board(ask: Ask, runs: list[dict], board: Board, found: Leaderboard) -> Html:
    rows: list[list[Content]] = []
    for line in found.standings:
        run = str(runs[line.run]["id"])
        number = link(
            shown(line.value),
            "/number",
            condition=board.condition,
            profile=board.profile,
            run=run,
            metric=found.metric,
            subset=None if found.subset == "all" else found.subset,
            data=ask.desk.head,
        )
        rows.append(
            [
                link(run, "/run", condition=board.condition, run=run),
                tag("abbr", "withdrawn", title=line.withdrawn) if line.withdrawn is not None else line.rank or "–",
                number,
                "–" if line.low is None else f"{shown(line.low)} … {shown(line.high)}",
                line.letters or "–",
                line.n,
            ]
        )
    better = {"lowest": "lower is better", "highest": "higher is better"}.get(found.best, "")
    words = ", ".join(
        part for part in ("" if found.subset == "all" else found.subset, f"{found.weighting}-weighted", better) if part
    )
    names = [str(runs[line.run]["id"]) for line in found.standings]
    compared = (
        link(
            "Compare",
            "/compare",
            run=names,
            condition=board.condition,
            profile=board.profile,
            metric=found.metric,
            data=ask.desk.head,
        )
        if len(names) > 1
        else None
    )
    return tag(
        "div",
        tag("h3", f"{board.condition} · {board.profile} ({board.task.replace('_', ' ')})"),
        tag(
            "p",
            link(found.metric, "/metric", name=found.metric, task=board.task),
            f", {words}. ",
            compared,
            class_="soft",
        ),
        table(
            ["run", "rank", "value", "95 % interval", "group", "n"],
            rows,
            caption=f"Leaderboard of {board.condition} under {board.profile}",
            numeric=[False, True, True, True, False, True],
        ),
        tag("details", tag("summary", "How groups and intervals were made"), tag("p", found.note), class_="soft"),
        class_="board",
    )
