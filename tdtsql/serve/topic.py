"""One topic: its numbers of every run, runs that detected each story, the stories in order of time, scores of targets
and non-targets.
"""

from collections import defaultdict

from tdtsql.errors import UnknownName
from tdtsql.report import charts
from tdtsql.serve.server import PageRequest, Page
from tdtsql.serve.markup import (
    Content,
    Html,
    address,
    choice,
    escaped,
    hidden,
    link,
    notice,
    section,
    shown,
    table,
    tag,
)
from tdtsql.task import TASKS

#: columns of the table of a detection run
_OF_DETECTION = ("n_target", "n_hit", "n_miss", "n_false_alarm", "p_miss", "p_fa", "c_det_norm")
#: stories that are listed, and bins of a drawing of scores
_MOST_STORIES, _BINS = 400, 30
#: seconds that the trials may take: the numbers are shown in any case
_PATIENCE = 8


def page(ask: PageRequest) -> Page:
    condition, topic = ask.require("condition"), ask.require("topic")
    found = ask.rows(
        "select condition_no, task, corpus_no from registry.condition join base.block using (condition_no) where "
        "condition_id = ? and block_id = ?",
        condition,
        topic,
    )
    if not found:
        raise UnknownName(f"topic '{topic}' is not in condition '{condition}'.")
    _, task, corpus_no = found[0]
    title = next(
        (
            text
            for [text] in ask.rows(
                "select title from base.topic where corpus_no = ? and topic_id = ?", corpus_no, topic
            )
            if text
        ),
        None,
    )
    profiles = ask.profiles(condition)
    profile = ask.get("profile") or (profiles[0] if profiles else "")
    body: list[Content] = [
        tag("p", title, class_="lead") if title else None,
        tag(
            "form",
            hidden(condition=condition, topic=topic),
            choice("profile", "profile", profiles, profile),
            tag("button", "Show", class_="plain", type="submit"),
            action="/topic",
            method="get",
            class_="controls",
        ),
        _numbers(ask, condition, topic, profile, task),
    ]
    if TASKS[task].is_detection:
        trials = ask.with_deadline(
            _PATIENCE,
            lambda: ask.server.cached(
                ("trials", condition, topic, profile), lambda: _trials(ask, condition, topic, profile)
            ),
        )
        body.append(
            trials
            if trials is not None
            else notice(
                f"The stories took longer than {_PATIENCE} s, or exceeded the memory of a page. On the SQL page, "
                f"query report.trial for one run."
            )
        )
    return Page(f"Topic {topic} of {condition}", escaped(body))


def _numbers(ask: PageRequest, condition: str, topic: str, profile: str, task: str) -> Html:
    rows = ask.rows(
        "select run_id, metric, value from report.block_score where condition_id = ? and block_id = ? and profile_id "
        "= ? and subset = 'all' order by run_id, metric",
        condition,
        topic,
        profile,
    )
    runs = list(dict.fromkeys(run for run, _, _ in rows))
    values = {(run, metric): value for run, metric, value in rows}
    there = list(dict.fromkeys(metric for _, metric, _ in rows))

    def cell(run: str, metric: str) -> Content:
        if (run, metric) not in values:
            return "–"
        value = values[run, metric]
        text = f"{int(value):,}" if value is not None and metric.startswith("n_") else shown(value)
        return link(
            text,
            "/number",
            condition=condition,
            run=run,
            metric=metric,
            profile=profile,
            topic=topic,
            data=ask.server.head,
        )

    chosen = [metric for metric in _OF_DETECTION if metric in there] if TASKS[task].is_detection else []
    if chosen:
        return section(
            "Runs",
            table(
                ["run", *(link(metric, "/metric", name=metric, task=task) for metric in chosen)],
                [
                    [
                        link(run, "/run", condition=condition, run=run, profile=profile),
                        *(cell(run, metric) for metric in chosen),
                    ]
                    for run in runs
                ],
                caption=f"Numbers of the runs on topic {topic}",
                numeric=[False, *([True] * len(chosen))],
            ),
        )
    return section(
        "Runs",
        table(
            ["metric", *(link(run, "/run", condition=condition, run=run, profile=profile) for run in runs)],
            [
                [link(metric, "/metric", name=metric, task=task), *(cell(run, metric) for run in runs)]
                for metric in there
            ],
            caption=f"Numbers of the runs on topic {topic}",
            numeric=[False, *([True] * len(runs))],
            tall=True,
        ),
    )


