"""A comparison of several runs: its rows with corrected p values, and their captions and notes."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from urllib.parse import quote

from tdtsql.compare.resample import Row, Step, chi_square_tail
from tdtsql.compare.rows import FEWEST_TOPICS, comparison_rows, decided, pair_table, score_intervals
from tdtsql.compare.settings import METRICS, SIGNIFICANT, Method, Setting, chosen_pairs, pairs_against
from tdtsql.compare.units import n_trials, read_runs
from tdtsql.definitions.catalogue import read_statement
from tdtsql.engine.duckdb import Engine
from tdtsql.errors import InvalidComparison, check_known
from tdtsql.task import TASKS

#: trials times runs above which leaderboards are not compared unless a number of resamples is named
MOST_TRIALS = 500_000
#: the part ``against`` of a signature where every run was compared with every other
ALL_PAIRS = "*"


@dataclass(frozen=True)
class Compared:
    """Runs compared with each other; corrections are over the pairs of this call."""

    setting: Setting
    method: Method  #: with everything decided
    rows: list[Row]  #: of the pairs, with p values corrected for all of them
    signature: str  #: of these p values and intervals, with hashes of the numbers and of the results
    how: str  #: how p values and intervals were computed, on which topics or trials
    notes: list[str]  #: sentences that prevent misreadings: scores over other topics, tests without power, NULL

    @property
    def values(self) -> dict[str, float]:
        """The numbers of the runs that are compared."""
        found: dict[str, float] = {}
        for row in self.rows:
            numbers = {row["run_id"]: row["value"], row["baseline_id"]: row["baseline_value"]}
            # a pair without topics in common has none
            found |= {name: value for name, value in numbers.items() if value is not None or name not in found}
        return found


def compare_runs(
    engine: Engine,
    setting: Setting,
    *,
    baselines: Sequence[str] | None = None,
    every_pair: bool = False,
    method: Method | None = None,
    step: Step | None = None,
) -> Compared:
    """Return the comparison of a setting's runs; the first run is the baseline unless others are named.

    A subset ``COLUMN=*`` is every value of an attribute: a row for each, and one family of corrections.
    """
    pairs, rows = chosen_pairs(setting, baselines, every_pair), list[Row]()
    is_every = setting.subset.endswith("=*")
    for subset in subsets_of(engine, next(iter(setting.runs.values()))[0], setting.subset):
        some = replace(setting, subset=subset)
        used = decided(engine, some, method or Method())
        rows += comparison_rows(engine, some, pairs, used, step)
    # printed numbers, which are over all topics that have them
    printed = [] if setting.is_by_trial or is_every else list(read_runs(engine, setting).values())
    against = list(dict.fromkeys(baseline for _, baseline in pairs))
    is_all = pairs != pairs_against(list(setting.runs), against)
    words: Row = {"subset": setting.subset, "weighting": setting.weighting, "runs": _quoted(setting.runs)}
    words |= {"against": ALL_PAIRS if is_all else _quoted(against), "word": setting.topic, "significant": SIGNIFICANT}
    words |= {"places": list(map("/".join, setting.runs.values()))}
    with pair_table(engine, rows) as table:

        def read(name: str, given: Row) -> list[Row]:
            return engine.records(read_statement(f"compare/{name}").replace("compared_pair", table), given)

        # values of an attribute are assumed independent
        tests = read("heterogeneity", {}) if is_every else []
        tests = [test | {"p": chi_square_tail(test["q"], test["n_free"])} for test in tests]
        family = {"correction": used.correction, "printed": printed, "tests": tests}
        found = read("compared", family)
        signature, how, *notes = [row["words"] for row in read("words", family | words)]
    return Compared(setting, used, found, signature, how, notes)


def subsets_of(engine: Engine, condition: str, subset: str) -> list[str]:
    """Return a subset, or of ``COLUMN=*`` the subsets of the values of the attribute in a condition.

    Raises:
        UnknownName: the attribute is unknown.
    """
    name, is_every, _ = subset.partition("=*")
    if not is_every:
        return [subset]
    known = engine.column(
        "select distinct subset from base.subset join registry.condition using (condition_no) where condition_id = ? "
        "and contains(subset, '=') and not contains(subset, ',') order by 1",
        [condition],
    )
    check_known("attribute with subsets", name, sorted({subset.partition("=")[0] for subset in known}))
    return [subset for subset in known if subset.startswith(f"{name}=")]


def significance_groups(engine: Engine, setting: Setting, method: Method) -> tuple[dict[str, str], str, str]:
    """Return run -> letters of its significance groups, best run first, by comparing every pair; a run without a test
    has none. Then one sentence on the method, and the signature, empty without groups.

    Topics that a run of a pair lacks are excluded; the sentence states it.
    """
    if len(setting.runs) < 2:
        return {}, "One run: nothing to compare.", ""
    try:
        compared = compare_runs(engine, setting, every_pair=True, method=_of_board(setting, method))
    except InvalidComparison as error:
        return {}, f"No groups: {error}", ""
    tested = replace(compared, rows=[row for row in compared.rows if row["p_adjusted"] is not None])
    if not tested.rows:
        reasons = dict.fromkeys(row["reason"] for row in compared.rows if row["reason"])
        return {}, f"No groups: {' '.join(compared.notes) or f'{next(iter(reasons))}.'}", ""
    share = f"Groups: {compared.how}; runs that share a letter do not differ at {SIGNIFICANT * 100:g} %."
    sign, values = -1.0 if setting.best == "highest" else 1.0, tested.values
    different = [row for row in tested.rows if row["p_adjusted"] < SIGNIFICANT]
    given = {"runs": sorted(values, key=lambda run: (sign * values[run], run))}
    given |= {"one": [row["run_id"] for row in different], "other": [row["baseline_id"] for row in different]}
    groups = dict(engine.rows(read_statement("compare/letters"), given))
    return groups, " ".join([share, *compared.notes]), compared.signature


def _of_board(setting: Setting, method: Method) -> Method:
    """Return the method of a leaderboard: tests are by topic or by trial, and those of trials are the usual ones."""
    if not setting.is_by_trial:
        return replace(method, missing="common")
    return Method(level=method.level, seed=method.seed, correction=method.correction, unit=method.unit)


def compare_boards(
    engine: Engine,
    condition: str | None = None,
    profile: str | None = None,
    *,
    method: Method | None = None,
    intervals: bool = False,
    most_trials: int | None = MOST_TRIALS,
) -> None:
    """Compute and store missing comparisons of leaderboards: every pair of runs that are not withdrawn.

    Args:
        intervals: those of the ranked numbers too, of boards with enough topics.
        most_trials: trials times runs above which a board is left out; None: never.
    """
    method = method or Method()
    boards: dict[tuple[str, ...], dict[str, int]] = {}
    for *board, run, n in engine.rows(
        "select condition_id, profile_id, task, metric, subset, run_id, n from report.leaderboard "
        "where withdrawn is null and condition_id = coalesce(?, condition_id) "
        "and profile_id = coalesce(?, profile_id) order by all",
        [condition, profile],
    ):
        boards.setdefault(tuple(board), {})[run] = n
    best = dict(engine.rows("select metric, min(best) from registry.metric group by metric"))
    for (where, under, task, metric, subset), runs in boards.items():
        named, is_by_trial = {run: (where, run) for run in runs}, TASKS[task].is_by_trial
        setting = Setting(named, task, under, metric, subset, best.get(metric, "none"), is_by_trial)
        if is_by_trial and most_trials is not None and n_trials(engine, setting) * len(runs) > most_trials:
            continue
        if len(runs) > 1:
            with suppress(InvalidComparison):  # readers of the rows report the reason
                used = decided(engine, setting, _of_board(setting, method))
                comparison_rows(engine, setting, chosen_pairs(setting, None, True), used)
        is_enough = is_by_trial or subset == "all" and max(runs.values()) >= FEWEST_TOPICS
        wanted = [metric] if is_by_trial and metric in METRICS or intervals and is_enough else []
        for name in dict.fromkeys([*wanted, "eer"] if is_by_trial and intervals else wanted):
            numbers = read_runs(engine, replace(setting, metric=name))
            printed = {run: number["value"] for run, number in numbers.items() if number["value"] is not None}
            score_intervals(engine, task, where, under, name, subset, printed, method)


def _quoted(names: Iterable[str]) -> str:
    return ",".join(quote(name, safe="/ +:;=()[]*'\"!?&@#$") for name in names)


def sentence(text: str) -> str:
    """Return a text as a sentence."""
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")
