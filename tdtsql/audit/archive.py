"""Archives: a store in one zip file that another machine can compute again, byte for byte the same each time it is
packed.

    SHA256SUMS          every other file with its sha256; the hash of this file is the root of the archive
    environment.json    versions of the programs that computed the numbers
    result/*.parquet    every number with its signature; follows from the tables
    release.json        of a release: its tag and its contents; RELEASE.md has the same as text
    table/*.parquet     the tables of the store
    sql/...             every definition, the profiles, versions.lock
    package/, own/      definitions of task packages, and the text of user-defined metrics

`parts` says what rows an archive has, `texts` what texts follow from them; packing writes them, and verifying makes
them again. The bytes of an archive follow from its contents (audit/container.py), and its ledger describes these
contents without history (`_entries`): evaluations with the same versions give identical archives.

Everything is checked that the archive itself can contradict: definitions, lock and profiles against those installed,
every table against the ledger in the archive, every number against its computation. An archive packed from other
tables with another ledger is valid too. Only its root, published elsewhere, or a signature (ssh-keygen:
docs/how-to/audit.md) identifies the archive that was meant.

A public archive (audit/public_archive.py) has numbers, counts and signatures, and neither decisions nor texts.
"""

import json
import platform
import zlib
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import numpy

from tdtsql.audit import container, public_archive
from tdtsql.audit.container import read, untrusted
from tdtsql.definitions.catalogue import is_definition, read_statement, sql_root
from tdtsql.definitions.empty import copy_into_file, copy_into_memory
from tdtsql.definitions.sets import IN_USE, Installed, stored, use, use_task
from tdtsql.definitions.table import shipped_tables, tables
from tdtsql.engine.duckdb import Engine, excessive_rows
from tdtsql.engine.quoting import parquet_source, quoted_path
from tdtsql.errors import InvalidArchive, counted, escape_control, verb
from tdtsql.output_file import check_writable, write_whole
from tdtsql.progress import Progress, silent
from tdtsql.scoring.recompute import derived_again, recompute
from tdtsql.store.contents import REGISTERED, contents_of, owners, profiles_of, stored_tables
from tdtsql.store.opening import check_store, edited_lock, is_current, made_with
from tdtsql.store.recording import (
    PROFILES,
    Entry,
    chained,
    computation_entries,
    distribution_entries,
    files_of,
)
from tdtsql.definitions.sets import is_installed
from tdtsql.store.define import check_safe, check_stored_own, create_package_tables, define_set
from tdtsql.store.sets import broken_packages, own_texts, package_set, recorded, set_entries, verify_ledger
from tdtsql.version import __version__

#: forms of an archive -> what they have
FORMS = {
    "whole": "Corpora, judgments, decisions and numbers. `tdtsql archive verify` recomputes every number.",
    "public": "Public: numbers, counts and signatures, and neither decisions nor texts. `tdtsql archive verify` says "
    "how far it can be computed again.",
}
ENVIRONMENT, RELEASE, WORDS = "environment.json", "release.json", "RELEASE.md"
#: relations of report that are in an archive
RESULTS = ("score", "block_score", "block_label", "leaderboard")


@dataclass(frozen=True, slots=True)
class Packed:
    """Contents of an archive."""

    root: str  #: hash of the list of its files
    n_file: int
    n_value: int
    n_byte: int
    reach: tuple[str, ...] = ()  #: of a public archive: what was checked of it, and what cannot be, in sentences
    words: str = ""  #: of a release: description of its contents
    own: tuple[str, ...] = ()  #: user-defined metrics, with version and hash


def parts(form: str, names: Collection[str]) -> list[str]:
    """Return the Parquet files of an archive; a public one has no names that a run gave.

    Args:
        names: the tables of the store.
    """
    is_public = form == "public"
    results = [name for name in RESULTS if not is_public or name != "block_label"]
    return [
        *(f"table/{name}.parquet" for name in (public_archive.TABLES if is_public else names)),
        *(f"result/{name}.parquet" for name in results),
    ]


