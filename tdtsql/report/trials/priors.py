"""Error rates over priors of a target (Bayes-error plot): actual, least, and of deciding by default (no scores), as SVG
and as a table.
"""

import html
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from tdtsql.engine.duckdb import Engine
from tdtsql.report.charts import look, ticks
from tdtsql.scoring.curve.det_curve import bayes_error

#: sizes in pixels, and lines of a drawing that have different colours
_WIDTH, _HEIGHT, _LEFT, _FOOT, _TOP = 620, 320, 48, 36, 8


@dataclass(slots=True)
class Priors:
    """Errors of runs of one condition, all trials together."""

    condition: str
    profile: str
    rows: dict[
        str, list[tuple[float, float | None, float, float]]
        #: run -> log odds (natural), actual (None: no likelihood ratios), minimum, default decision; ascending priors
    ]

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


def shown_priors(priors: Priors, looks: Mapping[str, int]) -> str:
    """Return legend, drawing and table as HTML; ``looks``: run -> number of its colour."""
    runs = list(priors.rows)
    legend = "".join(
        f"<li><svg width='34' height='12' aria-hidden='true'><line x1='0' x2='34' y1='6' y2='6' "
        f"stroke='{_colour(looks[run])}' stroke-width='2'/></svg>"
        f" {html.escape(run)}</li>"
        for run in runs
    )
    is_llr = any(row[1] is not None for rows in priors.rows.values() for row in rows)
    said = (
        "solid: of the decisions that the scores make; dashed: least"
        if is_llr
        else "dashed: least; the scores are no likelihood ratios"
    )
    return (
        f"<ul class='key' aria-label='Runs'>{legend}</ul><figure "
        f"class='priors'>{_drawn(priors, looks)}<figcaption>Error "
        f"rate at each prior of a target, costs of one ({said}; "
        f"dotted: by default (no scores)).</figcaption></figure><details><summary>Show data"
        f"</summary>{_table(priors)}</details>"
    )


def _colour(at: int) -> str:
    return look(at)[0]


def _drawn(priors: Priors, looks: Mapping[str, int]) -> str:
    every = [row for rows in priors.rows.values() for row in rows]
    low, high = min(row[0] for row in every), max(row[0] for row in every)
    most = min(0.5, 1.1 * max(max(row[2], row[1] or 0.0) for row in every)) or 0.5

    def line(points: Sequence[tuple[float, float]], colour: str, name: str, dash: str) -> str:
        # what is above the drawing is left out
        path = "".join(
            f"{'L' if place and points[place - 1][1] <= most else 'M'}{x(odds):.1f} {y(error):.1f}"
            for place, (odds, error) in enumerate(points)
            if error <= most
        )
        return (
            f"<path d='{path}' fill='none' stroke='{colour}' "
            f"stroke-width='1.8'{dash}><title>{html.escape(name)}</title></path>"
        )

    def x(odds: float) -> float:
        return _LEFT + (_WIDTH - _LEFT - 10) * (odds - low) / ((high - low) or 1.0)

    def y(error: float) -> float:
        return _HEIGHT - _FOOT - (_HEIGHT - _FOOT - _TOP) * error / most

    parts = []
    for error in ticks(0.0, most, 5):
        parts.append(
            f"<line x1='{_LEFT}' x2='{_WIDTH - 10}' y1='{y(error):.1f}' y2='{y(error):.1f}' stroke='var(--grid)'/>"
            f"<text x='{_LEFT - 6}' y='{y(error) + 4:.1f}' text-anchor='end'>{error:.3g}</text>"
        )
    for odds in range(-10, 11, 5):
        if low <= odds <= high:
            parts.append(f"<text x='{x(odds):.1f}' y='{_HEIGHT - _FOOT + 15}' text-anchor='middle'>{odds}</text>")
    parts.append(
        f"<text x='{(_WIDTH + _LEFT) / 2:.0f}' y='{_HEIGHT - 4}' text-anchor='middle'>log odds of a target</text>"
    )
    first = next(iter(priors.rows.values()))
    parts.append(
        line([(row[0], row[3]) for row in first], "var(--soft)", "by default (no scores)", " stroke-dasharray='2 3'")
    )
    for run, rows in priors.rows.items():
        parts.append(
            line([(row[0], row[2]) for row in rows], _colour(looks[run]), f"{run}, least", " stroke-dasharray='6 3'")
        )
        actual = [(row[0], row[1]) for row in rows if row[1] is not None]
        if actual:
            parts.append(line(actual, _colour(looks[run]), run, ""))
    label = html.escape(f"Error rates over priors of {len(priors.rows)} runs of {priors.condition}, up to {most:.3g}")
    return f"<svg class='chart' viewBox='0 0 {_WIDTH} {_HEIGHT}' role='img' aria-label='{label}'>{''.join(parts)}</svg>"


def _table(priors: Priors) -> str:
    """Return a line a prior: by default (no scores), and of each run the actual and the least error."""
    heads = "".join(
        f"<th scope='col' class='number'>{html.escape(name)}</th>"
        for name in ("by the prior", *(f"{run}, {what}" for run in priors.rows for what in ("actual", "least")))
    )
    of_prior: dict[float, list[str]] = {}
    for rows in priors.rows.values():
        for odds, actual, least, alone in rows:
            of_prior.setdefault(odds, [f"{alone:.4f}"]).extend(
                ("–" if actual is None else f"{actual:.4f}", f"{least:.4f}")
            )
    lines = "".join(
        f"<tr><th scope='row' "
        f"class='number'>{odds:g}</th>{''.join(f'<td class=number>{text}</td>' for text in texts)}</tr>"
        for odds, texts in of_prior.items()
    )
    label = html.escape(f"Error rates over priors, {priors.condition}")
    return (
        f"<div class='scroll tall' tabindex='0' role='region' aria-label='{label}'><table><caption "
        f"class='visually-hidden'>{label}</caption>"
        f"<thead><tr><th scope='col' class='number'>log "
        f"odds</th>{heads}</tr></thead><tbody>{lines}</tbody></table></div>"
    )
