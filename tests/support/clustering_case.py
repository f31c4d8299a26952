"""Two clusterings in, every number of task ``partition`` out; and a second implementation, item by item in exact
fractions.
"""

import csv
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from pathlib import Path

import tdtsql
from bundle_file import write_bundle
from golden_cases import keyed

#: (item, cluster) or (block, item, cluster)
Rows = Sequence[tuple]


def write_rows(path: Path, rows: Rows) -> None:
    """Write a tidy file; rows of three have a block first."""
    has_blocks = any(len(row) == 3 for row in rows)
    with path.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows([(["block_id"] if has_blocks else []) + ["item_id", "cluster_id"], *rows])


def store_of(
    folder: Path, gold: Rows, system: Rows, profiles: Mapping[str, Mapping] | None = None, **condition
) -> tdtsql.Store:
    """Return a store with one run ``s`` of one condition under the profiles, each based on ``partition``."""
    write_rows(folder / "gold.csv", gold)
    write_rows(folder / "system.csv", system)
    own = {} if profiles is None or "partition" in profiles else profiles
    given = {"id": "c", "task": "partition", "gold": "gold.csv", "profile": list(profiles or ["partition"])}
    return tdtsql.evaluate(
        write_bundle(
            folder,
            corpus={"id": "k"},
            profiles={name: {"base": "partition"} | columns for name, columns in own.items()},
            conditions=[given | condition],
            runs=[{"id": "s", "condition": "c", "files": ["system.csv"]}],
        )
    )


def numbers(
    store: tdtsql.Store, weighting: str = "story", profile: str | None = None, run: str = "s"
) -> dict[str, float | None]:
    """Return metric -> value of a run."""
    own = f" and profile_id = '{profile}'" if profile else ""
    return keyed(store, "metric", where=f"run_id = '{run}' and subset = 'all' and weighting = '{weighting}'{own}")


# ---- the definitions, item by item and pair by pair


def _over(a: Fraction | int, b: Fraction | int) -> Fraction | None:
    return Fraction(a) / b if b else None


def _mean(values: Sequence[Fraction]) -> Fraction | None:
    return _over(sum(values, Fraction(0)), len(values))


def _f1(p: Fraction | None, r: Fraction | None) -> Fraction | None:
    return None if p is None or r is None else Fraction(0) if p + r == 0 else 2 * p * r / (p + r)


#: what stays NULL where an item is in several clusters of a side
OF_PARTITIONS = ("b3_precision", "b3_recall", "b3_f1", "b3_cluster", "muc", "lea", "conll", "rand", "ari")


def brute_force(gold: Mapping[str, str], system: Mapping[str, str]) -> dict[str, Fraction | None]:
    """Return what the definitions give for item -> cluster on either side, by sets and pairs; small cases only."""
    return of_covers(sets_of(gold.items()), sets_of(system.items()))


def sets_of(rows: Iterable[tuple[str, str]]) -> list[frozenset]:
    """Return the clusters of rows of (item, cluster)."""
    sets = defaultdict(set)
    for item, cluster in rows:
        sets[cluster].add(item)
    return [frozenset(items) for items in sets.values()]


def left_by(
    gold: Sequence[tuple[str, str]],
    system: Sequence[tuple[str, str]],
    *,
    missing_item: str = "exclude",
    spurious_item: str = "exclude",
    singleton_cluster: str = "keep",
    noise_cluster: str = "keep",
    repeated_item: str = "keep",
) -> tuple[list[frozenset], list[frozenset]]:
    """Return the clusters of either side that the policies leave, of rows of (item, cluster) in the order of the files;
    cluster -1 of the answer is noise.
    """
    if repeated_item == "first":
        first = dict(reversed(system))
        system = [(item, cluster) for item, cluster in system if first[item] == cluster]
    if noise_cluster != "keep":
        alone = [(item, f"alone {item}") for item, cluster in system if cluster == "-1"]
        system = [row for row in system if row[1] != "-1"] + (alone if noise_cluster == "singleton" else [])
    g, s = sets_of(gold), sets_of(system)
    if singleton_cluster != "keep":
        before, s = frozenset().union(*s), [c for c in s if len(c) > 1]
        lost = before - frozenset().union(*s)
        g = [c for c in g if len(c) > 1] if singleton_cluster == "drop" else [c - lost for c in g]
    of_gold, of_system = frozenset().union(*g), frozenset().union(*s)
    missing, spurious = of_gold - of_system, of_system - of_gold
    further = {"singleton": lambda items: [frozenset([item]) for item in items], "one_cluster": lambda items: [items]}
    left = [c - missing if missing_item == "drop" else c for c in g]
    right = [c - spurious if spurious_item == "drop" else c for c in s]
    if missing_item in further:
        right += further[missing_item](missing)
    if spurious_item in further:
        left += further[spurious_item](spurious)
    return [c for c in left if c], [c for c in right if c]


