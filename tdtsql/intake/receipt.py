"""What the files of a bundle were when they were read into a store: a note in the user's cache folder, none in the
store.

Where the bundle, every file that was read or looked for, and the store's ledger are as the note says, reading them
again
would change nothing. Of files their device, inode, size and two times are compared, as git does; who wants every byte
to
be looked at again asks for it (`evaluate --rehash`).
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from pathlib import Path

from tdtsql.cache import cache_folder, installed_key, keep_newest, own_folder, read_own, stat_of, write_own
from tdtsql.errors import Problem
from tdtsql.intake.inputs import Inputs
from tdtsql.metric.fingerprint import digest
from tdtsql.version import __version__

#: notes that are kept
LIMIT = 200
#: a file written so shortly before it was read may have been written again within one tick of its clock
_SECONDS = 2.0


@dataclass(slots=True)
class Receipt:
    """What one evaluation read and said."""

    owners: list[str]  #: what was loaded, or had not changed
    warnings: list[Problem]
    notes: list[str]
    n_file: int = 0  #: files that were read
    n_byte: int = 0
    sought: list[tuple[str, list[int] | None]] = field(default_factory=list)  #: path, and what was there
    patterns: list[tuple[str, str, list[str]]] = field(default_factory=list)  #: folder, pattern of names, what it found

    @property
    def is_current(self) -> bool:
        """Whether the files are those that were read, and what was not there is still not there."""
        return all(stat_of(Path(path)) == (tuple(state) if state else None) for path, state in self.sought) and all(
            {path.relative_to(folder).as_posix() for path in Path(folder).glob(pattern) if path.is_file()} == set(found)
            for folder, pattern, found in self.patterns
        )


def receipt_of(bundle: Path, inputs: Iterable[Inputs], started: float, **said) -> Receipt | None:
    """Return the note of an evaluation that began at ``started`` (seconds since 1970); None where a file was too fresh
    to be sure of it.
    """
    every = list(inputs)
    sought = {path: state for one in every for path, state in one.sought.items()} | {bundle: stat_of(bundle)}
    there = [state for state in sought.values() if state is not None]
    if any(max(state[3:]) > (started - _SECONDS) * 1e9 for state in there):
        return None
    files = [(str(path.absolute()), list(state) if state else None) for path, state in sought.items()]
    patterns = [
        (str(one.folder.absolute()), pattern, found) for one in every for pattern, found in one.patterns.items()
    ]
    return Receipt(**said, n_file=len(there), n_byte=sum(state[2] for state in there), sought=files, patterns=patterns)


def write_receipt(place: Path, receipt: Receipt, ledger: str) -> None:
    """Keep a note, with the hash of the ledger's last entry."""
    try:
        if own_folder(cache_folder()) and own_folder(place.parent):
            write_own(
                place,
                json.dumps(
                    {"ledger": ledger, "installed": _installed(), "receipt": _values(receipt)},
                    ensure_ascii=False,
                    default=_values,
                ),
            )
            keep_newest(place.parent, "*", LIMIT)
    except (OSError, UnicodeError):
        pass


def read_receipt(place: Path, ledger: str) -> Receipt | None:
    """Return the note of a bundle whose files, and of a store whose ledger, are what they were; None where something
    else is there.
    """
    text = read_own(place)
    if text is None:
        return None
    try:
        found = json.loads(text)
        owners, warnings, *others = found["receipt"]
        receipt = Receipt(owners, [Problem(*problem) for problem in warnings], *others)
    except (ValueError, TypeError, KeyError):
        return None
    if found["ledger"] != ledger or found["installed"] != _installed():
        return None
    return receipt if receipt.is_current else None


def _values(item: Receipt | Problem) -> list:
    return [getattr(item, one.name) for one in fields(item)]


def place_of(bundle: Path, store: str, *options: object) -> Path:
    """Return where the note of a bundle and a store is kept."""
    return cache_folder() / "receipts" / digest(["receipt", str(bundle.absolute()), store, *map(str, options)])[:40]


def _installed() -> str:
    return digest([__version__, installed_key()])
