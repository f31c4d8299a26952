"""Scored trials in, the curves' numbers out: a store with one condition of trials that a key lists, written straight
into its tables.
"""

import csv
import gzip
import json
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

from insert_rows import insert_rows
from tdtsql.engine.duckdb import Engine
from tdtsql.definitions.catalogue import catalog, closure
from tdtsql.store.opening import open_file
from tdtsql.scoring.scope import Scope
from tdtsql.store.profiles import load_profiles, shipped_profiles

SCORES = (
    "metric.verification_error_rate__v1",
    "metric.verification_calibration__v1",
    "metric.detection_det_minimum__v1",
    "metric.detection_pooled__v1",
)
#: (block, subsets it is in, is target, score); None: no score
Trial = tuple[str, tuple[str, ...], bool, float | None]


def write_trials(
    engine: Engine, trials: Sequence[Trial], profiles: Mapping[str, Mapping], *, score_kind: str = "llr"
) -> None:
    """Write into the tables of an empty store: condition 1 with run 1 of these trials, each profile based on a
    shipped one.
    """
    shipped = shipped_profiles()
    load_profiles(engine, {name: values for name, values in profiles.items() if name not in shipped}, "test")
    chosen = "select 1, profile_no from registry.profile where list_contains(?, profile_id)"
    engine.execute(f"insert into registry.condition_profile {chosen}", [list(profiles)])
    blocks = {name: number for number, name in enumerate(sorted({trial[0] for trial in trials}), start=1)}
    segments = {names: number for number, names in enumerate(sorted({trial[1] for trial in trials}), start=1)}
    named = ["all", *sorted({name for names in segments for name in names})]
    subsets = {name: number for number, name in enumerate(named)}
    cells = sorted({(subsets[name], blocks[trial[0]], segments[trial[1]]) for trial in trials for name in trial[1]})

    def add(table: str, rows: Iterable[Mapping]) -> None:
        insert_rows(engine.execute, table, ({"condition_no": 1} | row for row in rows))

    condition = {"condition_id": "c", "corpus_no": 1, "base_condition_no": 1, "task": "link", "has_key": 1}
    insert_rows(engine.execute, "registry.corpus", [{"corpus_no": 1, "corpus_id": "k"}])
    add("registry.condition", [condition | {"score_kind": score_kind}])
    add("registry.run", [{"run_no": 1, "run_id": "s", "n_row": len(trials)}])
    kinds = ({"subset_no": n, "subset": name, "kind": "attribute" if n else "all"} for name, n in subsets.items())
    add("base.subset", kinds)
    add("base.curve_request", ({"subset_no": number, "all_points": 0} for number in subsets.values()))
    add("base.segment", ({"segment_no": number, "n_trial": 0} for number in segments.values()))
    add("base.block", ({"block_no": number, "block_id": name} for name, number in blocks.items()))
    add("base.subset_cell", (dict(zip(("subset_no", "block_no", "segment_no"), cell)) for cell in cells))
    numbered = list(enumerate(trials, start=1))
    pairs = ({"trial_no": n, "id_1": str(n), "id_2": str(n), "segment_no": segments[one[1]]} for n, one in numbered)
    add("base.link_pair", pairs)
    kinds = ("nontarget", "target")
    add("base.link_answer", ({"block_no": blocks[o[0]], "trial_no": n, "answer": kinds[o[2]]} for n, o in numbered))
    said = [(n, one[3]) for n, one in numbered if one[3] is not None]
    decision = {"run_no": 1, "block_no": 0, "segment_no": 0}
    rows = (decision | {"trial_no": n, "is_yes": score > 0, "score": score} for n, score in said)
    insert_rows(engine.execute, "base.decision", rows)


def numbers_of(
    engine: Engine, views: Iterable[str] = SCORES
) -> dict[tuple[str, str, str, str], float | int | str | None]:
    """Return (profile, subset, weighting, column) -> value, of all columns of these views."""
    profile_nos = [row[0] for row in engine.rows("select profile_no from registry.condition_profile")]
    scope = Scope(engine, [1], [1], profile_nos)
    found = {}
    try:
        scope.build(closure(catalog(), list(views)))
        for view in views:
            cursor = engine.query(f"""
                select profile.profile_id, subset.subset, kept.* from {scope.relation(view)} as kept
                join registry.profile as profile using (profile_no) join base.subset as subset using (subset_no)""")
            names = [column[0] for column in cursor.description]
            for row in cursor.fetchall():
                values = dict(zip(names, row, strict=True))
                key = (values.pop("profile_id"), values.pop("subset"), values.pop("weighting"))
                found.update({(*key, column): value for column, value in values.items() if not column.endswith("_no")})
    finally:
        scope.close()
    return found