def pack(
    engine: Engine, out: Path, *, tag: str | None = None, public: bool = False, progress: Progress = silent
) -> Packed:
    """Write a store into an archive.

    Args:
        tag: the name of a release; the archive then has a description of its contents.
        public: omit decisions and texts.

    Raises:
        InvalidArchive: numbers of the store are stale, or it disagrees with its ledger.
    """
    check_writable(out)
    if not is_current(engine):  # its views are its own
        raise InvalidArchive(
            f"{engine.path}: made with other definitions than those installed. `tdtsql score --db {engine.path}` "
            "updates it."
        )
    if stale := engine.value("select count(*) from report.stale"):
        raise InvalidArchive(f"{engine.path}: numbers of {stale} runs are not up to date. Run `tdtsql score` first.")
    check_store(engine, thorough=True)
    progress(1, 4, "checking the store")
    if broken := verify_ledger(engine):
        raise InvalidArchive(
            f"{engine.path}: {broken[0]} It is not archived: restore the file, or evaluate its bundle into a new store."
        )
    progress(2, 4, "writing tables, definitions and numbers")
    form = "public" if public else "whole"
    engine.make_temporary("renumbered", read_statement("archive/renumbered"))
    engine.make_temporary("archived_entry", "select unnest($rows, recursive := true)", {"rows": _entries(engine)})
    files = _definitions() | texts(engine, tag, form if tag is not None or public else "")
    files[ENVIRONMENT] = _as_json(_environment())
    for found in recorded(engine):
        said, here = (
            {"name": found.name, "version": found.version, "definitions": found.text},
            IN_USE.get(found.task.name),
        )
        files[f"package/{found.name}/definitions.json"] = _as_json(said)
        if here is not None and here.package is not None and here.sha256 == found.sha256:
            files |= {f"package/{found.name}/sql/{name}": data for name, data in _below(here.root).items()}
    with TemporaryDirectory() as folder:
        part = Path(folder) / "part.parquet"
        contents = {"files": parts(form, stored_tables(engine, list(tables()))), "form": form}
        for name, query in engine.rows(read_statement("archive/parts"), contents):
            engine.execute(f"copy ({query}) to {quoted_path(part)} (format parquet, compression zstd)")
            files[name] = part.read_bytes()
    progress(3, 4, "packing")
    data = container.container(files)
    write_whole(out, data)
    return _packed(engine, files, len(data))


def verify(path: Path, *, root: str | None = None, progress: Progress = silent) -> Packed:
    """Check every byte of an archive, and compute every number in it again.

    Args:
        path: the archive.
        root: the root printed by ``archive pack``; None checks the archive against itself.

    Raises:
        InvalidArchive: names the first divergence.
    """
    files = read(path)
    found = container.root(files)
    if root is not None and found != root:
        raise InvalidArchive(
            f"{path}: the root is {found[:16]}, and {root[:16]} was expected: this is another archive."
        )
    n_byte = sum(map(len, files.values())) if path.is_dir() else path.stat().st_size
    with untrusted(path):
        release = read_release(path, files)
        form = release["form"] if release else "whole"
        _check_files(path, files, form)
        with loaded(path, files) as engine:
            reach = _check_rows(engine, path, files, form, release, progress)
            return _packed(engine, files, n_byte, tuple(reach))


def unpack(path: Path, into: Path) -> str:
    """Create a store from an archive, after every byte was verified; numbers are not recomputed. Return its path.

    Raises:
        InvalidArchive: the archive is damaged, or of a version with other tables.
    """
    files = read(path)
    with untrusted(path):
        form = (read_release(path, files) or {"form": "whole"})["form"]
        lacking = set(parts(form, _tables_of(path, files))) - files.keys()
        if lacking:
            raise InvalidArchive(
                f"{path}: {min(lacking)} is not in it: it was packed by a version of tdtsql with other tables."
            )
        with loaded(path, files, str(into)):
            return str(into)


def read_release(path: Path, files: Mapping[str, bytes]) -> dict | None:
    """Return the contents that an archive declares; None if it is not a release.

    Raises:
        InvalidArchive: it cannot be read.
    """
    if RELEASE not in files:
        return None
    release = _read_json(files[RELEASE])
    if "form" in release and release["form"] in FORMS and isinstance(release.get("tag", 0), str | None):
        return release
    raise InvalidArchive(
        f"{path}: {RELEASE} does not say what the archive is. Name an archive that `tdtsql archive pack` wrote."
    )


@contextmanager
def written_parts(path: Path, engine: Engine, files: Mapping[str, bytes]) -> Iterator[dict[str, str]]:
    """Yield file -> relation in SQL, for the Parquet files among these.

    Raises:
        InvalidArchive: the rows of one do not fit its bytes.
    """
    with TemporaryDirectory() as folder:
        relations = {}
        for number, name in enumerate(name for name in files if name.endswith(".parquet")):
            part = Path(folder) / f"{number}.parquet"
            part.write_bytes(files[name])
            if wrong := excessive_rows(part, engine.connection):  # before its rows are read
                raise InvalidArchive(f"{path}: {name} {wrong}. It is not what was packed.")
            relations[name] = parquet_source(part)
        yield relations


# ---- its parts but the tables


def _definitions() -> dict[str, bytes]:
    """Return every file of the installation's definitions."""
    return {f"sql/{name}": data for name, data in _below(sql_root()).items() if is_definition(Path(name), Path())}


