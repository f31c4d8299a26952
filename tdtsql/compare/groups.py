"""Letters for runs that do not differ significantly.

Two runs share a letter exactly if their difference is not significant.

Source: H.-P. Piepho, An Algorithm for a Letter-Based Representation of
All-Pairwise Comparisons, 2004 (insert and absorb).
"""

from collections.abc import Iterable, Sequence


def significance_letters(runs: Sequence[str], significant: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return run -> letters such as `a` or `bc`.

    Args:
        runs: best first; the best run gets `a`.
        significant: unordered pairs whose difference is significant.
    """
    groups = [set(runs)]
    for one, other in significant:
        split = []
        for group in groups:
            split += [group - {one}, group - {other}] if one in group and other in group else [group]
        # absorb: a group within another one is redundant
        groups = [
            group
            for index, group in enumerate(split)
            if not any(
                group < other_group or (group == other_group and index > later)
                for later, other_group in enumerate(split)
            )
        ]
    position = {run: index for index, run in enumerate(runs)}
    groups.sort(key=lambda group: sorted(position[run] for run in group))
    return {run: "".join(_letter(index) for index, group in enumerate(groups) if run in group) for run in runs}


def _letter(index: int) -> str:
    """Return a, b ... z, then a1, b1 ..."""
    return chr(ord("a") + index % 26) + (str(index // 26) if index >= 26 else "")
