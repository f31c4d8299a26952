"""``sql/versions.lock``: what every published definition was when it was published.

One line per view, macro and shipped profile, sorted by name, in five columns:

    name   since   tokens   closure   bytes

The entry ``schema`` has the bytes of the tables' files, ``compiled`` those of the compiled definitions; the last line
is the sum of all lines above it. ``since`` is the release that published the definition, or ``unreleased``. A released
definition is restored, or continues as the next version. Views without a version (``report``, ``ledger``) show what
versioned views compute, and may grow. `tdtsql.build.lock` writes the file.
"""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from tdtsql.errors import BrokenDefinition
from tdtsql.definitions.catalogue import (
    COMPILED,
    NO_DEFINITIONS,
    PACKAGE_FILE,
    VERSION,
    Relation,
    closure,
    is_package,
    read_catalog,
    read_derived,
    sql_root,
)
from tdtsql.definitions.hashes import (
    bytes_hash,
    definition_hashes,
    digest,
    profile_hash,
    read_profiles,
    text_hash,
)
from tdtsql.definitions.macro import read_macros

FILE = "versions.lock"
UNRELEASED = "unreleased"
SCHEMA = "schema"
OF_COMPILED = "compiled"
#: command that writes the lock of tdtsql; packages have another one
_WRITE = "python -m tdtsql.build.lock --write"
SUM = "# sum "