def of_covers(g: list[frozenset], s: list[frozenset]) -> dict[str, Fraction | None]:
    """Return what the definitions give for two sides of clusters that may share items."""
    n_gold, n_system = sum(map(len, g)), sum(map(len, s))
    of_gold = {item: c for c in g for item in c}
    of_system = {item: c for c in s for item in c}
    is_partition = len(of_gold) == n_gold and len(of_system) == n_system
    found: dict[str, Fraction | None] = {}

    def both(name: str, precision: Fraction | None, recall: Fraction | None) -> None:
        found.update({f"{name}_precision": precision, f"{name}_recall": recall, f"{name}_f1": _f1(precision, recall)})

    both(
        "b3",
        _mean([Fraction(len(c & of_gold.get(i, frozenset())), len(c)) for i, c in of_system.items()]),
        _mean([Fraction(len(c & of_system.get(i, frozenset())), len(c)) for i, c in of_gold.items()]),
    )

    def extended(own: list[frozenset], other: list[frozenset]) -> Fraction | None:
        def shared(side: list[frozenset], x: str, y: str) -> int:
            return sum(x in c and y in c for c in side)

        items = sorted(frozenset().union(*own))
        return _mean(
            [
                _mean([Fraction(min(k, shared(other, x, y)), k) for y in items if (k := shared(own, x, y))])
                for x in items
            ]
        )

    both("b3_ext", extended(s, g), extended(g, s))
    both(
        "b3_cluster",
        _mean([_mean([Fraction(len(c & of_gold.get(i, frozenset())), len(c)) for i in c]) for c in s]),
        _mean([_mean([Fraction(len(c & of_system.get(i, frozenset())), len(c)) for i in c]) for c in g]),
    )
    gold_pairs = {frozenset(pair) for c in g for pair in combinations(sorted(c), 2)}
    system_pairs = {frozenset(pair) for c in s for pair in combinations(sorted(c), 2)}
    both(
        "pair",
        _over(len(gold_pairs & system_pairs), len(system_pairs)),
        _over(len(gold_pairs & system_pairs), len(gold_pairs)),
    )
    found["purity"] = _over(sum(max([len(c & d) for d in g], default=0) for c in s), n_system)
    found["inverse_purity"] = _over(sum(max([len(c & d) for d in s], default=0) for c in g), n_gold)
    found["purity_f1"] = _f1(found["purity"], found["inverse_purity"])
    both("exact", _over(sum(c in g for c in s), len(s)), _over(sum(c in s for c in g), len(g)))
    found["event_f1"] = _mean(
        [max([Fraction(2 * len(c & d), len(c) + len(d)) for d in s], default=Fraction(0)) for c in g]
    )

    def parts(c: frozenset, others: list[frozenset]) -> int:
        touched = [d for d in others if c & d]
        return len(touched) + len(c - frozenset().union(*touched))

    both(
        "muc",
        _over(sum(len(c) - parts(c, g) for c in s), sum(len(c) - 1 for c in s)),
        _over(sum(len(c) - parts(c, s) for c in g), sum(len(c) - 1 for c in g)),
    )

    def lea(own: list[frozenset], other: list[frozenset]) -> Fraction | None:
        total = Fraction(0)
        for c in own:
            if len(c) == 1:
                total += 1 if c in other else 0
            else:
                total += len(c) * Fraction(
                    sum(len(list(combinations(c & d, 2))) for d in other), len(list(combinations(c, 2)))
                )
        return _over(total, sum(map(len, own)))

    both("lea", lea(s, g), lea(g, s))
    small, large = sorted((g, s), key=len)
    for name, weight, sizes in (
        ("ceaf_m", lambda c, d: Fraction(len(c & d)), (n_system, n_gold)),
        ("ceaf_e", lambda c, d: Fraction(2 * len(c & d), len(c) + len(d)), (len(s), len(g))),
    ):
        best = max(
            (
                sum((weight(c, d) for c, d in zip(small, chosen, strict=True)), Fraction(0))
                for chosen in permutations(large, len(small))
            ),
            default=Fraction(0),
        )
        both(name, _over(best, sizes[0]), _over(best, sizes[1]))
    three = [found["muc_f1"], found["b3_f1"], found["ceaf_e_f1"]]
    found["conll_f1"] = None if None in three else sum(three) / 3
    items = sorted(of_gold.keys() | of_system.keys())
    if of_gold.keys() == of_system.keys():
        total = list(map(frozenset, combinations(items, 2)))
        found["rand"] = _over(sum((pair in gold_pairs) == (pair in system_pairs) for pair in total), len(total))
        a, b, i, t = len(gold_pairs), len(system_pairs), len(gold_pairs & system_pairs), len(total)
        chance = _over(a * b, t)
        found["ari"] = None if chance is None else _over(i - chance, Fraction(a + b, 2) - chance)
    else:
        found.update(rand=None, ari=None)
    overlaps = [len(c & d) for c in g for d in s if c & d]
    found.update(
        n_gold_item=Fraction(n_gold),
        n_system_item=Fraction(n_system),
        n_shared_item=Fraction(sum(overlaps)),
        n_gold_cluster=Fraction(len(g)),
        n_system_cluster=Fraction(len(s)),
        n_cell=Fraction(len(overlaps)),
    )
    if not is_partition:
        found.update({name: None for name in found if name.startswith(OF_PARTITIONS)})
    return found