def _below(root: Path) -> dict[str, bytes]:
    """Return the files of definitions below a folder."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.suffix in (".sql", ".toml", ".lock")
    }


def texts(engine: Engine, tag: str | None, form: str) -> dict[str, bytes]:
    """Return the texts that follow from the tables: user-defined metrics, and of a release (``form`` is not empty) its
    contents for programs and for people.
    """
    files = {f"own/{view.partition('.')[2]}.sql": text.encode() for view, text in sorted(own_texts(engine).items())}
    if form:
        engine.make_temporary("archived_release", read_statement("archive/release"))
        lines = engine.column(read_statement("archive/words"), {"tag": tag, "form": FORMS[form]})
        files[WORDS] = escape_control("".join(f"{line}\n" for line in lines), keep="\n").encode()
        [release] = engine.records("from temp.archived_release")
        files[RELEASE] = _as_json({"tag": tag, "form": form} | release)
    return files


def _environment() -> dict[str, str]:
    return {
        "tdtsql": __version__,
        "duckdb": duckdb.__version__,
        "python": platform.python_version(),
        "numpy": numpy.__version__,
        "zlib": zlib.ZLIB_RUNTIME_VERSION,
        "system": platform.system(),
        "machine": platform.machine(),
        "libc": " ".join(platform.libc_ver()),
    }


def _entries(engine: Engine) -> list[dict]:
    """Return the entries of an archive's ledger: its contents in a fixed order and without times, where that of a store
    tells its history, which differs between people. They produce the contents from nothing: the definitions, the
    profiles, every load, every computation. The store's own ledger was verified, so none covers data that were changed.
    """
    made = dict(engine.rows("select item, value from registry.made_with where item <> 'catalog'"))
    entries: list[Entry] = [
        ("define", "store", made),
        ("content", PROFILES, {"profiles": profiles_of(engine)}),
        *(("define", subject, detail) for subject, detail in set_entries(engine).items()),
    ]
    places = owners(engine)
    contents, files = contents_of(engine, dict.fromkeys(places), places), files_of(engine, places)
    for owner in sorted(places, key=lambda owner: (list(REGISTERED).index(places[owner].column), owner)):
        entries.append(("load", owner, {**files[owner], "tables": contents[owner]}))
    numbers = dict(
        engine.rows("select old_no, new_no from temp.renumbered where kind = 'computation_no' order by new_no")
    )
    computed, fitted = computation_entries(engine, numbers), distribution_entries(engine, numbers)
    for old, new in numbers.items():
        entries += [
            (kind, subject, detail | {"computation_no": new})
            for kind, subject, detail in (computed[old], fitted[old])
            if detail.get("n_row", 1)
        ]
    return chained(entries, "-")


def _packed(engine: Engine, files: Mapping[str, bytes], n_byte: int, reach: tuple[str, ...] = ()) -> Packed:
    given = {"has_labels": "result/block_label.parquet" in files}
    [(n_value, own)] = engine.rows(read_statement("archive/packed"), given)
    words = files.get(WORDS, b"").decode()
    return Packed(container.root(files), len(files) + 1, n_value, n_byte, reach, words, tuple(own))


# ---- how it is checked


def _check_files(path: Path, files: Mapping[str, bytes], form: str) -> None:
    """Refuse an archive with other files than those that are packed, and to compute with other definitions, lock or
    profiles than those that were.
    """
    environment = _read_json(files.get(ENVIRONMENT, b""))
    if environment.keys() != _environment().keys() or not all(isinstance(one, str) for one in environment.values()):
        names = ", ".join(sorted(_environment()))
        raise InvalidArchive(f"{path}: {ENVIRONMENT} does not say what it was packed with ({names}).")
    made = environment["tdtsql"]
    expected: dict[str, bytes | None] = dict.fromkeys((*parts(form, _tables_of(path, files)), ENVIRONMENT))
    expected |= dict.fromkeys((RELEASE, WORDS)) if RELEASE in files else {}
    followed = ("own/", *(f"package/{found.name}/" for found in _packages_of(path, files)))  # compared with the tables
    _compare(
        path,
        {name: data for name, data in files.items() if name in expected or not name.startswith(followed)},
        expected | _definitions(),
        "is not what this installation has",
        f" It was packed by this version of tdtsql ({made}): restore it."
        if made == __version__
        else f" Install tdtsql {made} to verify it.",
    )


def _compare(
    path: Path, files: Mapping[str, bytes], expected: Mapping[str, bytes | None], different: str, advice: str = ""
) -> None:
    """Refuse files that are not all that are expected (None: with any contents)."""
    others = {name for name, data in expected.items() if data is not None and files.get(name) != data}
    for names, what in (
        (expected.keys() - files.keys(), "{} is not in it"),
        (files.keys() - expected.keys(), "{!r} does not belong into an archive"),
        (others, f"{{}} {different}"),
    ):
        if names:
            more = f" (and {len(names) - 1} more)" if len(names) > 1 else ""
            raise InvalidArchive(f"{path}: {what.format(min(names))}{more}.{advice}")


def _check_rows(
    engine: Engine,
    path: Path,
    files: Mapping[str, bytes],
    form: str,
    release: Mapping | None,
    progress: Progress,
) -> list[str]:
    """Compare tables with lock, ledger, texts and computation; return the limits of the check of a public archive."""
    only = None if form == "whole" else {*public_archive.TABLES} - {*public_archive.ROWS}
    broken = edited_lock(engine, made_with(engine), thorough=True) or [
        *(broken_packages(engine) if form == "whole" else ()),
        *verify_ledger(engine, only=only),
    ]
    if broken:
        raise InvalidArchive(f"{path}: {broken[0].removeprefix(':memory:: ')}")
    _compare(
        path,
        {name: data for name, data in files.items() if name.startswith("own/") or name in (RELEASE, WORDS)},
        texts(engine, release["tag"] if release else None, form if release else ""),
        "does not say what the archive's tables hold",
    )
    results = {name: data for name, data in files.items() if name.startswith("result/")}
    with written_parts(path, engine, results) as relations:
        for name, source in relations.items():
            now = f"from report.{Path(name).stem}"
            n_other = engine.value(
                f"select count(*) from (({now} except all from {source}) union all (from {source} except all {now}))"
            )
            if n_other:
                raise InvalidArchive(
                    f"{path}: {name} does not say what the archive's tables hold ({counted(n_other, 'row')})."
                )
    reach: list[str] = []
    if form == "whole":
        if broken := derived_again(engine):
            raise InvalidArchive(f"{path}: {broken[0]}")
        divergences = recompute(engine, progress=progress).divergences
    else:
        divergences, reach = public_archive.recompute(engine)
    if divergences:
        raise InvalidArchive(
            f"{path}: {divergences[0]} {counted(len(divergences), 'number')} {verb(len(divergences), 'differ')}."
        )
    return reach


def _packages_of(path: Path, files: Mapping[str, bytes]) -> list[Installed]:
    """Return the task packages of an archive, in use: its numbers are computed by its definitions of them.

    Raises:
        InvalidArchive: they cannot be read, do more than define relations, or differ from those installed.
    """
    packages = []
    for name in sorted(files):
        if not (name.startswith("package/") and name.endswith("/definitions.json") and name.count("/") == 2):
            continue
        with untrusted(path, name):
            said = json.loads(files[name])
            found = stored(said["name"], said["version"], said["definitions"])
            check_safe(found)
            use_task(found.task.name)
            if not is_installed(found):
                use(found)
        here = IN_USE[found.task.name]
        if here.sha256 != found.sha256:
            raise InvalidArchive(
                f"{path}: packed with {found.name} {found.version} ({found.sha256[:8]}), and {here.version} "
                f"({here.sha256[:8]}) is installed. Verify it with TDTSQL_TASKS=none, or install that version."
            )
        packages.append(found)
    return packages


def _tables_of(path: Path, files: Mapping[str, bytes]) -> list[str]:
    return [*shipped_tables(), *(name for found in _packages_of(path, files) for name in found.tables)]


@contextmanager
def loaded(path: Path, files: Mapping[str, bytes], into: str = ":memory:") -> Iterator[Engine]:
    """Yield a new store with the tables of the archive: of a public one, those that it has."""
    packages = _packages_of(path, files)
    if into != ":memory:":
        copy_into_file(into)
    engine = Engine(into)
    try:
        if into == ":memory:":
            copy_into_memory(engine)
        # rows that describe the store itself
        engine.execute(";\n".join(f"delete from {name}" for name in shipped_tables()))
        for found in packages:
            create_package_tables(engine, found)
        held = {name: files[name] for name in files if name.startswith("table/") and name[6:-8] in tables()}
        with written_parts(path, engine, held) as relations:
            for name, source in relations.items():
                with untrusted(path, f"{name} cannot be read"):
                    engine.execute(f"insert into {name[6:-8]} by name select * from {source}")
        definitions = engine.column("select definitions from registry.package order by package")
        if definitions != [found.text for found in packages]:
            raise InvalidArchive(f"{path}: registry.package does not say what package/ holds.")
        for found in packages:
            define_set(engine, package_set(IN_USE[found.task.name]))
        check_stored_own(engine)
        yield engine
    finally:
        engine.close()


def _as_json(value: object) -> bytes:
    return (json.dumps(value, sort_keys=True, ensure_ascii=False, indent=0, separators=(",", ":")) + "\n").encode()


def _read_json(data: bytes) -> dict:
    """Return the object that a file of an archive is; an empty one without a value."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
