"""Signatures: one line of text that identifies the computation of one number, or of a comparison, and the check of such
a line.

    c_det_norm:v1|w:topic|profile:tdt2004|subset:all|topics:53|sql:9f3c12ab|judgments:ab12...|run:77e0...|...

``sql`` is the hash of all definitions of the task and of the profile's values, ``judgments`` of the rows of the
condition and of its corpus (stories, topics, judgments), ``run`` of the rows that were read of the run. The short
form (on every printed number) has the first eight digits of each hash, the long form
all 64, the names of condition and run, and the value itself with every bit.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from tdtsql.definitions.catalogue import PREFIX, read_statement
from tdtsql.errors import InvalidSignature
from tdtsql.store.sets import check_intact
from tdtsql.scoring.recompute import derived_again, recompute
from tdtsql.engine.duckdb import Engine
from tdtsql.scoring.score import refresh
from tdtsql.store.opening import is_current
from tdtsql.store.ledger import verify_dependencies
from tdtsql.store.registry import one_run

_HASHES = ("sql", "judgments", "run")
_KEYS = ("metric", "version", "w", "profile", "subset", *_HASHES)
#: parts of the signature of every comparison that say what to compare and how
_RECIPE = "compare condition profile subset test resamples correction interval seed runs against".split()


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a signature, with the value that the store has now."""

    name: str
    signed: str
    now: str
    agrees: bool


@dataclass(frozen=True, slots=True)
class Verification:
    """What became of a signature in a store."""

    run: str
    condition: str
    value: float | None  #: the number, computed again
    parts: list[Part]

    @property
    def agrees(self) -> bool:
        return all(part.agrees for part in self.parts)

    def __bool__(self) -> bool:
        return self.agrees


def signature(engine: Engine, wanted: Mapping[str, str | None]) -> str:
    """Return the long signature of the number with these names.

    Raises:
        InvalidSignature: no such number, or several; name what tells them apart.
    """
    refresh(engine)
    rows = [row for row in _numbers(engine, wanted) if row["weighting"] != "block"]
    if len(rows) != 1:
        ways = ", ".join(f"{row['condition_id']} {row['profile_id']} {row['weighting']}" for row in rows[:6])
        raise InvalidSignature(
            f"run '{wanted['run_id']}' has {len(rows)} numbers {wanted['metric']} of subset {wanted['subset']}"
            f"{f' ({ways})' if ways else ''}. Name condition, profile and weighting."
        )
    return f"{rows[0]['long']}|value:{_bits(rows[0]['value'])}"


def _numbers(engine: Engine, wanted: Mapping[str, str | None]) -> list[dict]:
    """Return the numbers with these names (None: with any), each with the parts of its signature."""
    named = {name: value for name, value in wanted.items() if value is not None}
    where = " and ".join(f"{name} = ${name}" for name in named)
    return engine.records(f"from ({read_statement('explain/signed_scores')}) where {where} order by all", named)


def _bits(value: float | None) -> str:
    return "null" if value is None else value.hex()


def is_comparison(text: str) -> bool:
    """Return True for the signature of a comparison."""
    return text.strip().startswith("compare:")


def parse(text: str) -> dict[str, str]:
    """Return the parts of a signature, of a number (short or long) or of a comparison, by name.

    Raises:
        InvalidSignature: a part is missing, or has no name.
    """
    parts: dict[str, str] = {}
    if "|draws:" in text:
        raise InvalidSignature(
            "this is the signature of a stored row of report.comparison or report.interval. Compare again with `tdtsql "
            "compare`, whose signature can be verified; `tdtsql check` verifies the stored rows."
        )
    of_number = not is_comparison(text)
    for at, item in enumerate(text.strip().split("|")):
        is_metric = of_number and at == 0
        name, mark, value = item.rpartition(":") if is_metric else item.partition(":")  # own:f1:v1
        if not mark or not name:
            raise InvalidSignature(
                f"signature part {at + 1} is {item!r}, expected name:value. Copy the signature whole."
            )
        parts |= {"metric": name, "version": value} if is_metric else {name: value}
    if missing := [name for name in (_KEYS if of_number else _RECIPE) if not parts.get(name)]:
        raise InvalidSignature(f"the signature has no {', '.join(missing)}. Copy it whole.")
    for name in _HASHES if of_number else ():
        digits = parts[name].rstrip("…")
        if len(digits) < 8 or set(digits) - set("0123456789abcdef"):
            raise InvalidSignature(
                f"the signature's {name} is {parts[name]!r}, expected at least eight hexadecimal digits. Copy it whole."
            )
    return parts


def verify(text: str, engine: Engine) -> Verification:
    """Find the number or comparison that a signature is of, compute it again, and say which part differs.

    Raises:
        InvalidSignature: it cannot be read, or the store has no such number.
        UnknownName, InvalidComparison: the store has not what was compared.
    """
    signed = parse(text)
    return (_verify_comparison if is_comparison(text) else _verify_number)(engine, signed)


