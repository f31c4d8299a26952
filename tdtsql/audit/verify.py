"""Verify signatures: recompute numbers and comparisons."""

from dataclasses import replace
from urllib.parse import unquote

from tdtsql.audit import signature
from tdtsql.audit.signature import Part, Verification, audited
from tdtsql.compare.settings import Method, Setting, choose
from tdtsql.compare.words import ALL_PAIRS, compare_runs
from tdtsql.engine.duckdb import Engine
from tdtsql.errors import InvalidSignature

#: parts that say what to compare and how, and what came out
_RECIPE = "compare condition profile subset missing test permutations resamples correction interval seed runs against"
_OUTCOME = "topics family data result"
#: parts that topics have and scored trials do not, and the other way round
_OF_TOPICS, _OF_TRIALS = {"missing", "permutations", "topics"}, ("unit", "trials")


def verify(text: str, engine: Engine) -> Verification:
    """Recompute the number or comparison of a signature, and report which part differs.

    Raises:
        InvalidSignature: it cannot be read, or the store has no such number.
        UnknownName, InvalidComparison: the store has not what was compared.
    """
    if not is_comparison(text):
        return signature.verify(text, engine)
    found, setting = verify_comparison(engine, text), _setting(engine, _parse(text))
    numbers = {
        (condition, run): number
        for condition, run, number in engine.rows(
            "select condition_id, run_id, run_no from registry.run join registry.condition using (condition_no)"
        )
    }
    made_from = audited(engine, [(numbers[place], setting.profile) for place in setting.runs.values()])
    return replace(found, parts=[*found.parts, *made_from])


def is_comparison(text: str) -> bool:
    """Return True for the signature of a comparison."""
    return text.strip().startswith("compare:")


def verify_comparison(store: Engine, text: str) -> Verification:
    """Compare again as a signature says, and say which part differs.

    Raises:
        InvalidSignature: it cannot be read.
        UnknownName, InvalidComparison: the store has not what was compared.
    """
    signed = _parse(text)
    try:
        interval, _, level = signed["interval"].rpartition("-")
        requested = Method(
            test="bootstrap" if signed["test"] == "normal" else signed["test"],
            correction=signed["correction"],
            interval=interval,
            unit=unquote(signed["unit"]) if "unit" in signed else None,
            level=float(level),
            n_permutation=int(signed.get("permutations", Method().n_permutation)),
            n_resample=int(signed["resamples"].partition("v")[0]) or None,
            seed=int(signed["seed"]),
        )
    except ValueError as error:
        raise InvalidSignature(f"a number of the signature cannot be read ({error}). Copy it whole.") from None
    setting = _setting(store, signed)
    every_pair = signed["against"] == ALL_PAIRS
    compared = compare_runs(
        store,
        setting,
        baselines=None if every_pair else _split(signed["against"]),
        every_pair=every_pair,
        missing=signed.get("missing", "error"),
        method=requested,
    )
    now = _parse(compared.signature)
    parts = [Part(name, signed[name], now[name], signed[name] == now[name]) for name in _needed(signed)]
    return Verification(", ".join(setting.runs), setting.condition, None, parts)


def _setting(store: Engine, signed: dict[str, str]) -> Setting:
    """Return what a signature says that was compared."""
    return choose(
        store,
        _split(signed["runs"]),
        metric=signed["compare"],
        subset=signed["subset"],
        profile=signed["profile"],
        condition=None if ", " in signed["condition"] else signed["condition"],
        is_by_topic="unit" not in signed,
    )


def _split(text: str) -> list[str]:
    """Return the names of a list in a signature."""
    return [unquote(name) for name in text.split(",")]


def _needed(parts: dict[str, str]) -> list[str]:
    """Return the parts that a signature of topics, or of scored trials, must have."""
    names = [*_RECIPE.split(), *_OUTCOME.split()]
    return names if "unit" not in parts else [name for name in (*names, *_OF_TRIALS) if name not in _OF_TOPICS]


def _parse(text: str) -> dict[str, str]:
    parts = dict(item.split(":", 1) for item in text.strip().split("|") if ":" in item)
    missing = [name for name in _needed(parts) if not parts.get(name)]
    if missing:
        raise InvalidSignature(f"the signature has no {', '.join(missing)}. Copy it whole.")
    return parts
