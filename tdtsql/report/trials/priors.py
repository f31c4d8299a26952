"""Error rates over priors of a target (Bayes-error plot): actual, least, and of deciding by default (no
scores).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from tdtsql.engine.duckdb import Engine
from tdtsql.show.table import fixed
from tdtsql.scoring.curve.det_curve import bayes_error


@dataclass
class Priors:
    """Errors of runs of one condition, all trials together."""

    condition: str
    profile: str
    rows: dict[
        str, list[tuple[float, float | None, float, float]]
        #: run -> log odds (natural), actual (None: no likelihood ratios), minimum, default decision; ascending priors
    ]

    @property
    def is_llr(self) -> bool:
        return any(row[1] is not None for rows in self.rows.values() for row in rows)

    @property
    def heads(self) -> list[str]:
        return [f"{run}, {what}" for run in self.rows for what in ("actual", "least")]

    def lines(self) -> list[list[str]]:
        """Return a line per prior: by default, and of each run the actual and the least error."""
        found: dict[float, list[str]] = {}
        for rows in self.rows.values():
            for odds, actual, least, alone in rows:
                found.setdefault(odds, [f"{odds:g}", fixed(alone)]).extend((fixed(actual), fixed(least)))
        return list(found.values())

    def looks(self, every: Mapping[str, int]) -> dict[str, int]:
        return {run: every[run] for run in self.rows}

    def of(self, runs: Collection[str]) -> "Priors":
        return Priors(self.condition, self.profile, {run: rows for run, rows in self.rows.items() if run in runs})


def priors_of(engine: Engine, condition: str, profile: str, runs: Sequence[str]) -> Priors | None:
    """Return the errors of runs over priors; None where no run has any."""
    rows = {
        run: bayes_error(engine, run, condition=condition, profile=profile)
        .project("log_odds, actual, minimum, default_error")
        .order("log_odds")
        .fetchall()
        for run in runs
    }
    rows = {run: of_run for run, of_run in rows.items() if of_run}
    return Priors(condition, profile, rows) if rows else None
