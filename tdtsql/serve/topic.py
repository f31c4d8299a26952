"""The topics of a condition, with a search; and one topic: its numbers of every run, runs that detected each
story, the stories in order of time, scores of targets and non-targets.
"""

from typing import Any

from tdtsql.engine.quoting import sql_literal
from tdtsql.errors import UnknownName
from tdtsql.serve.server import Page, PageRequest
from tdtsql.task import TASKS, topic_word

#: columns of the table of a detection run, and of a filtering run
_OF_DETECTION = "n_target n_hit n_miss n_false_alarm p_miss p_fa c_det_norm".split()
_OF_FILTERING = "n_target n_hit n_miss n_false_alarm precision recall t11su".split()
#: stories that are listed, topics on a page, and bins of a drawing of scores
_MOST_STORIES, _MOST_TOPICS, _BINS = 400, 500, 30


def index(ask: PageRequest) -> Page:
    """The topics of a condition whose id or title contains the search text, with the primary metric over the runs."""
    conditions = {condition: task for condition, task in ask.tasks().items() if condition in ask.server.topics}
    if not conditions:
        raise UnknownName("no condition of this store has topics, events, items or blocks.")
    condition = ask.get("condition") or next(iter(conditions))
    if condition not in conditions:
        raise UnknownName(
            f"condition '{condition}' is not in the store, or has no topics. There is: {', '.join(conditions)}."
        )
    profile = ask.profile(condition)
    search = ask.get("search") or ""
    metric = ask.primary(condition)
    rows = ask.rows(
        """
        select block.block_id as id, title, count(distinct run_id), avg(value), min(value), max(value)
        from base.block as block join registry.condition as condition using (condition_no)
        left join base.topic as topic on topic.corpus_no = condition.corpus_no and topic_id = block.block_id
        left join report.block_score as score on score.condition_id = condition.condition_id
            and score.block_id = block.block_id and profile_id = $2 and score.subset = 'all' and metric = $3
        where condition.condition_id = $1
            and (contains(lower(block.block_id), lower($4)) or contains(lower(title), lower($4)))
        group by 1, 2 order by if(try_cast(id as bigint) is null, 0, length(id)), id""",
        condition,
        profile,
        metric,
        search,
    )
    [[n_topic]] = ask.rows(
        "select count(*) from base.block join registry.condition using (condition_no) where condition_id = ?", condition
    )
    return ask.page(
        f"{topic_word(conditions[condition]).capitalize()}s of {condition}",
        "topics.html",
        "/topics",
        condition=condition,
        conditions=list(conditions),
        task=conditions[condition],
        profile=profile,
        profiles=ask.profiles(condition),
        metric=metric,
        search=search,
        rows=rows[:_MOST_TOPICS],
        has_titles=any(title for _, title, *_ in rows),
        n_found=len(rows),
        n_topic=n_topic,
    )


def page(ask: PageRequest) -> Page:
    condition, topic = ask.require("condition"), ask.require("topic")
    found = ask.rows(
        """
        select task, any_value(title) from registry.condition join base.block using (condition_no)
        left join base.topic on topic.corpus_no = condition.corpus_no and topic_id = block_id
        where condition_id = ? and block_id = ? group by task""",
        condition,
        topic,
    )
    if not found:
        raise UnknownName(f"topic '{topic}' is not in condition '{condition}'.")
    [[task, title]] = found
    profile = ask.profile(condition)
    rows = ask.rows(
        """
        select run_id, metric, value from report.block_score
        where condition_id = ? and block_id = ? and profile_id = ? and subset = 'all' order by run_id, metric""",
        condition,
        topic,
        profile,
    )
    broken = ask.broken()
    rows = [row for row in rows if row[1] not in broken]
    there = list(dict.fromkeys(metric for _, metric, _ in rows))
    usual = _OF_FILTERING if TASKS[task].primary == "t11su" else _OF_DETECTION
    columns = [*(metric for metric in usual if metric in there), *(name for name in there if name.startswith("own:"))]
    chosen = columns if TASKS[task].is_detection else []
    trials = None
    if TASKS[task].is_detection:
        trials = ask.patiently(lambda: _trials(ask, condition, topic, profile))
    return ask.page(
        f"{topic_word(task).capitalize()} {topic} of {condition}",
        "topic.html",
        condition=condition,
        topic=topic,
        task=task,
        title=title,
        profile=profile,
        profiles=ask.profiles(condition),
        runs=list(dict.fromkeys(run for run, _, _ in rows)),
        metrics=chosen or there,
        is_wide=bool(chosen),
        values={(run, metric): value for run, metric, value in rows},
        trials=trials,
        is_late=TASKS[task].is_detection and trials is None,
    )


def _trials(ask: PageRequest, condition: str, topic: str, profile: str) -> dict[str, Any]:
    rows = ask.rows(
        """
        select concat_ws(' ', story_id, story_id_2), min(position), any_value(published_at),
            if(max(is_target) = 1, 'on topic', 'not on topic')
                || if(max(is_scored) = 1, '', '; does not count: ' || coalesce(any_value(exclusion_reason), '')),
            coalesce(list(run_id order by run_id) filter (decision = 'yes'), []),
            max(is_target), max(is_scored), count(*) over ()
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
    [[condition_no, block_no, profile_no]] = ask.rows(
        """
        select condition_no, block_no, profile_no from base.block join registry.condition using (condition_no),
            registry.profile
        where condition_id = ? and block_id = ? and profile_id = ?""",
        condition,
        topic,
        profile,
    )
    numbers = dict(
        ask.rows("select run_no, run_id from registry.run where condition_no = ? order by run_id", condition_no)
    )
    run_nos = ", ".join(map(str, numbers)) or "null"
    scores: dict[str, tuple] = {}
    for run_no, low, high, is_target, place, count in ask.rows(f"""
        with trial as materialized (
            select run_no, is_target, score from base.scored_decision__v1
            where run_no in ({run_nos}) and block_no = {block_no} and profile_no = {profile_no} and isfinite(score)),
        reach as (select run_no, min(score) as low, max(score) as high from trial group by run_no)
        select run_no, low, high, is_target, case
            when high > low then least({_BINS - 1}, cast(floor((score - low) / (high - low) * {_BINS}) as integer))
            else 0 end as bin, count(*)
        from trial join reach using (run_no) group by all order by all"""):
        bins = scores.setdefault(numbers[run_no], (low, high, [0] * _BINS, [0] * _BINS))
        bins[2 if is_target else 3][place] = count
    lanes: dict[str, list[tuple[int, str]]] = {name: [] for name in ("on topic", *numbers.values())}
    for _, position, _, _, found, is_target, is_scored, _ in rows:
        if position is not None and is_scored:
            if is_target:
                lanes["on topic"].append((position, "target"))
            for run in numbers.values():
                if run in found or is_target:
                    kind = "miss" if run not in found else "hit" if is_target else "false-alarm"
                    lanes[run].append((position, kind))
    names = {"condition_id": condition, "block_id": topic, "profile_id": profile}
    chosen = " and ".join(f"{column} = {sql_literal(name)}" for column, name in names.items())
    return {
        "lanes": lanes if any(lanes.values()) else None,
        "scores": scores,
        "stories": [row[:5] for row in rows],
        "n_story": rows[0][-1] if rows else 0,
        "n_run": len(numbers),
        "query": f"select * from report.trial\nwhere {chosen}\n    and (is_target = 1 or decision = 'yes')\n"
        "order by story_id, run_id",
    }
