"""The first page: conditions, their runs, and leaderboards with intervals and groups."""

from tdtsql.serve.server import Page, PageRequest, every_board


def page(ask: PageRequest) -> Page:
    conditions = _conditions(ask)
    boards = every_board(ask.engine)
    return ask.page(
        "Overview",
        "overview.html",
        stale=ask.rows("select count(*) from report.stale")[0][0],
        cards=[
            (len({(row[0], run) for row in conditions for run in row[4]}), "runs"),
            (len({row[0] for row in conditions}), "conditions"),
            (len({row[2] for row in conditions}), "corpora"),
            (len({board.profile for board in boards}), "scoring profiles"),
        ],
        boards=boards,
        conditions=conditions,
        with_topics=ask.server.topics,
    )


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
