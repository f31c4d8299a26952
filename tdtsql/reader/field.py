"""Single values of the TDT formats: numbers, decisions, levels.

Every function is strict and silent: it returns None for an invalid
text, and the caller reports it with its location.
"""

import re
from collections.abc import Sequence

#: an infinite confidence is stored as the largest finite double, so that it
#: still outranks every other score and every sum stays a number
LARGEST_FINITE = 1.7976931348623157e308


#: score of a story that the system said nothing about (plan, B.3)
OMITTED_SCORE = -9e99

#: how a decision may be written, in the spellings met most, see ``decision``
YES_NO = {"YES": True, "yes": True, "Yes": True, "NO": False, "no": False, "No": False}

LEVELS = ("yes", "brief", "no")

TASKS = {
    "tracking": "tracking",
    "first_story": "new_event",
    "link_detection": "link",
    "hierarchical_detection": "hierarchy",
    "hiearchical_detection": "hierarchy",  # NIST's program spells it so
}

_WORD = re.compile(r"[^\d\s]*[A-Za-z][^\d\s]*")


def real(text: str) -> float | None:
    """Return the number, which may be infinite; None for NaN or anything else."""
    try:
        number = float(text)
    except ValueError:
        return None
    if number != number or "_" in text or not text.isascii():
        return None
    return number


def natural(text: str) -> int | None:
    """Return the whole number >= 0 that the digits of ``text`` write, else None."""
    if text.isascii() and text.isdigit() and len(text) <= 18:
        return int(text)
    return None


def decision(text: str) -> bool | None:
    """Return True for yes and False for no, in any case, else None."""
    found = YES_NO.get(text)
    return YES_NO.get(text.upper()) if found is None else found


def level(text: str) -> str | None:
    """Return yes, brief or no, read in any case, else None."""
    lower = text.lower()
    return lower if lower in LEVELS else None


def looks_like_header(values: Sequence[str]) -> bool:
    """Return whether words stand where numbers should: ``score``, ``rank``, ``decision_time``."""
    return len(values) > 1 and all(
        _WORD.fullmatch(value) and value.lower() not in ("nan", "inf", "infinity") for value in values
    )


def split_source(path: str) -> tuple[str, str]:
    """Return (name, extension) of a source file: ``tkn/A_B.tkn`` is ``A_B``, ``tkn``."""
    name = path.rsplit("/", 1)[-1]
    stem, dot, extension = name.rpartition(".")
    return (stem, extension) if dot else (name, "")


def split_topic(digits: str, *, training_bits: str | None = None) -> tuple[str, str | None]:
    """Return (topic id, variant) of a topic number.

    A seven digit number is a five digit topic and the two digits that say which
    training stories count (variable Nt). With ``training_bits`` only a number
    that ends so is split, as NIST's program does for system output.
    """
    if len(digits) == 7 and (training_bits is None or digits.endswith(training_bits)):
        return digits[:5], digits[5:]
    return digits, None