def _verify_number(engine: Engine, signed: Mapping[str, str]) -> Verification:
    check_intact(engine, [signed["metric"]])
    of_block = signed["w"] == "block"
    if of_block and "block" not in signed:
        raise InvalidSignature(
            "this is the signature of the scores of all topics; verify the run's number, they are computed with it, or "
            "one of `tdtsql score --per-topic`."
        )
    named = {"metric": "metric", "weighting": "w", "profile_id": "profile", "subset": "subset"}
    named |= {"block_id": "block", "condition_id": "condition", "run_id": "id"}
    rows = _numbers(engine, {column: signed.get(name) for column, name in named.items()})
    if not rows:
        known = engine.column("select 1 from registry.published where metric = ?", [signed["metric"]])
        if signed["metric"].startswith(PREFIX) and not known:
            raise InvalidSignature(
                f"{signed['metric']} is not in this store (the definition of the signature is {signed['sql']}). Add it "
                "with `tdtsql metric add FILE`."
            )
        raise InvalidSignature(
            f"the store has no number {signed['metric']} with weighting {signed['w']} of profile {signed['profile']}, "
            f"subset {signed['subset']}"
            f"{' for this run' if 'id' in signed else ''}. Load its bundle, or update the store with "
            f"`tdtsql score`."
        )
    # the number with most parts in common: the one that was signed, or what has become of it
    row = max(
        rows, key=lambda row: sum(part.agrees for part in _parts(signed, row)) + 2 * _starts(row["run"], signed["run"])
    )
    again = [
        str(divergence)
        for divergence in recompute(engine, [row["run_no"]]).divergences
        if divergence.profile == row["profile_id"]
        and divergence.place.split(",")[0] in (row["metric"], "the hash of all stored scores")
    ]
    parts = [*_parts(signed, row), Part("computed again", "as kept", again[0] if again else "as kept", not again)]
    parts += audited(engine, [(row["run_no"], row["profile_id"])])
    return Verification(row["run_id"], row["condition_id"], row["value"], parts)


def _verify_comparison(engine: Engine, signed: Mapping[str, str]) -> Verification:
    """Compare again as a signature says."""
    from tdtsql.compare.settings import Method, choose  # imported late: statistics need numpy
    from tdtsql.compare.words import ALL_PAIRS, compare_runs

    names, against = ([unquote(name) for name in signed[part].split(",")] for part in ("runs", "against"))
    setting = choose(
        engine,
        names,
        metric=signed["compare"],
        subset=signed["subset"],
        profile=signed["profile"],
        condition=None if ", " in signed["condition"] else signed["condition"],
        is_by_topic="trials" not in signed,
        weighting=signed.get("w"),
    )
    try:
        interval, _, level = signed["interval"].rpartition("-")
        method = Method(
            test="bootstrap" if signed["test"] == "normal" else signed["test"],
            correction=signed["correction"],
            interval=interval,
            # of items that are in clusters the cluster is the usual unit, and an item not written
            unit=unquote(signed.get("unit", "")) or ("item" if setting.topic == "item" else None),
            level=float(level),
            n_permutation=int(signed.get("permutations", Method().n_permutation)),
            n_resample=int(signed["resamples"].partition("v")[0]) or None,
            seed=int(signed["seed"]),
            missing=signed.get("missing", "error"),
        )
    except ValueError as error:
        raise InvalidSignature(f"a number of the signature cannot be read ({error}). Copy it whole.") from None
    every_pair = signed["against"] == ALL_PAIRS
    compared = compare_runs(
        engine,
        setting,
        baselines=None if every_pair else against,
        every_pair=every_pair,
        method=method,
    )
    now = parse(compared.signature)
    pairs = {name: (signed.get(name, ""), now.get(name, "")) for name in {**signed, **now}}
    parts = [Part(name, *pair, len(set(pair)) == 1) for name, pair in pairs.items()]
    numbers = [one_run(engine, run, condition)[0] for condition, run in setting.runs.values()]
    parts += audited(engine, [(number, setting.profile) for number in numbers])
    return Verification(", ".join(setting.runs), setting.condition, None, parts)


def audited(engine: Engine, pairs: Iterable[tuple[int, str]]) -> list[Part]:
    """Return whether the dependencies of the numbers of these runs under these profiles are what the ledger recorded as
    loaded and computed.
    """
    current = is_current(engine)
    # of a store that other definitions made, the views are its own: what they print is held against nothing
    definitions = Part(
        "definitions",
        "as installed",
        "as installed" if current else "others: `tdtsql score` updates the store",
        current,
    )
    return [
        definitions,
        *(
            Part(name, "as the ledger says", wrong[0] if wrong else "as the ledger says", not wrong)
            for name, wrong in (*verify_dependencies(engine, pairs), ("derived rows", derived_again(engine)))
        ),
    ]


def _parts(signed: Mapping[str, str], row: Mapping[str, Any]) -> list[Part]:
    now = {name: row[name] for name in ("version", *_HASHES, "tdtsql", "duckdb")}
    now |= {"topics": str(row["n"]), "n": str(row["n"]), "value": _bits(row["value"])}
    # another program version is reported, but not counted as a difference if the number is the same
    return [
        Part(name, value, now[name][: len(value)], _starts(now[name], value))
        if name in _HASHES
        else Part(name, value, now[name], now[name] == value or name in ("tdtsql", "duckdb"))
        for name, value in signed.items()
        if name in now
    ]


def _starts(full: str, prefix: str) -> bool:
    return full.startswith(prefix.rstrip("…"))
