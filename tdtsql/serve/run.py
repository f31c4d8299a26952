"""One run: what it is, all its numbers, its topics."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from markupsafe import Markup

from tdtsql.errors import UnknownName
from tdtsql.report.charts import Curve
from tdtsql.report.clusters.cluster_map import cluster_map_of
from tdtsql.report.curves import attribute_curves, subsets_by
from tdtsql.report.gather import sections_of
from tdtsql.report.trials.priors import priors_of
from tdtsql.report.trials.scores import scores_of
from tdtsql.report.trials.subsets import MOST_VALUES, attributes_of
from tdtsql.serve.server import Page, PageRequest
from tdtsql.task import TASKS, usual_weighting, weighting_in_words


def page(ask: PageRequest) -> Page:
    condition, run = ask.require("condition"), ask.require("run")
    found = ask.rows(
        """
        select run.run_no, condition.task, run.system, run.content_sha256
        from registry.run as run join registry.condition as condition using (condition_no)
        where condition_id = ? and run_id = ?""",
        condition,
        run,
    )
    if not found:
        raise UnknownName(f"run '{run}' is not in condition '{condition}'. The overview lists all.")
    run_no, task, system, sha256 = found[0]
    profile = ask.profile(condition)
    subset = ask.get("subset") or "all"
    primary = ask.primary(condition)
    numbers = ask.rows(
        """
        select metric, weighting, value, n, signature, null_reason from report.score
        where condition_id = ? and run_id = ? and profile_id = ? and subset = ?
        order by metric <> ?, metric, weighting""",
        condition,
        run,
        profile,
        subset,
        primary,
    )
    is_one_block = TASKS[task].is_by_trial and condition not in ask.server.topics  # its mean is its number
    broken = ask.broken()
    numbers = [row for row in numbers if row[0] not in broken and not (is_one_block and row[1] == "topic")]
    topics = ask.rows(
        """
        with mine as (select block_id, value, null_reason from report.block_score
        where condition_id = $1 and run_id = $2 and profile_id = $3 and subset = $4 and metric = $5),
        others as (select block_id, median(value) as value, count(value) as n from report.block_score
            where condition_id = $1 and profile_id = $3 and subset = $4 and metric = $5 group by block_id)
        select block_id, mine.value, mine.null_reason, others.value, n from mine
        join others using (block_id) order by block_id""",
        condition,
        run,
        profile,
        subset,
        primary,
    )
    owner = f"run:{condition}/{run}"
    more: dict[str, Any] = {}
    if TASKS[task].is_clustering:
        more |= _clusters(ask, condition, run)
    if TASKS[task].is_by_trial:
        more |= _trials(ask, condition, run, profile)
    elif TASKS[task].is_detection:
        by = _attribute(ask, subsets_by(ask.engine, condition), condition)
        more |= {
            "attributes": list(subsets_by(ask.engine, condition)),
            "by": by,
            "curves": _curves(ask, condition, run, profile, by),
            "averaged": weighting_in_words(usual_weighting(task), task),
        }
    return ask.page(
        f"{run} in {condition}",
        "run.html",
        condition=condition,
        run=run,
        task=task,
        profile=profile,
        profiles=ask.profiles(condition),
        subset=subset,
        subsets=ask.names(
            """
            select distinct subset from report.score where condition_id = ? and run_id = ? and profile_id = ?
            order by subset <> 'all', subset""",
            condition,
            run,
            profile,
        ),
        known=[
            ("condition", condition),
            ("task", task.replace("_", " ")),
            *([("system", system)] if system else []),
            ("hash", Markup(f"<code>{sha256[:16]}</code>")),
            *ask.rows("select name, value from registry.run_fact where run_no = ? order by fact_no", run_no),
        ],
        primary=primary,
        numbers=numbers,
        topics=topics if condition in ask.server.topics else (),
        sections=sections_of(ask.engine, task, condition, profile, run),
        files=ask.rows(
            "select path, kind, n_byte, sha256 from registry.input_file where owner = ? order by path", owner
        ),
        problems=ask.rows(
            """
            select code, path, line, message, value from registry.problem where owner = ?
            order by path, line, code limit 1000""",
            owner,
        ),
        **more,
    )


def _attribute(ask: PageRequest, known: Collection[str], condition: str) -> str | None:
    """Return the attribute of the address."""
    by = ask.get("by")
    if by is not None and by not in known:
        raise UnknownName(
            f"attribute '{by}' makes no subsets of condition '{condition}'. There is: {', '.join(known) or 'none'}."
        )
    return by


def _curves(ask: PageRequest, condition: str, run: str, profile: str, by: str | None) -> list[Curve]:
    """Return the DET curves of the values of an attribute."""
    return ask.patiently(lambda: attribute_curves(ask.engine, condition, profile, run, by)) or []


def _clusters(ask: PageRequest, condition: str, run: str) -> dict[str, Any]:
    """Return the cluster map: of one block, where the address names one."""
    blocks = ask.names(
        """
        select block_id from base.block join registry.condition using (condition_no) where condition_id = ?
        order by block_no""",
        condition,
    )
    block = ask.get("block")
    if block is not None and block not in blocks:
        raise UnknownName(f"block '{block}' is not in condition '{condition}'. The run's page lists all.")
    flow = ask.patiently(lambda: cluster_map_of(ask.engine, condition, run, block=block))
    return {"blocks": blocks, "block": block, "flow": flow}


def _trials(ask: PageRequest, condition: str, run: str, profile: str) -> dict[str, Any]:
    """Return scores in bins, by the attribute of the address, the first or none, and the error rates over priors."""
    attributes = attributes_of(ask.engine, condition)
    first = next((name for name, n_value in attributes.items() if n_value <= MOST_VALUES), None)
    by = _attribute(ask, attributes, condition) or first
    scores = ask.patiently(lambda: scores_of(ask.engine, condition, run, by))
    if scores is not None and by is not None:
        scores = replace(scores, curves=_curves(ask, condition, run, profile, by))
    return {
        "attributes": attributes,
        "by": by,
        "looks": ask.looks(),
        "scores": scores,
        "priors": ask.patiently(lambda: priors_of(ask.engine, condition, profile, [run])),
    }
