"""Two clusterings in, B-CUBED rows out: a store in memory with only what the views read.

A second implementation, story by story in exact fractions, is compared with it.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

import duckdb

from insert_rows import insert_rows
from trial_model import create_views, derive, empty_store, fetch

POLICIES = ("exclude", "drop", "zero", "singleton")
DEFAULT = ("exclude", "exclude")

#: (story, topic)
Membership = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Answer:
    """One case: the gold topics, the system's topics, and the number of other stories."""

    reference: set[Membership]
    response: set[Membership]
    n_other_story: int = 0

    @property
    def numbers(self) -> dict[str, int]:
        """Topic -> its block number in the store."""
        topics = sorted({topic for _, topic in self.reference | self.response})
        return {topic: number for number, topic in enumerate(topics, start=1)}


def load(
    cases: Mapping[str, Answer], policies: Iterable[tuple[str, str]], views: Iterable[str] = ()
) -> duckdb.DuckDBPyConnection:
    """Return a connection with one condition and one run per case, all profiles on each, for `fetch`; ``views`` are
    made already.
    """
    con = empty_store()
    profiles = list(policies)
    rows: dict[str, list[dict]] = defaultdict(list)
    costs = {"p_target": 0.02, "c_miss": 1, "c_fa": 0.1, "fa_topics": "all", "topic_cost": "cost_of_means"}
    for number, (unassigned, unjudged) in enumerate(profiles, start=1):
        policy = {"b3_unassigned": unassigned, "b3_unjudged": unjudged, "judged_no": "scored", "training": "excluded"}
        name = {"profile_no": number, "profile_id": f"{unassigned}/{unjudged}"}
        rows["registry.profile"].append(name | policy | costs)
    for number, (name, case) in enumerate(cases.items(), start=1):
        numbers, here, run = case.numbers, {"condition_no": number}, {"run_no": number}
        stories = sorted({story for story, _ in case.reference | case.response})
        story_no = {story: index for index, story in enumerate(stories, start=1)}
        n_story = len(stories) + case.n_other_story
        condition = {"condition_id": name, "corpus_no": number, "base_condition_no": number}
        rows["registry.condition"].append(here | condition)
        rows["registry.run"].append(here | run | {"run_id": name, "n_row": len(case.response)})
        rows["base.subset"].append(here)
        rows["base.segment"].append(here | {"segment_no": 1, "n_trial": n_story})
        rows["registry.condition_profile"] += [here | {"profile_no": no} for no in range(1, len(profiles) + 1)]
        for topic, block_no in numbers.items():
            block = {"block_no": block_no}
            rows["base.block"].append(here | block | {"block_id": topic, "topic_no": block_no})
            rows["base.test_segment"].append(here | block | {"segment_no": 1})
        rows["base.segment_story"] += [here | {"story_no": n, "segment_no": 1} for n in range(1, n_story + 1)]
        judged = {"corpus_no": number, "judgment_set": 1, "label": "yes"}
        for story, topic in sorted(case.reference):
            rows["base.judgment"].append(judged | {"topic_no": numbers[topic], "story_no": story_no[story]})
        decided = run | {"segment_no": 1, "is_yes": True, "score": 1.0}
        for story, topic in sorted(case.response):
            rows["base.decision"].append(decided | {"block_no": numbers[topic], "trial_no": story_no[story]})
    for table, inside in rows.items():
        insert_rows(con.execute, table, inside)
    derive(con, range(1, len(cases) + 1))
    create_views(con, views)
    return con


def partition_scores(
    cases: Mapping[str, Answer], policies: Iterable[tuple[str, str]] = (DEFAULT,), view: str = "score"
) -> dict[tuple[str, tuple[str, str], str], dict]:
    """Return the rows of a run view by (case, (unassigned, unjudged), weighting)."""
    policies, names = list(policies), list(cases)
    with load(cases, policies) as con:
        return {
            (names[row["run_no"] - 1], policies[row["profile_no"] - 1], row["weighting"]): row
            for row in fetch(con, f"bcubed_{view}")
        }


def partition_rows(case: Answer, relation: str, policy: tuple[str, str] = DEFAULT) -> list[dict]:
    """Return the rows of a relation of the metric layer for one case."""
    with load({"case": case}, [policy]) as con:
        return fetch(con, relation)


def _side(own: Mapping[str, set], other: Mapping[str, set]) -> dict[str, Fraction]:
    """Return the ratio of each story that has a topic on the own side: B stories -> B ratios, by B^2 comparisons."""
    ratios = {}
    for story, topics in own.items():
        near = [peer for peer in own if topics & own[peer]]
        gains = [
            Fraction(
                min(len(topics & own[peer]), len(other.get(story, set()) & other.get(peer, set()))),
                len(topics & own[peer]),
            )
            for peer in near
        ]
        ratios[story] = sum(gains, Fraction(0)) / len(near)
    return ratios


def brute_force(case: Answer, unassigned: str, unjudged: str) -> dict[tuple[str, str], Fraction | None]:
    """Return precision and recall by (side, weighting), straight from the sentence that defines them.

    For stories with one topic this is figure 4 of Bagga's paper; for several
    topics it is the multiplicity form of Amigo et al. (2009), section 5.
    """
    sides: dict[str, dict[str, set]] = {}
    for name, memberships in (("reference", case.reference), ("response", case.response)):
        sides[name] = {}
        for story, topic in memberships:
            sides[name].setdefault(story, set()).add(topic)
    lone = {
        "reference": sides["reference"].keys() - sides["response"].keys(),
        "response": sides["response"].keys() - sides["reference"].keys(),
    }
    extra = {"reference": 0, "response": 0}
    for name, other, policy in (("reference", "response", unassigned), ("response", "reference", unjudged)):
        for story in lone[name]:
            if policy == "drop":
                del sides[name][story]
            elif policy == "singleton":
                sides[other][story] = {("alone", story)}
            elif policy == "zero":
                extra[other] += 1

    found: dict[tuple[str, str], Fraction | None] = {}
    for metric, own, other in (("precision", "response", "reference"), ("recall", "reference", "response")):
        ratios = _side(sides[own], sides[other])
        n_story = len(ratios) + extra[own]
        found[metric, "story"] = sum(ratios.values(), Fraction(0)) / n_story if n_story else None
        topics: dict[object, list[Fraction]] = {}
        for story, names in sides[own].items():
            for topic in names:
                topics.setdefault(topic, []).append(ratios[story])
        means = [sum(values, Fraction(0)) / len(values) for values in topics.values()]
        found[metric, "topic"] = sum(means, Fraction(0)) / len(means) if means else None
    for weighting in ("story", "topic"):
        both = precision, recall = found["precision", weighting], found["recall", weighting]
        found["f1", weighting] = None if None in both else 2 * precision * recall / (sum(both) or 1)
    return found