def scored(
    trials: Sequence[Trial],
    profiles: Mapping[str, Mapping] | None = None,
    *,
    views: Iterable[str] = SCORES,
    score_kind: str = "llr",
) -> dict:
    """Return what `numbers_of` does of trials in a separate store."""
    engine = open_file(":memory:")
    try:
        write_trials(engine, trials, profiles or {"bosaris": {}}, score_kind=score_kind)
        return numbers_of(engine, views)
    finally:
        engine.close()


# ---- golden cases


def lines_of(path: Path) -> list[str]:
    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8").splitlines()


def expected_of(folder: Path) -> list[dict]:
    """Return the golden numbers of a case."""
    return [
        row for row in json.loads((folder / "expected.json").read_text(encoding="utf-8")) if row.get("golden", True)
    ]


def table(lines: Sequence[str], delimiter: str = ",") -> list[dict[str, str]]:
    return list(csv.DictReader(lines, delimiter=delimiter))


def read_case(folder: Path, scores: str) -> list[dict[str, str]]:
    """Return the trials of a golden case as rows: id, is_target (1 or 0), score, and the other columns of the key."""
    if (selection := next(folder.glob("selection.csv*"), None)) is not None:
        return [_trial(row, row["trial_id"], row["label"]) for row in table(lines_of(selection))]
    said = lines_of(folder / scores)
    if scores.startswith("scores_with_key"):
        names = ("file", "attack", "label", "score")
        names = {2: names[2:], 3: names[1:], 4: names}[len(said[0].split())]
        rows = [dict(zip(names, line.split(), strict=True)) for line in said]
        return [_trial(row, str(number), row["label"]) for number, row in enumerate(rows)]
    [path] = [path for path in folder.iterdir() if path.name.startswith(("key.", "trials."))]
    lines = lines_of(path)
    if lines[0].startswith("trial_id,"):
        key = [_trial(row, row["trial_id"], row["label"]) for row in table(lines)]
        scored_by = {row["trial_id"]: row["score"] for row in table(said)}
    elif lines[0].startswith("modelid"):

        def name(row):
            return f"{row['modelid']} {row['segmentid']} {row['side']}"

        key = [_trial(row, name(row), row["targettype"]) for row in table(lines, "\t")]
        scored_by = {name(row): row["LLR"] for row in table(said, "\t")}
    elif lines[0].startswith("filename"):
        key = [_trial(row, row["filename"], row["cm-label"]) for row in table(lines, "\t")]
        scored_by = {row["filename"]: row["cm-score"] for row in table(said, "\t")}
    elif lines[0][:2] in ("0 ", "1 "):
        key = [_trial({}, line[2:], line[0]) for line in lines]
        scored_by = {line.split(" ", 1)[1]: line.split(" ", 1)[0] for line in said}
    elif lines[0].endswith(("spoof", "bonafide")):
        words = map(str.split, lines)
        key = [_trial({"attack": attack}, file, label) for _, file, attack, label in words]
        scored_by = {row[0]: row[1] for row in map(str.split, said)}
    else:
        key = [_trial({}, *line.rsplit(" ", 1)) for line in lines]
        scored_by = dict(line.rsplit(" ", 1) for line in said)
    return [{**row, "score": scored_by[row["id"]]} for row in key]


def _trial(row: dict[str, str], name: str, label: str) -> dict[str, str]:
    return row | {"id": name, "is_target": str(int(label in ("target", "bonafide", "human", "genuine", "1")))}


def number(text: str) -> float | str:
    """Return a value of a policy or profile: a number, or a word."""
    try:
        return float(Fraction(text))
    except ValueError:
        return text


def columns_of(row: dict) -> dict[str, float | str]:
    """Return the columns of the profile that a golden number is under."""
    parts = [part.split("=", 1) for text in (row.get("policy"), row.get("profile")) if text for part in text.split(",")]
    return {("p_fa_stop" if name.strip() == "p_fa" else name.strip()): number(value) for name, value in parts}


#: of scores that are log posterior odds at the share of targets in the key
ODDS = "scores are log posterior odds"