def _trials(ask: PageRequest, condition: str, topic: str, profile: str) -> list[Html]:
    rows = ask.rows(
        """
        select story_id, story_id_2, min(position), any_value(published_at), max(is_target), max(is_scored),
            any_value(exclusion_reason),
            list(run_id order by run_id) filter (decision = 'yes'), count(*) over ()
        from report.trial
        where condition_id = ? and block_id = ? and profile_id = ? and (is_target = 1 or decision = 'yes')
        group by story_id, story_id_2
        order by max(is_scored) desc, max(is_target) desc, min(position), story_id, story_id_2
        limit ?""",
        condition,
        topic,
        profile,
        _MOST_STORIES,
    )
    # by the numbers of the topic and the profile: so the engine reads the decisions on this topic alone
    block_no, profile_no = ask.rows(
        "select block_no, profile_no from base.block join registry.condition using (condition_no), registry.profile "
        "where condition_id = ? and block_id = ? and profile_id = ?",
        condition,
        topic,
        profile,
    )[0]
    numbers = dict(
        ask.rows(
            "select run_no, run_id from registry.run join registry.condition using (condition_no) where condition_id "
            "= ?",
            condition,
        )
    )
    run_nos = ", ".join(map(str, numbers)) or "null"
    scores = [
        (numbers[run_no], *rest)
        for run_no, *rest in ask.rows(f"""
        with trial as materialized (
            select run_no, is_target, score from base.scored_decision__v1
            where run_no in ({run_nos}) and block_no = {block_no} and profile_no = {profile_no} and isfinite(score)),
        reach as (select run_no, min(score) as low, max(score) as high from trial group by run_no)
        select run_no, low, high, is_target, case
            when high > low then least({_BINS - 1}, cast(floor((score - low) / (high - low) * {_BINS}) as integer))
            else 0 end as bin, count(*)
        from trial join reach using (run_no) group by all order by all""")
    ]
    runs = [
        run
        for [run] in ask.rows(
            "select run_id from registry.run join registry.condition using (condition_no) where condition_id = ? "
            "order by run_id",
            condition,
        )
    ]
    n_story = rows[0][-1] if rows else 0
    lanes: dict[str, list[tuple[int, str]]] = {"on topic": []}
    lanes |= {run: [] for run in runs}
    listed: list[list[Content]] = []
    for story, second, position, published, is_target, is_scored, reason, found, _ in rows:
        said = set(found or ())
        name = story if second is None else f"{story} {second}"
        if position is not None and is_scored:
            if is_target:
                lanes["on topic"].append((position, "target"))
            for run in runs:
                if run in said or is_target:
                    lanes[run].append(
                        (position, "hit" if run in said and is_target else "miss" if is_target else "false-alarm")
                    )
        kind = "on topic" if is_target else "not on topic"
        listed.append(
            [
                tag("span", name),
                position if position is not None else "–",
                ("–" if published is None else str(published)),
                kind if is_scored else f"{kind}; does not count: {reason}",
                f"{len(said)} of {len(runs)}",
                tag("span", ", ".join(sorted(said)) or "none", class_="words"),
            ]
        )
    parts = []
    if any(lanes.values()):
        parts.append(
            section(
                "Stories in order of time",
                tag(
                    "figure",
                    charts.timeline(lanes),
                    tag(
                        "figcaption",
                        "Each mark is a scored story, at its position in the corpus: hit (filled), miss (open), "
                        "false alarm (cross).",
                    ),
                ),
            )
        )
    by_run: dict[str, dict[int, dict[int, int]]] = defaultdict(lambda: {0: {}, 1: {}})
    reach = {}
    for run, low, high, is_target, place, count in scores:
        by_run[run][is_target][place] = count
        reach[run] = (low, high)
    if by_run:
        parts.append(
            section(
                "Scores",
                tag(
                    "p",
                    "Share of the targets (black) and of the non-targets (grey, dashed) in each range of scores.",
                    class_="soft",
                ),
                tag(
                    "div",
                    [
                        tag("figure", tag("figcaption", run), _histogram(run, reach[run], bins))
                        for run, bins in sorted(by_run.items())
                    ],
                    class_="small",
                ),
            )
        )
    more = f" The first {_MOST_STORIES} of {n_story:,}." if n_story > len(rows) else ""
    everything = address(
        "/sql",
        q=f"select * from report.trial\nwhere condition_id = '{_text(condition)}' and block_id = '{_text(topic)}' and "
        f"profile_id = '{_text(profile)}'\n"
        "    and (is_target = 1 or decision = 'yes')\norder by story_id, run_id",
        data=ask.server.head,
    )
    parts.append(
        section(
            "Runs that detected each story",
            tag(
                "p",
                "Stories on the topic, and false alarms.",
                more,
                " ",
                tag("a", "All trials as a query", href=everything),
                ".",
            ),
            table(
                ["story", "place", "published", "is", "found by", "who"],
                listed,
                caption="Stories and the runs that accepted them",
                numeric=[False, True, False, False, True, False],
                tall=True,
            ),
        )
    )
    return parts


def _text(value: str) -> str:
    return value.replace("'", "''")


def _histogram(run: str, reach: tuple[float, float], bins: dict[int, dict[int, int]]) -> Html:
    target, nontarget = ([bins[is_target].get(at, 0) for at in range(_BINS)] for is_target in (1, 0))
    label = f"Scores of {run}: {sum(target):,} targets and {sum(nontarget):,} non-targets"
    return charts.histogram(label, *reach, target, nontarget)
