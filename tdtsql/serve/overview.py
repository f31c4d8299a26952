"""The first page: conditions, their runs, and leaderboards with intervals and groups."""

from tdtsql.report import sections
from tdtsql.report.leaderboard import Leaderboard, RankedRun
from tdtsql.serve.server import PageRequest, Page, every_board
from tdtsql.serve.markup import Content, Html, escaped, link, notice, section, shown, table, tag
from tdtsql.task import TASKS


def page(ask: PageRequest) -> Page:
    conditions = ask.server.cached("conditions", lambda: _conditions(ask))
    boards = ask.server.cached("leaderboards", lambda: every_board(ask.engine))
    stale = ask.server.cached("stale", lambda: ask.rows("select count(*) from report.stale")[0][0])
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
                [_board(ask, board) for board in boards],
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


def _conditions(ask: PageRequest) -> list[tuple]:
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


def _board(ask: PageRequest, board: Leaderboard) -> Html:
    def value(line: RankedRun) -> Html:
        return link(
            shown(line.value),
            "/number",
            condition=board.condition,
            profile=board.profile,
            run=line.run,
            metric=board.metric,
            subset=None if board.subset == "all" else board.subset,
            data=ask.server.head,
        )

    compared = (
        link(
            "Compare",
            "/compare",
            run=[line.run for line in board.runs],
            condition=board.condition,
            profile=board.profile,
            metric=board.metric,
            data=ask.server.head,
        )
        if len(board.runs) > 1
        else None
    )
    subset = "" if board.subset == "all" else f", {board.subset}"
    return sections.leaderboard(
        board,
        title=f"{board.condition} · {board.profile}{subset} ({board.task.replace('_', ' ')})",
        run=lambda line: link(line.run, "/run", condition=board.condition, run=line.run),
        value=value,
        more=compared,
    )
