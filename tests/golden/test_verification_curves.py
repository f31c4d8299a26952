"""Scored trials against the golden numbers of seven evaluation programs, exact references among them (skips where these
are absent).

The trials are written straight into the tables of a store: here the metrics are held against the numbers, files are
read elsewhere.
"""

import math

import pytest

from scored_trials import ODDS, SCORES, Trial, columns_of, expected_of, read_case, scored

#: case -> how many numbers it has
_NUMBERS = (
    "all_equal=57 asvspoof2019_la=1596 asvspoof2019_la_asv=67 at_threshold=57 big_100k=399 eer_all_differ=57 "
    "fvcaus_plda=63 inf_scores=57 llr_calibrated=294 mediscore_eventverification=35 "
    "mediscore_journal_queries=105 mediscore_nc2016_manipulation=245 mediscore_nc2017_copymove=280 "
    "mediscore_no_nontarget=23 mediscore_optout=105 mediscore_same_scores=35 mediscore_sample_manipulation=105 "
    "mediscore_sub_index=35 no_target=45 one_target=57 perfect=57 tdcf_v1_cm_dev=117 ties_heavy=57"
)
CASES = {name: int(number) for name, number in (pair.split("=") for pair in _NUMBERS.split())}

#: the cases that take longest, half of the time of all
LARGE = {"asvspoof2019_la", "big_100k"}
BY_SIZE = [pytest.param(name, marks=[pytest.mark.full] if name in LARGE else []) for name in CASES]

#: metric -> what counts the blocks behind it
COUNTS = {
    "eer": "n_eer",
    "min_c_det_norm": "n_counted",
    "act_p_miss": "n_miss_behind",
    "act_p_fa": "n_fa_behind",
    "act_c_det_norm": "n_actual",
}


def test_no_case_is_left_out(shared):
    folder = shared / "golden" / "verification"

    assert sorted(path.name for path in folder.iterdir() if path.is_dir()) == sorted(CASES)
    assert sum(CASES.values()) == 3948


def subset_of(trial: dict, name: str) -> bool:
    """Return whether a trial is in a subset such as codec=C01; an attribute that a class lacks (-) restricts the other
    class.
    """
    column, value = name.split("=", 1)
    if column == "asv":  # what the organisers' speaker verification is tried with
        return trial["label"] in value.split("|")
    return trial[column] in (value, "-")


def groups_of(rows: list[dict]) -> dict[tuple, list[dict]]:
    """Return the golden numbers that one set of trials has: by score file, query of NIST's program, blocks, and what
    the scores are.
    """
    found: dict[tuple, list[dict]] = {}
    for row in rows:
        query = (row["test"], row["subset"]) if "test" in row else None
        found.setdefault(
            (row["scores"], query, row.get("block"), (row.get("policy") or "").startswith(ODDS)), []
        ).append(row)
    return found


@pytest.mark.parametrize("name", BY_SIZE)
@pytest.mark.sample(4)
def test_case(shared, name):
    folder = shared / "golden" / "verification" / name
    rows = expected_of(folder)
    queries: dict[tuple, list[str]] = {}
    sets: dict[tuple, tuple[list[Trial], list[dict]]] = {}  #: trials and numbers that share a store
    n_compared = 0
    for (scores, query, block, is_odds), wanted in groups_of(rows).items():
        case = read_case(folder, scores)
        if query is not None:  # the queries of a test, in the order in which the selection has them
            ids = list(dict.fromkeys(trial["query_no"] for trial in case if trial["test"] == query[0]))
            named = queries.setdefault((scores, query[0]), [])
            named += [] if query[1] in named else [query[1]]
            case = [
                trial for trial in case if (trial["test"], trial["query_no"]) == (query[0], ids[named.index(query[1])])
            ]
        names = [] if query is not None else sorted({row["subset"] for row in wanted} - {"all"})
        blocks = block.split(" x ") if block else []
        n_target = sum(trial["is_target"] == "1" for trial in case)
        offset = math.log(n_target / (len(case) - n_target)) if is_odds else 0.0
        # all queries are subsets of one condition
        trials, numbers = sets.setdefault((scores if query is None else "", block, is_odds), ([], []))
        own = f"query={scores} {query}"
        trials += [
            (
                " ".join(trial[column] for column in blocks),
                tuple(subset for subset in names if subset_of(trial, subset)) if query is None else (own,),
                trial["is_target"] == "1",
                float(trial["score"]) - offset,
            )
            for trial in case
        ]
        numbers += [row | {"of": row["subset"] if query is None else own} for row in wanted]
    for (_, _, is_odds), (trials, wanted) in sets.items():
        profiles: dict[str, dict] = {}
        for row in wanted:
            columns = columns_of({"profile": row.get("profile")} if is_odds else row)
            row["in"] = next(
                (profile for profile, values in profiles.items() if values == columns), f"p{len(profiles)}"
            )
            profiles[row["in"]] = columns
        found = scored(
            trials, {profile: {"base": "bosaris", **values} for profile, values in profiles.items()}, views=SCORES
        )
        for row in wanted:
            subset = row["of"]
            value = found[(row["in"], subset, row.get("weighting", "story"), row["metric"])]
            expected = float("inf") if row["value"] == "inf" else row["value"]
            what = (row["scores"], row["subset"], row["metric"], row.get("policy"), row.get("profile"))
            if expected is None or expected == float("inf"):
                assert value == expected, what
            else:
                tolerance = (
                    0 if row["metric"] == "min_threshold" else 1e-15 if row["metric"] == "act_threshold" else 1e-12
                )
                assert value is not None and abs(value - expected) <= tolerance * max(1, abs(expected)), (
                    what,
                    value,
                    expected,
                )
            if "n" in row:
                assert found[(row["in"], subset, row["weighting"], COUNTS[row["metric"]])] == row["n"], what
            n_compared += 1
    assert n_compared == CASES[name]
