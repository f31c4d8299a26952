"""Signatures: one line of text that identifies the computation of one number, and the check of such a line.

    c_det_norm:v1|w:topic|profile:tdt2004|subset:all|topics:53|sql:9f3c12ab|judgments:ab12...|run:77e0...|...

``sql`` is the hash of all definitions of the task and of the profile's values, ``judgments`` of the rows of the
condition and of its corpus (stories, topics, judgments), ``run`` of the rows that were read of the run. The short
form (on every printed number) has the first eight digits of each hash, the long form
all 64, the names of condition and run, and the value itself with every bit.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from tdtsql.errors import InvalidSignature
from tdtsql.definitions.check import PREFIX
from tdtsql.store.sets import check_intact
from tdtsql.scoring.recompute import derived_again, recompute
from tdtsql.engine.duckdb import Engine
from tdtsql.scoring.score import refresh
from tdtsql.store.definitions import is_current
from tdtsql.store.ledger import verify_dependencies

_HASHES = ("sql", "judgments", "run")
_KEYS = ("metric", "version", "w", "profile", "subset", *_HASHES)
#: metric, version and grain of user-defined metrics -> the hash of their definition
OWN_CLOSURE = """(
        select published.metric, published.version, published.grain, definition.closure_sha256
        from registry.published as published join registry.definition as definition using (relation)
        where owner = 'own')"""
_QUERY = f"""
    select score.run_id, score.condition_id, score.metric, score.version, score.weighting, score.profile_id,
        score.subset, score.value, score.n,
        coalesce(own.closure_sha256, newest.definition_sha256), newest.condition_sha256,
        newest.run_sha256, newest.tdtsql_version,
        newest.duckdb_version, newest.run_no,
        coalesce((select '|pkg:' || package || '-' || version from registry.package where task = score.task), '')
    from report.score as score
    join ledger.current_computation as newest using (run_id, condition_id, profile_id)
    left join {OWN_CLOSURE} as own
        on own.metric = score.metric and own.version = score.version and own.grain = 'score'"""

_BLOCK_QUERY = (
    _QUERY.replace("score.weighting", "'block'")
    .replace("score.value, score.n", "score.value, null")
    .replace("report.score", "report.block_score")
    .replace("own.grain = 'score'", "own.grain = 'block'")
)

#: numbers of single topics with their computations: the last part is common to all numbers of the run
BLOCKS = f"""(
    select block.*, block.metric || ':' || block.version || '|w:block|profile:' || block.profile_id || '|subset:' ||
        block.subset || '|block:' || block.block_id
        || coalesce('|sql:' || substr(own.closure_sha256, 1, 8), tail.definition) || tail.signature as signature
    from report.block_score as block
    join (
        select run_id, condition_id, profile_id,
            min(substr(signature, strpos(signature, '|sql:'), 13)) filter (not starts_with(metric, 'own:'))
                as definition,
            min(substr(signature, strpos(signature, '|judgments:'))) as signature
        from report.score group by all) as tail
        on tail.run_id = block.run_id and tail.condition_id = block.condition_id
            and tail.profile_id = block.profile_id
    left join {OWN_CLOSURE} as own
        on own.metric = block.metric and own.version = block.version and own.grain = 'block')"""


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


def signature(
    engine: Engine,
    run: str,
    metric: str,
    *,
    condition: str | None = None,
    profile: str | None = None,
    subset: str = "all",
    weighting: str | None = None,
) -> str:
    """Return the long signature of one number.

    Raises:
        InvalidSignature: no such number, or several; name what tells them apart.
    """
    refresh(engine)
    rows = engine.rows(
        f"{_QUERY} where score.run_id = $run and score.metric = $metric and score.subset = $subset and ($condition is "
        f"null or score.condition_id = $condition) "
        "and ($profile is null or score.profile_id = $profile) and ($weighting is null or score.weighting = "
        "$weighting) order by all",
        {
            "run": run,
            "metric": metric,
            "subset": subset,
            "condition": condition,
            "profile": profile,
            "weighting": weighting,
        },
    )
    if len(rows) != 1:
        ways = ", ".join(f"{row[1]} {row[5]} {row[4]}" for row in rows[:6])
        raise InvalidSignature(
            f"run '{run}' has {len(rows)} numbers {metric} of subset {subset}{f' ({ways})' if ways else ''}. Name "
            f"condition, profile and weighting."
        )
    return _long(rows[0])


def _long(row: tuple) -> str:
    value = "null" if row[7] is None else row[7].hex()
    count = "topics" if row[4] in ("topic", "topic_all") else "n"
    return (
        f"{row[2]}:{row[3]}|w:{row[4]}|profile:{row[5]}|subset:{row[6]}|{count}:{row[8]}|sql:{row[9]}|"
        f"judgments:{row[10]}|run:{row[11]}"
        f"{row[15]}|tdtsql:{row[12]}|duckdb:{row[13]}|condition:{row[1]}|id:{row[0]}|value:{value}"
    )


def parse(text: str) -> dict[str, str]:
    """Return the parts of a signature, short or long, by name.

    Raises:
        InvalidSignature: a part is missing, or has no name.
    """
    parts: dict[str, str] = {}
    for place, item in enumerate(text.strip().split("|")):
        name, mark, value = item.partition(":") if place else item.rpartition(":")  # own:f1:v1
        if not mark or not name:
            raise InvalidSignature(
                f"signature part {place + 1} is {item!r}, expected name:value. Copy the signature whole."
            )
        if place == 0:
            parts["metric"], parts["version"] = name, value
        else:
            parts[name] = value
    missing = [name for name in _KEYS if not parts.get(name)]
    if missing:
        raise InvalidSignature(f"the signature has no {', '.join(missing)}. Copy it whole.")
    for name in _HASHES:
        if len(parts[name].rstrip("…")) < 8 or set(parts[name].rstrip("…")) - set("0123456789abcdef"):
            raise InvalidSignature(
                f"the signature's {name} is {parts[name]!r}, expected at least eight hexadecimal digits. Copy it whole."
            )
    return parts


def verify(text: str, engine: Engine) -> Verification:
    """Find the number that a signature is of, compute it again, and say which part differs.

    Raises:
        InvalidSignature: it cannot be read, or the store has no such number.
    """
    signed = parse(text)
    check_intact(engine, [signed["metric"]])
    of_block = signed["w"] == "block"
    if of_block and "block" not in signed:
        raise InvalidSignature(
            "this is the signature of the scores of all topics; verify the run's number, they are computed with it, or "
            "one of `tdtsql score --per-topic`."
        )
    filters = [
        "score.metric = $metric",
        "score.block_id = $block" if of_block else "score.weighting = $w",
        "score.profile_id = $profile",
        "score.subset = $subset",
    ]
    values = {name: signed[name] for name in ("metric", "block" if of_block else "w", "profile", "subset")}
    for name, column in (("condition", "score.condition_id"), ("id", "score.run_id")):
        if name in signed:
            filters.append(f"{column} = ${name}")
            values[name] = signed[name]
    rows = engine.rows(f"{_BLOCK_QUERY if of_block else _QUERY} where {' and '.join(filters)} order by all", values)
    if not rows and signed["metric"].startswith(PREFIX) and not _is_defined(engine, signed["metric"]):
        raise InvalidSignature(
            f"{signed['metric']} is not in this store (the definition of the signature is {signed['sql']}). Add it "
            "with `tdtsql metric add FILE`."
        )
    if not rows:
        raise InvalidSignature(
            f"the store has no number {signed['metric']} with weighting {signed['w']} of profile {signed['profile']}, "
            f"subset {signed['subset']}"
            f"{' for this run' if 'id' in signed else ''}. Load its bundle, or update the store with "
            f"`tdtsql score`."
        )
    # the number with most parts in common: the one that was signed, or what has become of it
    row = max(
        rows, key=lambda row: sum(part.agrees for part in _parts(signed, row)) + 2 * _starts(row[11], signed["run"])
    )
    parts = _parts(signed, row)
    outcome = recompute(engine, [row[14]])
    again = [
        divergence
        for divergence in outcome.divergences
        if divergence.profile == row[5] and divergence.place.split(",")[0] in (row[2], "the hash of all stored scores")
    ]
    parts.append(Part("computed again", "as kept", str(again[0]) if again else "as kept", not again))
    parts += audited(engine, [(row[14], row[5])])
    return Verification(row[0], row[1], row[7], parts)


def _is_defined(engine: Engine, metric: str) -> bool:
    return metric.startswith(PREFIX) and bool(
        engine.rows("select 1 from registry.published where metric = ?", [metric])
    )


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


def _parts(signed: dict[str, str], row: tuple) -> list[Part]:
    now = {
        "version": row[3],
        "sql": row[9],
        "judgments": row[10],
        "run": row[11],
        "topics": str(row[8]),
        "n": str(row[8]),
        "tdtsql": row[12],
        "duckdb": row[13],
        "value": "null" if row[7] is None else row[7].hex(),
    }
    parts = []
    for name, value in signed.items():
        if name in now:
            # another program version is reported, but not counted as a difference if the number is the same
            agrees = (
                _starts(now[name], value) if name in _HASHES else now[name] == value or name in ("tdtsql", "duckdb")
            )
            parts.append(Part(name, value, now[name][: len(value)] if name in _HASHES else now[name], agrees))
    return parts


def _starts(full: str, prefix: str) -> bool:
    return full.startswith(prefix.rstrip("…"))
