"""A comparison of several runs: its rows with corrected p values, and their captions and notes."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import quote

from tdtsql.compare.resample import (
    DRAWS_VERSION,
    Row,
    Step,
    adjusted,
    chi_square_tail,
    least_adjusted,
    letters,
)
from tdtsql.compare.rows import FEWEST_TOPICS, comparison_rows, decided, row_hash, score_intervals
from tdtsql.compare.settings import CORRECTION_NAMES, METRICS, SIGNIFICANT, Method, Setting, chosen_pairs, pairs_against
from tdtsql.compare.units import n_trials
from tdtsql.engine.duckdb import Engine
from tdtsql.errors import InvalidComparison, check_known, counted, first_few, not_none, verb
from tdtsql.task import TASKS, topic_word

#: trials times runs above which leaderboards are not compared unless a number of resamples is named
MOST_TRIALS = 500_000
#: what a signature has a hash over
_RESULTS = "value difference low high p p_adjusted statistic win tie loss".split()
#: what compared numbers were computed from
_HASHES = ("definition_sha256", "condition_sha256", "run_sha256")
#: the part ``against`` of a signature where every run was compared with every other
ALL_PAIRS = "*"
#: names of metrics and tests in captions
_NAMES = {
    "auc": "AUC",
    "cllr": "Cllr",
    "min_cllr": "minimum Cllr",
    "min_c_det": "minDCF",
    "min_c_det_norm": "minDCF (normalised)",
    "act_c_det": "actDCF",
    "act_c_det_norm": "actDCF (normalised)",
}
_TESTS = {
    "randomisation": "paired randomisation",
    "bootstrap": "paired bootstrap",
    "t": "paired t",
    "wilcoxon": "Wilcoxon signed-rank",
}
_INTERVALS = {"bca": "BCa bootstrap", "percentile": "percentile bootstrap", "t": "t"}


@dataclass(frozen=True)
class Compared:
    """Runs compared with each other; corrections are over the pairs of this call."""

    setting: Setting
    method: Method  #: with everything decided
    missing: str
    pairs: list[tuple[str, str]]
    rows: list[Row]  #: of the pairs, with ``p_adjusted``
    warnings: list[str] = field(default_factory=list)  #: on what was asked of the runs

    @property
    def runs(self) -> dict[str, Row]:
        """What the store has of each run: `read_runs`."""
        return self.rows[0]["runs"] if self.rows else {}

    @property
    def scores(self) -> dict[str, tuple[float | None, int | None]]:
        """Run -> its printed number and the n of that, where topics are compared."""
        is_one = not self.setting.is_by_trial and not self.setting.subset.endswith("=*")
        return {name: (run["value"], run["n"]) for name, run in self.runs.items() if is_one and run["is_scored"]}

    @property
    def family_size(self) -> int:
        """The number of p values that are corrected together."""
        return sum(row["p"] is not None for row in self.rows)

    @property
    def smallest_p(self) -> float | None:
        """The smallest corrected p value that any of the tests could have."""
        smallest = [None if row["p"] is None else row["smallest_p"] for row in self.rows]
        return least_adjusted(smallest, self.method.correction)

    def heterogeneity(self) -> dict[tuple[str, str], tuple[float, float, int]]:
        """Return, of each pair with rows of several values of an attribute, Cochran's Q of the differences, its p, and
        the degrees of freedom. Values are assumed independent.

        Source: W. G. Cochran, The Combination of Estimates from Different Experiments, Biometrics 10 (1954).
        """
        known: dict[tuple[str, str], list[tuple[float, float]]] = {}
        for row in self.rows if self.setting.subset.endswith("=*") else ():
            error = row["deviation"] if self.setting.is_by_trial else row["se"]
            if error and row["difference"] is not None:
                known.setdefault((row["run"], row["baseline"]), []).append((row["difference"], 1 / error**2))
        found = {}
        for pair, values in known.items():
            mean = sum(value * weight for value, weight in values) / sum(weight for _, weight in values)
            q, n_free = sum(weight * (value - mean) ** 2 for value, weight in values), len(values) - 1
            if n_free:
                found[pair] = (q, chi_square_tail(q, n_free), n_free)
        return found

    @property
    def signature(self) -> str:
        """The signature of these p values and intervals, with hashes of the numbers and of the results."""
        setting, method, first = self.setting, self.method, self.rows[0] if self.rows else {}
        parts: dict[str, Any] = {
            "compare": setting.metric,
            "condition": setting.condition,
            "profile": setting.profile,
            "subset": setting.subset,
            **({"w": setting.weighting} if setting.weighting else {}),
        }
        if setting.is_by_trial:
            parts["trials"] = f"{first.get('n_target')}+{first.get('n_nontarget')}"
        else:
            parts |= {"topics": first["n_topic"], "missing": self.missing}
        if setting.is_by_trial or method.unit != setting.topic:
            parts["unit"] = quote(not_none(method.unit), safe=",=")
        if first.get("n_cluster") is not None:
            parts["clusters"] = first["n_cluster"]
        baselines = list(dict.fromkeys(baseline for _, baseline in self.pairs))
        is_all = self.pairs != pairs_against(list(setting.runs), baselines)
        parts |= {
            "test": method.test,
            **({} if setting.is_by_trial else {"permutations": method.n_permutation}),
            "resamples": f"{0 if method.interval == 'normal' else method.n_resample}v{DRAWS_VERSION}",
            "correction": method.correction,
            "family": self.family_size,
            "interval": f"{method.interval}-{method.level:g}",
            "seed": method.seed,
            "runs": ",".join(map(_quoted, setting.runs)),
            "against": ALL_PAIRS if is_all else ",".join(map(_quoted, baselines)),
            "data": row_hash(self.runs[name][text] for name in setting.runs for text in _HASHES),
            "result": row_hash(row[name] for row in self.rows for name in _RESULTS),
        }
        return "|".join(f"{name}:{value}" for name, value in parts.items())

    # ---- words

    def method_in_words(self) -> str:
        """Return one sentence on the computation of p values and intervals, and their topics or trials."""
        return self._of_trials() if self.setting.is_by_trial else self._of_topics()

    def _of_trials(self) -> str:
        method, first = self.method, self.rows[0]
        metric, eer = self.setting.metric, self.runs[first["run"]]["eer"] or ""
        name = f"difference of {f'EER ({eer})' if metric == 'eer' else _NAMES.get(metric, metric)}"
        unit = not_none(method.unit)
        units = f"{unit}s" if unit.isidentifier() and not unit.endswith("s") else unit
        drawn = f"{method.n_resample:,} draws of whole {units} ({first['n_unit']})"
        if unit == "trial":
            drawn = f"{method.n_resample:,} draws by trial"
        how = {
            "delong": "DeLong's test",
            "mcnemar": f"exact McNemar test, {drawn}, seed {method.seed}",
            "bootstrap": f"{drawn}, seed {method.seed}",
            "normal": "normal test of paired terms",
        }[not_none(method.test)]
        tests = ""
        if self.family_size > 1:
            tests = f", {CORRECTION_NAMES[method.correction]} correction over {self.family_size} tests"
        trials = f"{first['n_target']:,} targets, {first['n_nontarget']:,} non-targets"
        return f"{name}, {method.level * 100:g} % {method.interval} interval, {how}{tests}, {trials}"

    def _of_topics(self) -> str:
        method, first = self.method, self.rows[0]
        topics = self._range("n_topic", lambda n: f"{n} {topic_word(self.setting.task, n)}")
        if first["n_cluster"] is not None:
            topics += f" in {self._range('n_cluster', lambda n: counted(n, 'cluster'))}"
        if first["n_undefined"]:
            topics += f" (without {first['n_undefined']} that no run has)"
        if n_missing := max(row["n_missing"] for row in self.rows):
            topics += f", {counted(n_missing, 'missing number')}: {self.missing}"
        if all(row["p"] is None for row in self.rows):
            return f"{topics}: no test and no interval"
        drawn = [row for row in self.rows if row["p"] is not None and not row["is_exact"]]
        how = f", {method.n_resample:,} resamples" if method.test == "bootstrap" else ""
        if method.test == "randomisation":
            how = f", {method.n_permutation:,} permutations" if drawn else ", all sign patterns"
        error = max((row["mc_error"] for row in drawn), default=0.0)
        simulated = f", simulation error of p at most {error:.1g}" if error > 0.0 else ""
        return (
            f"{_TESTS[not_none(method.test)]} test{how}, {CORRECTION_NAMES[method.correction]} correction over "
            f"{counted(self.family_size, 'test')}, {method.level * 100:g} % {_INTERVALS[not_none(method.interval)]} "
            f"interval, {topics}, seed {method.seed}{simulated}"
        )

    def _range(self, name: str, worded: Any) -> str:
        """Return a number of the rows in words, or the range of it."""
        least, most = min(row[name] for row in self.rows), max(row[name] for row in self.rows)
        return worded(most) if least == most else f"{least} to {worded(most)}"

    def notes(self) -> list[str]:
        """Return sentences that prevent misreadings: scores over other topics, tests without power, reasons of NULL."""
        rows, found, smallest = self.rows, [*self.warnings], self.smallest_p
        for note in dict.fromkeys(note for row in rows for note in (row["note"] or "").split("; ") if note):
            found.append(sentence(note))
        if n_lacking := max((row["n_undefined_draw"] or 0 for row in rows), default=0):
            found.append(f"{n_lacking:,} of {self.method.n_resample:,} draws lack a class.")
        others = [
            (-abs(value - mean), run, value, n, mean)
            for run, mean in self.values.items()
            for value, n in [self.scores.get(run, (None, None))]
            if value is not None and mean is not None and abs(value - mean) > 1e-9 * max(1.0, abs(value))
        ]
        if others:
            shown = first_few(
                [f"{run} {value:.4f} over {n} (here {mean:.4f})" for _, run, value, n, mean in sorted(others)]
            )
            topics = self._range("n_topic", lambda n: f"{n} {topic_word(self.setting.task, n)}")
            found.append(
                f"Means are over the {topics} that are compared; scores take each rate over all "
                f"{self.setting.topic}s that have it: {shown}."
            )
        for (run, baseline), (q, p, n_free) in self.heterogeneity().items():
            found.append(
                f"Heterogeneity of {run} and {baseline} over {n_free + 1} values: Q {q:.3g}, p {p:.3g} "
                f"(chi-square, {counted(n_free, 'degree')} of freedom)."
            )
        if smallest is not None and smallest >= SIGNIFICANT:
            found += self._without_power(smallest)
        for reason in dict.fromkeys(row["reason"] for row in rows if row["reason"]):
            if reason.startswith("one ") and not self.setting.is_by_trial:
                continue  # the sentence on the method says it
            of = [f"{row['run']} and {row['baseline']}" for row in rows if row["reason"] == reason]
            is_of_all = not self.setting.is_by_trial and len(of) == len(rows)
            found.append(sentence(reason) if is_of_all else f"{first_few(of)}: {reason}.")
        return found

    def _without_power(self, smallest: float) -> list[str]:
        tests = counted(self.family_size, "test")
        end = f"no corrected p is below {smallest:.2g}: nothing can be significant at {SIGNIFICANT * 100:g} %."
        if self.setting.is_by_trial:
            return [f"With {self.method.n_resample:,} draws and {tests} {end} Use more --resamples."]
        n = max(row["n_differing"] for row in self.rows)
        is_clustered = self.rows[0]["n_cluster"] is not None
        units = counted(n, "cluster") if is_clustered else f"{n} {topic_word(self.setting.task, n)}"
        found = [f"With {units} that {verb(n, 'differ')} and {tests} {end}"]
        if smallest / self.family_size < SIGNIFICANT and self.method.correction == "holm":
            found.append("Fewer pairs, or correction bh, can say more.")
        return found

    @property
    def values(self) -> dict[str, float]:
        """The numbers of the runs that are compared."""
        found: dict[str, float] = {}
        for row in self.rows:
            found |= {row["run"]: row["value"], row["baseline"]: row["baseline_value"]}
        return found

    def groups(self) -> dict[str, str]:
        """Return run -> letters of its significance groups, best run first; the comparison must contain every pair.

        A run without a test has none.
        """
        sign = -1.0 if self.setting.best == "highest" else 1.0
        tested = replace(self, rows=[row for row in self.rows if row["p_adjusted"] is not None])
        different = [(row["run"], row["baseline"]) for row in tested.rows if row["p_adjusted"] < SIGNIFICANT]
        values = tested.values
        return letters(sorted(values, key=lambda run: (sign * values[run], run)), different)


def compare_runs(
    engine: Engine,
    setting: Setting,
    *,
    baselines: Sequence[str] | None = None,
    every_pair: bool = False,
    missing: str = "error",
    method: Method | None = None,
    step: Step | None = None,
) -> Compared:
    """Return the comparison of a setting's runs; the first run is the baseline unless others are named.

    A subset ``COLUMN=*`` is every value of an attribute: a row for each, and one family of corrections.
    """
    pairs, rows = chosen_pairs(setting, baselines, every_pair), []
    for subset in subsets_of(engine, setting):
        some = replace(setting, subset=subset)
        used = decided(engine, some, method or Method())
        rows += comparison_rows(engine, some, pairs, used, missing=missing, step=step)
    for row, p in zip(rows, adjusted([row["p"] for row in rows], used.correction), strict=True):
        row["p_adjusted"] = p
    return Compared(setting, used, missing, pairs, rows, _other_prompts(engine, setting))


def _other_prompts(engine: Engine, setting: Setting) -> list[str]:
    """Return a sentence where runs had different prompts for some items."""
    if setting.topic != "item":
        return []
    n_item, item = engine.rows(
        """
        select count(*), min(block_id) from (
            select block_id from base.item_prompt
            join registry.run using (run_no)
            join registry.condition using (condition_no)
            join base.block on block.condition_no = run.condition_no and block.block_no = item_prompt.block_no
            where list_contains($places, condition_id || '/' || run_id)
            group by block_id having count(distinct prompt) > 1)""",
        {"places": ["/".join(place) for place in setting.runs.values()]},
    )[0]
    return [f"The runs were asked {counted(n_item, 'item')} with different prompts, first {item}."] if n_item else []


def subsets_of(engine: Engine, setting: Setting) -> list[str]:
    """Return the subset of a setting, or of ``COLUMN=*`` the subsets of the values of the attribute.

    Raises:
        UnknownName: the attribute is unknown.
    """
    name, is_every, _ = setting.subset.partition("=*")
    if not is_every:
        return [setting.subset]
    known = engine.column(
        "select distinct subset from base.subset join registry.condition using (condition_no) where condition_id = ? "
        "and contains(subset, '=') and not contains(subset, ',') order by 1",
        [next(iter(setting.runs.values()))[0]],
    )
    check_known("attribute with subsets", name, sorted({subset.partition("=")[0] for subset in known}))
    return [subset for subset in known if subset.startswith(f"{name}=")]


def compare_everything(engine: Engine, setting: Setting, method: Method | None = None) -> tuple[Compared | None, str]:
    """Return the comparison of every pair of a setting (None without pairs), and one sentence on the method.

    Topics that a run of a pair lacks are excluded; the sentence states it.
    """
    if len(setting.runs) < 2:
        return None, "One run: nothing to compare."
    method = _of_board(setting, method or Method())
    try:
        compared = compare_runs(engine, setting, every_pair=True, missing="common", method=method)
    except InvalidComparison as error:
        return None, f"No groups: {error}"
    if not compared.family_size:
        reasons = dict.fromkeys(row["reason"] for row in compared.rows if row["reason"])
        return None, f"No groups: {' '.join(compared.notes()) or f'{next(iter(reasons))}.'}"
    share = f"Groups: {compared.method_in_words()}; runs that share a letter do not differ at {SIGNIFICANT * 100:g} %."
    return compared, " ".join([share, *compared.notes()])


def _of_board(setting: Setting, method: Method) -> Method:
    """Return the method of a leaderboard: tests are by topic or by trial, and those of trials are the usual ones."""
    if not setting.is_by_trial:
        return method
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
    boards: dict[tuple[str, ...], dict[str, tuple[float | None, int]]] = {}
    for *board, run, value, n in engine.rows(
        "select condition_id, profile_id, task, metric, subset, run_id, value, n from report.leaderboard "
        "where withdrawn is null and condition_id = coalesce(?, condition_id) "
        "and profile_id = coalesce(?, profile_id) order by all",
        [condition, profile],
    ):
        boards.setdefault(tuple(board), {})[run] = (value, n)
    best = dict(engine.rows("select metric, min(best) from registry.metric group by metric"))
    for (where, under, task, metric, subset), runs in boards.items():
        named, is_by_trial = {run: (where, run) for run in runs}, TASKS[task].is_by_trial
        setting = Setting(named, task, under, metric, subset, best.get(metric, "none"), is_by_trial)
        if is_by_trial and most_trials is not None and n_trials(engine, setting) * len(runs) > most_trials:
            continue
        if len(runs) > 1:
            with suppress(InvalidComparison):  # readers of the rows report the reason
                pairs = chosen_pairs(setting, None, True)
                used = decided(engine, setting, _of_board(setting, method))
                comparison_rows(engine, setting, pairs, used, missing="common")
        is_enough = is_by_trial or subset == "all" and max(n for _, n in runs.values()) >= FEWEST_TOPICS
        if is_by_trial and metric in METRICS or intervals and is_enough:
            printed = {run: value for run, (value, _) in runs.items() if value is not None}
            score_intervals(engine, task, where, under, metric, subset, printed, method)
        if is_by_trial and intervals and metric != "eer":  # every reader of scored trials asks for it
            rates = dict(
                engine.rows(
                    "select run_id, value from report.score where condition_id = ? and profile_id = ? and subset = ? "
                    "and metric = 'eer' and weighting = 'story' and value is not null",
                    [where, under, subset],
                )
            )
            score_intervals(engine, task, where, under, "eer", subset, rates, method)


def _quoted(name: str) -> str:
    return quote(name, safe="/ +:;=()[]*'\"!?&@#$")


def sentence(text: str) -> str:
    """Return a text as a sentence."""
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")
