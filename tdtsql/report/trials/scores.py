"""Scores of a run in bins, by class and by the values of an attribute: small drawings as SVG, and a table that says the
same.
"""

import html
from dataclasses import dataclass, field

from tdtsql.report.charts import histogram, tag
from tdtsql.engine.duckdb import Engine

#: bins of a histogram, and trials of a run above which it uses every k-th
N_BIN, LARGEST_SAMPLE = 40, 1_000_000
_CLASS = {1: "target", 0: "non-target"}


@dataclass(slots=True)
class Scores:
    """The scores of one run in N_BIN bins of equal width; the outermost thousandth on either side, and infinite scores,
    are in the bins at the ends.
    """

    condition: str
    run: str
    attribute: str | None  #: of the key; None: the classes alone
    low: float
    high: float
    every: int  #: uses one of this many trials
    counts: dict[tuple[int, str | None], list[int]] = field(
        default_factory=dict
    )  #: (1 for targets, value of the attribute or None) -> trials in each bin

    def values(self) -> list[str]:
        """Return the values of the attribute, by name."""
        return sorted({value for _, value in self.counts if value is not None})

    def of(self, is_target: int, value: str | None) -> list[int]:
        """Return the bins of a class in the subset of a value (None: all trials): all of a class that lacks the
        attribute.
        """
        mine = {other: bins for (one, other), bins in self.counts.items() if one == is_target}
        chosen = (
            [mine[value]]
            if value in mine and value is not None
            else list(mine.values())
            if value is None or set(mine) <= {None}
            else []
        )
        return [sum(bins) for bins in zip(*chosen, strict=True)] or [0] * N_BIN


def scores_of(store: Engine, condition: str, run: str, attribute: str | None) -> Scores | None:
    """Return the scores of a run on a key of trials; None where it has no finite one."""
    [(run_no, condition_no, n_row)] = store.rows(
        "select run_no, condition_no, n_row from registry.run join registry.condition using (condition_no) where "
        "condition_id = ? and run_id = ?",
        [condition, run],
    )
    every = max(1, -(-n_row // LARGEST_SAMPLE))
    store.download_decisions([run_no])
    # the outermost thousandth on either side goes into the end bins: one outlier must not flatten the rest
    [(low, high)] = store.rows(
        f"select quantile_disc(score, 1e-3), quantile_disc(score, 999e-3) from base.decision where run_no = {run_no} "
        f"and trial_no % {every} = 0 and isfinite(score)"
    )
    if low is None:
        return None
    if not low < high:
        low, high = low - 0.5, high + 0.5
    scores = Scores(condition, run, attribute, low, high, every)
    for is_target, value, place, count in store.rows(
        f"""
        select is_target, value,
            cast(least(greatest(floor((score / 2 - {low!r}::double / 2) / ({high!r}::double / 2 - {low!r}::double / 2) *
            {N_BIN}), 0), {N_BIN - 1}) as integer) as place,
            count(*)
        from base.decision
        join (select segment_no, is_target from base.verification_segment
        where condition_no = {condition_no}) using (segment_no)
        left join (select segment_no, value from base.verification_attribute
        where condition_no = {condition_no} and attribute = ?) using (segment_no)
        where run_no = {run_no} and trial_no % {every} = 0
        group by all order by is_target desc, value nulls first, place""",
        [attribute],
    ):
        scores.counts.setdefault((is_target, value), [0] * N_BIN)[place] = count
    return scores


def shown_scores(scores: Scores) -> str:
    """Return the drawings, all trials first, then one for each value of the attribute, and the table."""
    drawn = "".join(_figure(scores, value) for value in (None, *scores.values()))
    sampled = f" Sample: every {scores.every}th trial." if scores.every > 1 else ""
    return (
        f"<div class='small'>{drawn}</div><p class='soft'>Shares of the targets (black) and of the "
        f"non-targets (grey, dashed) in {N_BIN} equal ranges of scores, the same in each drawing; "
        f"scores beyond {scores.low:.4g} and {scores.high:.4g} are in the "
        f"outermost.{sampled}</p><details><summary>Show data</summary>{_table(scores)}</details>"
    )


def _figure(scores: Scores, value: str | None) -> str:
    name = "all" if value is None else f"{scores.attribute}={value}"
    targets, others = (scores.of(is_target, value) for is_target in (1, 0))
    counts = f"{sum(targets):,} targets, {sum(others):,} non-targets"
    label = f"Scores of {scores.run}, {name}: {counts}"
    drawn = histogram(label, scores.low, scores.high, targets, others)
    return tag("figure", tag("figcaption", f"{name} ", tag("span", counts, class_="range")), drawn)


def _table(scores: Scores) -> str:
    """Return a line a bin, a column a class and value."""
    series = sorted(scores.counts, key=lambda key: (-key[0], key[1] is not None, key[1] or ""))
    names = [_CLASS[is_target] + (f", {value}" if value is not None else "") for is_target, value in series]
    heads = "".join(f"<th scope='col' class='number'>{html.escape(name)}</th>" for name in ("to", *names))
    width = (scores.high - scores.low) / N_BIN
    rows = "".join(
        f"<tr><th scope='row' class='number'>{scores.low + place * width:.4g}</th><td "
        f"class='number'>{scores.low + (place + 1) * width:.4g}</td>"
        + "".join(f"<td class='number'>{scores.counts[key][place]:,}</td>" for key in series)
        + "</tr>"
        for place in range(N_BIN)
    )
    label = html.escape(
        f"Scores of {scores.run} on {scores.condition} in bins"
        + (f", by {scores.attribute}" if scores.attribute else "")
    )
    return (
        f"<div class='scroll tall' tabindex='0' role='region' aria-label='{label}'><table><caption "
        f"class='visually-hidden'>{label}</caption>"
        f"<thead><tr><th scope='col' class='number'>from</th>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )
