"""The golden numbers of scored trials from their files: keys and scores in five formats, subsets and blocks (skips
where they are absent).

`test_verification_curves.py` holds the metrics against the same numbers, and all of them; cases with label and score in
one file are there alone.
"""

import pytest
import csv
import gzip


import tdtsql
from bundle_file import write_bundle, write_tables
from golden_cases import keyed
from scored_trials import ODDS, columns_of, expected_of

#: how many numbers of how many cases are compared
N_NUMBER, N_CASE = 3758, 21


def lines_of(path):
    return (gzip.open if path.name.endswith(".gz") else open)(path, "rt", newline="")


class Bundle:
    """Cases as conditions of one bundle, each set of trials once, with the profiles that its numbers are under."""

    def __init__(self, folder):
        self.folder = folder
        self.profiles: dict[tuple, str] = {}
        self.conditions: dict[tuple, dict] = {}
        self.runs: list[dict] = []
        self.wanted: list[tuple] = []

    def add(self, case):
        selection = next(iter(sorted(case.glob("selection.csv*"))), None)
        drawn = {}
        if selection is not None:
            with lines_of(selection) as stream:
                for row in csv.DictReader(stream):
                    drawn.setdefault(row["test"], {}).setdefault(row["query_no"], []).append(row)
        named: dict[str, dict[str, str]] = {}
        for row in expected_of(case):
            if (row.get("policy") or "").startswith(ODDS) or "bootstrap" in (row.get("policy") or ""):
                continue
            query = None
            if selection is not None:
                queries = named.setdefault(row["test"], {})
                query = (row["test"], queries.setdefault(row["subset"], str(len(queries))))
                if query[1] not in drawn.get(row["test"], {}):
                    continue
            columns = columns_of(row)
            columns.pop("scores are log posterior odds at the share of targets", None)
            profile = self.profiles.setdefault(tuple(sorted(columns.items())), f"p{len(self.profiles)}")
            condition = self.condition(case, row, query, drawn)
            if profile not in condition["profile"]:
                condition["profile"].append(profile)
            subset, weighting = "all" if selection is not None else row["subset"], row.get("weighting", "story")
            key = (condition["id"], profile, subset, row["metric"], weighting)
            self.wanted.append((*key, row["value"], case.name))

    def condition(self, case, row, query, drawn):
        key = (case.name, row["scores"], row.get("block"), query)
        if key in self.conditions:
            return self.conditions[key]
        name = f"c{len(self.conditions)}"
        if query is not None:
            trials = drawn[query[0]][query[1]]
            files = write_tables(
                self.folder,
                **{
                    f"{name}_{what}": (f"trial_id {column}", [(trial["trial_id"], trial[column]) for trial in trials])
                    for what, column in (("key", "label"), ("scores", "score"))
                },
            )
            found, scores = (str(self.folder / file) for file in files.values())
        else:
            path = next(path for path in sorted(case.iterdir()) if path.name.startswith(("key.", "trials.")))
            found, scores = str(path), str(case / row["scores"])
        self.conditions[key] = {"id": name, "task": "verification", "key": found, "scores": "llr", "profile": []} | (
            {"blocks": row["block"].split(" x ")} if row.get("block") else {}
        )
        self.runs.append({"id": "s", "condition": name, "files": [scores]})
        return self.conditions[key]

    def write(self):
        profiles = {name: {"base": "bosaris", **dict(columns)} for columns, name in self.profiles.items()}
        conditions = list(self.conditions.values())
        return write_bundle(self.folder, corpus={"id": "k"}, profiles=profiles, conditions=conditions, runs=self.runs)


@pytest.mark.full
def test_every_number_from_the_files(shared, tmp_path):
    bundle = Bundle(tmp_path)
    cases = [
        path.parent
        for path in sorted((shared / "golden" / "verification").glob("*/expected.json"))
        if not list(path.parent.glob("scores_with_key*"))
    ]
    for case in cases:
        bundle.add(case)
    with tdtsql.evaluate(bundle.write()) as store:
        found = keyed(store, "condition_id, profile_id, subset, metric, weighting")
        formats = {row[0] for row in store.sql("select distinct format from registry.run").fetchall()}

    wrong = []
    for *key, value, case in bundle.wanted:
        got, wanted = found.get(tuple(key), "no row"), float("inf") if value == "inf" else value
        if (
            got == "no row"
            or (None in (got, wanted) and got is not wanted)
            or (None not in (got, wanted) and got != wanted and not abs(got - wanted) <= 1e-12 * max(1, abs(wanted)))
        ):
            wrong.append((case, *key, got, wanted))

    assert not wrong, (len(wrong), wrong[:20])
    assert formats == {"tidy", "kaldi", "voxceleb", "sre", "asvspoof"}
    assert (len(bundle.wanted), len(cases)) == (N_NUMBER, N_CASE)