@dataclass(frozen=True, slots=True)
class Entry:
    """One locked definition."""

    name: str
    since: str
    tokens: str
    closure: str
    file: str

    def __str__(self) -> str:
        return f"{self.name} {self.since} {self.tokens} {self.closure} {self.file}"


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One definition that differs from the lock."""

    name: str
    part: str  #: tokens, closure, new or gone
    locked: str
    found: str
    cause: str = ""  #: for closure: what it reads that has changed
    since: str = UNRELEASED

    def __str__(self) -> str:
        state = "is frozen" if self.since == UNRELEASED else f"was released in {self.since}"
        if self.name == OF_COMPILED:
            return f"tdtsql/compiled is not what was compiled from sql/ and the tasks. Restore it, or run `{_WRITE}`."
        if self.part == "new":
            return f"{self.name} is not in the lock (file {self.found[:8]}). Run `{_WRITE}`."
        if self.part == "gone":
            return (
                f"{self.name} {state} and its file is missing (lock {self.locked[:8]}). Restore it; a version that is "
                f"not used any more stays."
            )
        if self.part == "closure":
            return (
                f"{self.name} {state} and something it reads changed: {self.cause} (lock {self.locked[:8]}, now "
                f"{self.found[:8]}). {_way_out(self.name, self.since, read=True)}"
            )
        what = "its values" if self.name.startswith("profile.") else "its SQL"
        return (
            f"{self.name} {state} and {what} changed (lock {self.locked[:8]}, file {self.found[:8]}). "
            f"{_way_out(self.name, self.since)}"
        )


def _way_out(name: str, since: str, *, read: bool = False) -> str:
    if since == UNRELEASED:
        return f"Restore it, or take it up with `{_WRITE}` before it is released."
    if not is_kept(name):
        return (
            f"Restore it, or take it up with `{_WRITE}`: it has no version, and shows what "
            "views with a version compute."
        )
    if name.startswith("profile."):
        return "Restore it, or give the new values a new profile."
    if name.startswith("macro."):
        return "Restore it, or write another macro for the next versions to call."
    version = VERSION.search(name)
    following = f"{VERSION.sub('', name)}__v{int(version[1]) + 1 if version else 2}"
    return f"Restore {'that' if read else 'it'}, or copy it to {following}."


def is_kept(name: str) -> bool:
    """Return whether a definition stays as it was released."""
    return name.startswith(("macro.", "profile.")) or VERSION.search(name) is not None or name == SCHEMA


def read_lock(path: Path, *, check_sum: bool = True) -> dict[str, Entry]:
    """Return the entries of a lock file by name; empty if the file does not exist.

    Without ``check_sum`` a file with the marks of a merge is read too.

    Raises:
        BrokenDefinition: a line is not what ``--write`` writes, or the sum is wrong.
    """
    if not path.exists():
        return {}
    text = path.read_bytes().decode("utf-8", errors="replace")
    body, mark, total = text.rpartition(SUM)
    if check_sum and (not mark or total != f"{sum_of(body)}\n"):
        raise BrokenDefinition(
            f"{path}: the lock was edited, its last line is not the sum of the others. Restore the file."
        )
    entries: dict[str, Entry] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("#") or not line.strip():
            continue
        parts = line.split(" ")
        if not check_sum and len(parts) != 5:
            continue  # conflict markers of a merge: the entries of both sides are used
        if len(parts) != 5 or any(len(value) != 64 or set(value) - set("0123456789abcdef") for value in parts[2:]):
            raise BrokenDefinition(f"{path}:{number}: not an entry of the lock ({line[:60]!r}). Restore the file.")
        if parts[0] not in entries or parts[1] != UNRELEASED:
            entries[parts[0]] = Entry(*parts)
    return entries


def sum_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def current(root: Path, relations: dict[str, Relation] | None = None) -> dict[str, Entry]:
    """Return the lock of the definitions below ``root``, all as unreleased."""
    relations = relations or read_derived(root) | read_catalog(root)
    own, closures = definition_hashes(root, relations)
    hashes = {name: (own[name], closures[name], bytes_hash(relation.path)) for name, relation in relations.items()}
    for profile, columns in read_profiles(root).items():
        value = profile_hash(columns)
        hashes[f"profile.{profile}"] = value, value, bytes_hash(root / "profile" / f"{profile}.toml")
    macros = {} if is_package(root) else read_macros(root)
    for name, macro in macros.items():
        value = text_hash(macro.text)
        closure = digest(["macro", name, value, *(text_hash(macros[other].text) for other in macro.calls)])
        hashes[f"macro.{name}"] = value, closure, bytes_hash(macro.path)
    hashes |= {name: (value, value, value) for name, value in _of_files(root).items()}
    return {name: Entry(name, UNRELEASED, *three) for name, three in sorted(hashes.items())}


def _of_files(root: Path) -> dict[str, str]:
    """Return the hash of the files of the tables below ``root``, and of the compiled definitions where it has some."""
    paths = {SCHEMA: (root / "schema").glob("*.sql")}
    if root == sql_root():
        paths[OF_COMPILED] = COMPILED.glob("*")
    elif is_package(root):
        paths[OF_COMPILED] = root.glob(PACKAGE_FILE)
    return {name: digest(bytes_hash(path) for path in sorted(some) if path.is_file()) for name, some in paths.items()}


def verify(root: Path, *, allow_new: bool = False) -> list[Mismatch]:
    """Return every definition below ``root`` that differs from its lock.

    Args:
        root: the folder ``sql``.
        allow_new: leave out definitions that the lock does not know yet.
    """
    locked, relations = read_lock(root / FILE), read_derived(root) | read_catalog(root)
    now = current(root, relations)
    found: list[Mismatch] = []
    # tables may grow; the columns that a view reads are in its closure
    del now[SCHEMA]
    locked.pop(SCHEMA, None)
    changed = {name for name, entry in now.items() if name in locked and locked[name].tokens != entry.tokens}
    for name, entry in now.items():
        old = locked.get(name)
        if old is None:
            if not allow_new:
                found.append(Mismatch(name, "new", "", entry.tokens))
        elif old.tokens != entry.tokens:
            found.append(Mismatch(name, "tokens", old.tokens, entry.tokens, since=old.since))
        elif old.closure != entry.closure:
            found.append(
                Mismatch(
                    name,
                    "closure",
                    old.closure,
                    entry.closure,
                    _cause(name, relations, changed, locked, now),
                    old.since,
                )
            )
    found += [
        Mismatch(name, "gone", entry.tokens, "", since=entry.since) for name, entry in locked.items() if name not in now
    ]
    return sorted(found, key=lambda mismatch: (mismatch.part != "tokens", mismatch.name))


def _cause(
    name: str, relations: dict[str, Relation], changed: set[str], locked: dict[str, Entry], now: dict[str, Entry]
) -> str:
    """Return the changed views below ``name``, or the tables it reads."""
    if name not in relations:
        return "a macro that it calls"
    below = set(closure(relations, relations[name].header.inputs))
    if below & changed:
        return ", ".join(sorted(below & changed))
    moved = sorted(read for read in below if read in locked and locked[read].closure != now[read].closure)
    tables = sorted(
        {read for view in [name, *moved] for read in relations[view].header.inputs if read not in relations}
    )
    return f"a column of {' or '.join(tables)}" if tables else "its inputs"


def check(root: Path | None = None) -> None:
    """Refuse definitions that are not what was published; quick when no file has changed.

    Args:
        root: the folder ``sql``; None: the installed one.

    Raises:
        BrokenDefinition: a locked definition has changed or is missing, and the message lists all; or the lock is.
    """
    root = root or sql_root()
    if root == sql_root() and root.is_dir() and not (root / FILE).exists():
        raise BrokenDefinition(
            f"{root / FILE} is missing: nothing says what the definitions are. Install tdtsql again."
        )
    found = [] if unchanged(root) else verify(root, allow_new=True)
    if found:
        said = "\n".join(str(mismatch) for mismatch in found)
        raise BrokenDefinition(said if root == sql_root() else said.replace(_WRITE, "tdtsql task lock FOLDER"))


def _files(root: Path) -> dict[str, str]:
    """Return file -> the name of its definition, of views, macros and profiles."""
    files = {str(path): f"profile.{path.stem}" for path in (root / "profile").glob("*.toml")}
    for schema in root.iterdir() if root.is_dir() else ():
        if schema.name in (SCHEMA, "load", *NO_DEFINITIONS) or not schema.is_dir():
            continue
        for folder, _, names in os.walk(schema):  # every command asks: a Path for each file would take half of the time
            inside = folder[len(str(schema)) + 1 :].split(os.sep) if len(folder) > len(str(schema)) else []
            for name in names:
                if name.endswith(".sql"):
                    files[os.path.join(folder, name)] = (
                        f"{schema.name}.{'_'.join([*inside, name.removesuffix('.sql')])}"
                    )
    return files


def unlisted() -> list[str]:
    """Return the installed files of definitions that the lock does not list, which are left out."""
    root = sql_root()
    locked = read_lock(root / FILE)
    kinds = {name.partition(".")[0] for name in locked}  # not sql/audit and sql/query, which decide no number
    new = {path: name for path, name in _files(root).items() if name not in locked and name.partition(".")[0] in kinds}
    return sorted(f"sql/{Path(path).relative_to(root).as_posix()}" for path in new)


def unchanged(root: Path) -> bool:
    """Return True when every locked file still has the bytes that were locked."""
    locked = read_lock(root / FILE)
    if not locked:
        return False
    files, own = _files(root), _of_files(root)
    if set(locked) - set(files.values()) != set(own) or any(locked[name].file != value for name, value in own.items()):
        return False
    return all(locked[name].file == bytes_hash(path) for path, name in files.items() if name in locked)
