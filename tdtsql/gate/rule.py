"""Rules of a gate: the largest acceptable drop of a metric.

    c_det_norm > +0.02                      worse by more than 0.02
    c_det_norm > +5%                        by more than 5 % of the baseline's number
    f1 < -0.01                              where higher is better, worse is less
    c_det_norm[language=ENGLISH] > +0.02    on one subset; [*] on every subset that both have

The sign is required: the tolerance applies to the difference, not to the number.
"""

import re
from dataclasses import dataclass
from math import isinf

from tdtsql.errors import InvalidRule

_FORM = re.compile(
    r"(?P<metric>[^\s<>\[\]]+)\s*(?:\[(?P<subset>[^\[\]]+)\])?\s*(?P<sign>[<>])\s*(?P<number>[+-]\s*(?:\d+\.?\d*|"
    r"\.\d+)(?:[eE][+-]?\d+)?)\s*(?P<percent>%?)"
)
_EXAMPLES = (
    'Write for example "c_det_norm > +0.02", "c_det_norm > +5%", "f1 < -0.01" or "c_det_norm[language=ENGLISH] > +0.02"'
)

#: as a subset: every one that both runs have
EVERY = "*"


@dataclass(frozen=True)
class Rule:
    """One tolerance."""

    text: str  #: as it was written
    metric: str
    subset: str | None  #: None: those that the gate selects
    sign: str  #: ``>``: more is worse; ``<``: less is
    tolerance: float  #: from 0; of the metric's unit, or of the baseline's number where ``is_relative``
    is_relative: bool

    def limit(self, baseline: float) -> float:
        """Return by how much a run may be worse than this baseline, in the metric's unit."""
        return self.tolerance * abs(baseline) if self.is_relative else self.tolerance

    def check_direction(self, best: str) -> None:
        """Refuse a rule that would reject an improvement.

        Raises:
            InvalidRule: the metric's worse end is the other one, or it has none.
        """
        if best == "none":
            raise InvalidRule(
                f"rule {self.text!r}: {self.metric} has no better end, so no difference of it is a drop. Choose "
                f"another metric."
            )
        if (best == "lowest") != (self.sign == ">"):
            turned = "> +" if best == "lowest" else "< -"
            raise InvalidRule(
                f"rule {self.text!r}: the best {self.metric} is the {best}, so this stops what is better. Write "
                f"{turned!r} for {self.sign!r} with its sign."
            )


def parse_rule(text: str) -> Rule:
    """Return a rule from its text.

    Raises:
        InvalidRule: it cannot be read, or its sign contradicts its direction.
    """
    found = _FORM.fullmatch(text.strip())
    if found is None:
        raise InvalidRule(
            f"rule {text!r} cannot be read: expected a metric, > or <, and a difference with its sign. {_EXAMPLES}."
        )
    number = float(found["number"].replace(" ", ""))
    if isinf(number):
        raise InvalidRule(
            f"rule {text!r}: the difference is not a finite number, so no run could break it. {_EXAMPLES}."
        )
    if number and (number > 0) != (found["sign"] == ">"):
        raise InvalidRule(
            f"rule {text!r} would block runs that are not worse: use + after > and - after <. {_EXAMPLES}."
        )
    subset = None if found["subset"] is None else found["subset"].strip()
    return Rule(
        text.strip(),
        found["metric"],
        subset,
        found["sign"],
        abs(number) / (100.0 if found["percent"] else 1.0),
        bool(found["percent"]),
    )
