"""Signatures of tables: of every row that is printed and has no metric's own signature, and the way back from them.

    table:curve|condition_id:trk-eng-1|all_points:0|run_id:osprey|profile_id:tdt2004|subset:all|...
        |sql:9f3c12ab|judgments:ab12...|run:77e0...|tdtsql:0.1.0|duckdb:2.0.0|data:5c3b...

The parts identify the table, then its arguments, then the row. ``sql``, ``judgments`` and ``run`` are hashes as in the
signature of a number (over all of them for a row with several inputs); ``data`` is the hash of the row's values.
Without a row the signature covers the whole table, and ``data`` is the hash of all rows.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from tdtsql.audit.signature import Part, Verification, audited
from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_literal
from tdtsql.errors import InvalidSignature
from tdtsql.scoring.recompute import recompute
from tdtsql.version import __version__

if TYPE_CHECKING:  # evaluate's table is signed without the statistics
    from tdtsql.report.comparing import Setting
    from tdtsql.report.leaderboard import Leaderboard

Table = tuple[Sequence[str], Sequence[Sequence]]
Given = Mapping[str, Any]  #: part of a signature -> its text; None where the row has none
_TAIL = "sql judgments run tdtsql duckdb data".split()
_SAFE = " /+;=()[]*'\"!?&@#$.,-_:"


@dataclass(frozen=True)
class Kind:
    """One table that a command prints."""

    asked: tuple[str, ...]  #: what it was asked for
    row: tuple[str, ...]  #: columns that name a row; none: the table is signed as a whole
    make: Callable[[Engine, Given], Table] | None = None  #: recomputes it; None: `report.` and its name, a relation
    digits: int | None = None  #: significant digits that are signed; None: every bit


def _rows(engine: Engine, kind: str, given: Given) -> Table:
    """Return the rows of a relation that have the values of a signature."""
    if kind == "adjudication":
        engine.sync(None)
    same = " and ".join(
        f"cast({column} as varchar) is not distinct from {'null' if value is None else sql_literal(value)}"
        for column in KINDS[kind].row
        for value in [given[column]]
    )
    found = engine.relation(f"select * from report.{kind} where {same}")
    return found.columns, found.fetchall()


def _curve(engine: Engine, given: Given) -> Table:
    from tdtsql.scoring.curve.det_curve import det_curve

    found = det_curve(
        engine,
        given["run_id"],
        condition=given["condition_id"],
        profile=given["profile_id"],
        subset=given["subset"],
        all_points=given["all_points"] == "1",
    )
    return found.columns, found.fetchall()


def _distribution(engine: Engine, given: Given) -> Table:
    from tdtsql.scoring.distribution import fitted_again

    return fitted_again(engine, given["run_id"], given["condition_id"], given["profile_id"])


def _boards(engine: Engine, given: Given):
    from tdtsql.report.leaderboard import leaderboards

    names: dict[str, Any] = {
        key.removesuffix("_id"): given[key] for key in ("condition_id", "profile_id", "subset") if key in given
    }
    return leaderboards(engine, **names, groups=False)


def _leaderboard(engine: Engine, given: Given) -> Table:
    return board_table(_boards(engine, given)[0])


def board_table(board: "Leaderboard") -> Table:
    """Return a leaderboard as rows, without its signatures."""
    return ["rank", "run_id", "value", "n"], [(run.rank, run.run, run.value, run.n) for run in board.runs]


def signature_of_board(engine: Engine, board: "Leaderboard") -> str:
    """Return the signature of a leaderboard without significance groups."""
    asked = {"condition_id": board.condition, "profile_id": board.profile, "subset": board.subset}
    return sign(engine, "leaderboard", *board_table(board), **asked)[0]


def _matrix(engine: Engine, given: Given) -> Table:
    from tdtsql.report.leaderboard import topic_matrix

    # one, except that each attribute has its own
    matrices = [topic_matrix(engine, board) for board in _boards(engine, given)]
    return next((matrix for matrix in matrices if given["block_id"] in {row[3] for row in matrix[1]}), matrices[0])


def chosen_again(engine: Engine, metric: str, parts: Given, *, is_by_topic: bool = True) -> "Setting":
    """Return what a signature says that was compared."""
    from tdtsql.report import comparing

    return comparing.choose(
        engine,
        split(parts["runs"]),
        metric=metric,
        subset=parts["subset"],
        profile=parts["profile"],
        condition=None if ", " in parts["condition"] else parts["condition"],
        is_by_topic=is_by_topic,
    )


def _compared(name: str, engine: Engine, given: Given) -> Table:
    """Return a table of compared runs again: a function of `tdtsql.report.variants`."""
    from tdtsql.report import variants

    setting = chosen_again(engine, given["metric"], given)
    made = getattr(variants, name)(engine, setting, split(given["runs"]), given)
    return made[0] if name == "rank_rows" else made


_OF_PAIRS = ("metric", "condition", "profile", "subset", "runs", "missing")
_OF_DRAWS = ("resamples", "level", "seed")
KINDS = {
    "curve": Kind(("condition_id", "all_points"), ("run_id", "profile_id", "subset", "weighting", "point_no"), _curve),
    "score_distribution": Kind(
        (), ("run_id", "condition_id", "profile_id", "block_id", "prior"), _distribution, digits=10
    ),
    "leaderboard": Kind(("condition_id", "profile_id", "subset"), (), _leaderboard),
    "topic_matrix": Kind((), ("condition_id", "profile_id", "metric", "block_id"), _matrix),
    "topics": Kind(_OF_PAIRS, (), partial(_compared, "topic_rows")),
    "ranks": Kind((*_OF_PAIRS, *_OF_DRAWS), (), partial(_compared, "rank_rows"), digits=12),
    "reproduction": Kind(_OF_PAIRS, (), partial(_compared, "reproduction_rows"), digits=12),
    "det": Kind((*_OF_PAIRS[:-1], "weighting", *_OF_DRAWS), (), partial(_compared, "det_rows"), digits=12),
    "judgment_effect": Kind((), ("run_id", "condition_id", "profile_id", "subset", "metric", "weighting")),
    "adjudication": Kind((), ("condition_id", "profile_id", "block_id", "story_id")),
    "corpus_table": Kind((), ("condition_id", "profile_id")),
    "topic_ratio": Kind((), ("condition_id", "profile_id", "block_id")),
    "p_rel_histogram": Kind((), ("condition_id", "profile_id", "bin_no")),
}


def is_table(text: str) -> bool:
    """Return True for the signature of a table or of a row of it."""
    return text.strip().startswith("table:")


def asked_of(setting: "Setting", runs: Sequence[str], **more: object) -> dict[str, object]:
    """Return what a table of compared runs was asked for."""
    return {
        "metric": setting.metric,
        "condition": setting.condition,
        "profile": setting.profile,
        "subset": setting.subset,
        "runs": ",".join(quote(name, safe=" /+") for name in runs),
        **more,
    }


def split(text: str | None) -> list[str]:
    """Return the names of a list in a signature."""
    return [unquote(name) for name in (text or "").split(",")]


def with_signatures(
    engine: Engine, kind: str, columns: Sequence[str], rows: Sequence[Sequence], **asked: object
) -> tuple[list[str], list[list]]:
    """Return the table with a column ``signature``, the same in every row where the table is signed as a whole."""
    signatures = sign(engine, kind, columns, rows, **asked)
    return [*columns, "signature"], [[*row, signature] for row, signature in zip(rows, signatures, strict=True)]


def sign(engine: Engine, kind: str, columns: Sequence[str], rows: Sequence[Sequence], **asked: object) -> list[str]:
    """Return the signature of every row of a table."""
    known = KINDS[kind]
    tails: dict[tuple, dict[str, str]] = {}
    kept = _kept(engine)
    signatures = []
    whole = _data(known, columns, rows) if not known.row else ""
    for row in rows:
        named = {name: row[columns.index(name)] for name in known.row}
        given = {name: None if value is None else str(value) for name, value in {**asked, **named}.items()}
        key = tuple(given.get(name) for name in ("condition_id", "run_id", "profile_id"))
        if key not in tails:
            tails[key] = _tail(engine, kind, given, kept)
        parts = (
            {name: given[name] for name in (*known.asked, *known.row)}
            | tails[key]
            | {"data": whole or _data(known, columns, [row])}
        )
        signatures.append(
            "|".join([f"table:{kind}", *(f"{name}:{quote(value or '', safe=_SAFE)}" for name, value in parts.items())])
        )
    return signatures


def verify_table(engine: Engine, text: str) -> Verification:
    """Recompute the table of a signature, and report which part differs.

    Raises:
        InvalidSignature: it cannot be read, or the store has no such row.
    """
    signed = _parse(text)
    kind, known = signed["table"], KINDS[signed["table"]]
    given = {name: signed[name] or None for name in (*known.asked, *known.row)}
    columns, rows = known.make(engine, given) if known.make else _rows(engine, kind, given)
    rows = [row for row in rows if all(_same(row[columns.index(name)], given[name]) for name in known.row)]
    if not rows:
        raise InvalidSignature(
            f"the store has no row {', '.join(f'{name} {given[name]}' for name in known.row)} in table {kind}. "
            "Load its bundle, or update the store with `tdtsql score`."
        )
    [again, *_] = sign(
        engine, kind, list(columns), rows[:1] if known.row else rows, **{name: given[name] for name in known.asked}
    )
    now = _parse(again)
    # another program version is reported, but not counted as a difference if the numbers are the same
    parts = [
        Part(name, signed[name], now[name], signed[name] == now[name] or name in ("tdtsql", "duckdb"))
        for name in (*known.asked, *known.row, *_TAIL)
    ]
    chosen = _runs(engine, kind, given, _kept(engine))
    if chosen:
        outcome = recompute(engine, sorted({computed.run_no for computed in chosen}))
        wrong = [
            str(divergence)
            for divergence in outcome.divergences
            if given.get("profile_id", given.get("profile")) in (None, divergence.profile)
        ]
        parts.append(Part("computed again", "as kept", wrong[0] if wrong else "as kept", not wrong))
        parts += audited(engine, [(computed.run_no, computed.profile) for computed in chosen])
    return Verification(
        ", ".join(dict.fromkeys(computed.run for computed in chosen)) or kind,
        given.get("condition_id") or given.get("condition") or "",
        None,
        parts,
    )


def _parse(text: str) -> dict[str, str]:
    parts = {
        name: unquote(value) for name, mark, value in (item.partition(":") for item in text.strip().split("|")) if mark
    }
    known = KINDS.get(parts.get("table", ""))
    if known is None:
        raise InvalidSignature(
            f"the signature is of table {parts.get('table')!r}, which is not one of {', '.join(KINDS)}. Copy it whole."
        )
    missing = [name for name in (*known.asked, *known.row, *_TAIL) if name not in parts]
    if missing:
        raise InvalidSignature(f"the signature has no {', '.join(missing)}. Copy it whole.")
    return parts


@dataclass(frozen=True)
class Computed:
    """Inputs of the numbers of one run under one profile."""

    run_no: int
    condition: str
    run: str
    profile: str
    hashes: list[str]  #: sql, judgments, run
    tdtsql: str
    duckdb: str


def _kept(engine: Engine) -> list[Computed]:
    rows = engine.rows("""
        select run_no, condition_id, run_id, profile_id, [definition_sha256, condition_sha256, run_sha256],
            tdtsql_version, duckdb_version
        from ledger.current_computation order by all""")
    return [Computed(*row) for row in rows]


def _runs(engine: Engine, kind: str, given: Given, kept: list[Computed]) -> list[Computed]:
    """Return all runs that are inputs of a row."""
    profile, wanted = given.get("profile_id"), None
    if "runs" in given:
        profile = given["profile"]
        wanted = set(chosen_again(engine, given["metric"], given).runs.values())
    elif "run_id" in given:
        wanted = {(given["condition_id"], given["run_id"])}
    elif kind in ("leaderboard", "topic_matrix"):
        wanted = {(one.condition, one.run) for one in kept if one.condition == given["condition_id"]}
    return [one for one in kept if (one.condition, one.run) in (wanted or ()) and one.profile == profile]


def _tail(engine: Engine, kind: str, given: Given, kept: list[Computed]) -> dict[str, str]:
    """Return the parts for the definitions, judgments, runs and programs of a row."""
    computed = _runs(engine, kind, given, kept)
    if computed:
        hashes = [[one.hashes[place] for one in computed] for place in range(3)]
        programs = [one.tdtsql for one in computed], [one.duckdb for one in computed]
    else:
        rows = engine.rows(
            """
            select definition.closure_sha256, sha256(corpus.content_sha256 || condition.content_sha256)
            from registry.definition as definition
            join registry.condition as condition on condition.condition_id = $condition
            join registry.corpus as corpus on corpus.corpus_no = condition.corpus_no
            where definition.relation = 'report.' || $kind""",
            {"condition": given["condition_id"], "kind": kind},
        )
        of_runs = (
            [one.hashes[2] for one in kept if one.condition == given["condition_id"]] if kind == "adjudication" else []
        )
        hashes = [[row[0] for row in rows], [row[1] for row in rows], of_runs]
        programs = [__version__], [engine.version]
    return {
        **{name: _one(found) for name, found in zip(("sql", "judgments", "run"), hashes, strict=True)},
        **{name: " ".join(sorted(set(found))) for name, found in zip(("tdtsql", "duckdb"), programs, strict=True)},
    }


def _one(values: Iterable[str]) -> str:
    """Return the first digits of a hash, or of the hash over several."""
    different = sorted(set(values))
    return (
        different[0]
        if len(different) == 1
        else sha256("".join(different).encode()).hexdigest()
        if different
        else "none"
    )[:8]


def _data(kind: Kind, columns: Sequence[str], rows: Sequence[Sequence]) -> str:
    signed = [place for place, name in enumerate(columns) if name not in kind.row and name != "signature"]
    total = sha256("\0".join(columns[place] for place in signed).encode())
    for row in rows:
        total.update("\0".join(["", *(_bits(row[place], kind.digits) for place in signed)]).encode())
    return total.hexdigest()[:16]


def _bits(value: object, digits: int | None) -> str:
    if isinstance(value, float):
        return value.hex() if digits is None else format(value + 0.0, f".{digits}g")
    return "null" if value is None else str(value)


def _same(value: object, text: str | None) -> bool:
    return text is None if value is None else str(value) == text
