"""Archives: a store in one zip file that another machine can compute again, byte for byte the same each time it is
packed.

    SHA256SUMS          every other file with its sha256; the hash of this file is the root of the archive
    environment.json    versions of the programs that computed the numbers
    result/*.parquet    every number with its signature; follows from the tables
    release.json        of a release: its tag and its contents; RELEASE.md has the same as text
    table/*.parquet     the tables of the store
    sql/...             every definition, the profiles, versions.lock

The bytes of an archive follow from its contents (audit/container.py), and its ledger describes these contents without
history (audit/archived_ledger.py): evaluations with the same versions give identical archives.

Everything is checked that the archive itself can contradict: definitions, lock and profiles against those installed,
every table against the ledger in the archive, every number against its computation. An archive packed from other
tables with another ledger is valid too. Only its root, published elsewhere, or a signature (ssh-keygen:
docs/how-to/audit.md) identifies the archive that was meant.

A public archive (audit/public_archive.py) has numbers, counts and signatures, and neither decisions nor texts.
"""

import json
import platform
import re
import zlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType

import duckdb
import numpy

from tdtsql.audit import archived_ledger, container, public_archive
from tdtsql.audit.container import as_json, first_difference, read, read_with_root, written_parts
from tdtsql.audit.release import PUBLIC, RELEASE, WHOLE, WORDS, described, describe_release, read_release
from tdtsql.engine.duckdb import Engine, first_line
from tdtsql.engine.quoting import parquet_source, quoted_path
from tdtsql.errors import BrokenDefinition, InvalidArchive, counted, verb
from tdtsql.definitions.sets import IN_USE, Installed, stored, use, use_task
from tdtsql.definitions.catalogue import is_definition, sql_root
from tdtsql.definitions.table import shipped_tables, tables
from tdtsql.output_file import check_writable, write_whole
from tdtsql.progress import Progress, silent
from tdtsql.store.contents import stored_tables
from tdtsql.store.definitions import check_store, edited_lock, is_current, made_with
from tdtsql.definitions.empty import copy_into_memory
from tdtsql.definitions.check import PREFIX
from tdtsql.store.sets import check_stored_own, own_texts, verify_ledger
from tdtsql.scoring.recompute import derived_again, recompute
from tdtsql.store.sets import (
    broken_packages,
    check_safe,
    create_package_tables,
    define_package,
    is_installed,
    recorded,
)
from tdtsql.definitions.create import create_tables, create_views
from tdtsql.version import __version__

_ENVIRONMENT = {"tdtsql", "duckdb", "python", "numpy", "zlib", "system", "machine", "libc"}


#: folders of an archive with the definitions of task packages, and of user-defined metrics
PACKAGE_FOLDER, OWN_FOLDER = "package", "own"


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


def pack(
    engine: Engine,
    out: Path,
    *,
    tag: str | None = None,
    public: bool = False,
    progress: Progress = silent,
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
    stale = engine.value("select count(*) from report.stale")
    if stale:
        raise InvalidArchive(f"{engine.path}: numbers of {stale} runs are not up to date. Run `tdtsql score` first.")
    check_store(engine, thorough=True)
    progress(1, 4, "checking the store")
    archived_ledger.check(engine)
    progress(2, 4, "writing tables, definitions and numbers")
    form = PUBLIC if public else WHOLE
    if public:
        files = _table_files(engine, public_archive.TABLES, public_archive.ROWS)
    else:
        files = _table_files(engine, stored_tables(engine, list(tables())), _LEFT_OUT)
    files |= _definitions()
    files |= _package_files(engine)
    files |= _own(engine)
    files |= parquet(engine, {name: f"{RESULTS[name]} order by all" for name in _results(form)})
    if tag is not None or public:
        files |= released(engine, tag, form)
    files["environment.json"] = as_json(
        {
            "tdtsql": __version__,
            "duckdb": duckdb.__version__,
            "python": platform.python_version(),
            "numpy": numpy.__version__,
            "zlib": zlib.ZLIB_RUNTIME_VERSION,
            "system": platform.system(),
            "machine": platform.machine(),
            "libc": " ".join(platform.libc_ver()),
        }
    )
    progress(3, 4, "packing")
    data = container.container(files)
    write_whole(out, data)
    return Packed(
        container.root(files),
        len(files) + 1,
        _n_value(engine, form),
        len(data),
        words=files.get(WORDS, b"").decode(),
    )


def verify(path: Path, *, root: str | None = None, progress: Progress = silent) -> Packed:
    """Check every byte of an archive, and compute every number in it again.

    Args:
        path: the archive.
        root: the root printed by ``archive pack``; None checks the archive against itself.

    Raises:
        InvalidArchive: names the first divergence.
    """
    files, found = read_with_root(path)
    if root is not None and found != root:
        raise InvalidArchive(
            f"{path}: the root is {found[:16]}, and {root[:16]} was expected: this is another archive."
        )
    release = read_release(path, files)
    form = release["form"] if release else WHOLE
    _same_definitions(path, files, form)
    try:
        n_value, reach, own = _verify_tables(path, files, form, release, progress)
    except (duckdb.Error, LookupError, TypeError, ValueError, ArithmeticError, RecursionError) as error:
        raise InvalidArchive(f"{path}: its tables cannot be those of a store: {first_line(error)}.") from None
    n_byte = sum(map(len, files.values())) if path.is_dir() else path.stat().st_size
    return Packed(found, len(files) + 1, n_value, n_byte, reach, files.get(WORDS, b"").decode(), own)


def _verify_tables(
    path: Path,
    files: Mapping[str, bytes],
    form: str,
    release: Mapping | None,
    progress: Progress,
) -> tuple[int, tuple[str, ...], tuple[str, ...]]:
    """Compare the tables with lock, ledger and computation; return the count of numbers, the limits of the check and
    the user-defined metrics.
    """
    engine = load(path, files)
    try:
        only = None if form == WHOLE else set(public_archive.TABLES) - public_archive.ROWS.keys()
        broken = edited_lock(engine, made_with(engine), thorough=True) or [
            *(broken_packages(engine) if form == WHOLE else ()),
            *verify_ledger(engine, only=only),
        ]
        if broken:
            raise InvalidArchive(f"{path}: {broken[0].removeprefix(':memory:: ')}")
        follows = _own(engine)
        if release:
            follows |= released(engine, release["tag"], form)
        if more := [name for name in files if name.startswith(f"{OWN_FOLDER}/") and name not in follows]:
            raise InvalidArchive(f"{path}: {more[0]!r} is no metric of registry.own_metric{_others(more)}.")
        for name, data in follows.items():
            if name not in files:
                raise InvalidArchive(f"{path}: {name} is not in it.")
            if data != files[name]:
                raise InvalidArchive(
                    f"{path}: {name} does not say what the archive's tables hold{first_difference(files[name], data)}."
                )
        _check_results(engine, path, files, form)
        n_value = _n_value(engine, form)
        reach: tuple[str, ...] = ()
        if form == WHOLE:
            if broken := derived_again(engine):
                raise InvalidArchive(f"{path}: {broken[0]}")
            divergences = recompute(engine, progress=progress).divergences
        else:
            divergences, reach = public_archive.recompute(engine)
        if divergences:
            raise InvalidArchive(
                f"{path}: {divergences[0]} {counted(len(divergences), 'number')} {verb(len(divergences), 'differ')}."
            )
        own = tuple(
            f"{PREFIX}{name} v{version} ({closure[:8]})"
            for name, version, closure in engine.rows(
                "select name, version, closure_sha256 from registry.own_metric order by name, version"
            )
        )
    finally:
        engine.close()
    return n_value, reach, own


#: tables none of whose rows is in an archive: computed again on request, or of what is no longer current
_LEFT_OUT = dict.fromkeys(("ledger.result_comparison", "ledger.past_score"), "false")


def _table_files(
    engine: Engine, names: Collection[str], rows: Mapping[str, str] = MappingProxyType({})
) -> dict[str, bytes]:
    """Return the files of tables; ``rows``: table -> SQL of those of its rows that are in the archive."""
    queries = {
        f"table/{name}.parquet": archived_ledger.query(name, rows.get(name, "true"))
        for name in names
        if name != "ledger.entry"
    }
    return parquet(engine, queries) | {"table/ledger.entry.parquet": archived_ledger.entry_file(engine)}


def parquet(engine: Engine, queries: Mapping[str, str]) -> dict[str, bytes]:
    """Return file -> the rows of a query as Parquet."""
    with TemporaryDirectory() as folder:
        part = Path(folder) / "part.parquet"
        files = {}
        for name, query in queries.items():
            engine.execute(f"copy ({query}) to {quoted_path(part)} (format parquet, compression zstd)")
            files[name] = part.read_bytes()
        return files


def released(engine: Engine, tag: str | None, form: str) -> dict[str, bytes]:
    """Return the files that describe the contents of a release, for programs and for people."""
    release = described(engine, tag, form)
    return {RELEASE: as_json(release), WORDS: describe_release(release).encode()}


#: file -> the query of the numbers in it, by name
RESULTS = {
    "result/score.parquet": "from report.score",
    "result/block_score.parquet": "from report.block_score",
    "result/block_label.parquet": "from report.block_label",
    "result/leaderboard.parquet": "from report.leaderboard",
}


def _results(form: str) -> list[str]:
    """Return the files of numbers: a public archive has no names that a run gave."""
    return [name for name in RESULTS if form == WHOLE or "label" not in name]


def _n_value(engine: Engine, form: str) -> int:
    stored = [name for name in _results(form) if "leaderboard" not in name]
    return sum(engine.value(f"select count(*) {RESULTS[name]}") for name in stored)


def _own(engine: Engine) -> dict[str, bytes]:
    """Return the text of user-defined metrics."""
    return {
        f"{OWN_FOLDER}/{view.partition('.')[2]}.sql": text.encode() for view, text in sorted(own_texts(engine).items())
    }


def _check_results(engine: Engine, path: Path, files: Mapping[str, bytes], form: str) -> None:
    """Refuse numbers that are not those of the tables."""
    with TemporaryDirectory() as folder:
        parts = written_parts(engine, {Path(name).stem: files[name] for name in _results(form)}, Path(folder))
        for name in _results(form):
            source = f"from {parquet_source(parts[Path(name).stem])}"
            n_other = engine.value(
                f"select count(*) from (({RESULTS[name]} except all {source}) union all "
                f"({source} except all {RESULTS[name]}))"
            )
            if n_other:
                raise InvalidArchive(
                    f"{path}: {name} does not say what the archive's tables hold ({counted(n_other, 'row')})."
                )


def _same_definitions(path: Path, files: Mapping[str, bytes], form: str) -> None:
    """Refuse an archive with other files than those that are packed, and to compute with other definitions, lock or
    profiles than those that were.
    """
    made = _environment(path, files).get("tdtsql")
    definitions = _definitions()
    packages = _archived_packages(path, files)
    of_packages = [table for found in packages for table in found.tables]
    names = public_archive.TABLES if form == PUBLIC else [*shipped_tables(), *of_packages]
    expected = {
        *(name for name in files if name.startswith(tuple(f"{PACKAGE_FOLDER}/{found.name}/" for found in packages))),
        *definitions,
        *(name for name in files if name.startswith(f"{OWN_FOLDER}/")),  # compared with the tables
        *(f"table/{name}.parquet" for name in names),
        *_results(form),
        "environment.json",
        *({RELEASE, WORDS} if RELEASE in files else ()),
    }
    lacking, more = sorted(expected - files.keys()), sorted(files.keys() - expected)
    different = sorted(name for name, data in definitions.items() if name in files and files[name] != data)
    advice = (
        f"It was packed by this version of tdtsql ({__version__}): restore it."
        if made == __version__
        else f"Install tdtsql {made} to verify it."
    )
    if lacking:
        raise InvalidArchive(f"{path}: {lacking[0]} is not in it{_others(lacking)}. {advice}")
    if more:
        raise InvalidArchive(f"{path}: {more[0]!r} does not belong into an archive{_others(more)}. {advice}")
    if different:
        raise InvalidArchive(f"{path}: {different[0]} is not what this installation has{_others(different)}. {advice}")


def _package_files(engine: Engine) -> dict[str, bytes]:
    """Return the definitions of the task packages of a store: as it recorded them, and their files where installed."""
    files = {}
    for found in recorded(engine):
        folder = f"{PACKAGE_FOLDER}/{found.name}"
        files[f"{folder}/definitions.json"] = as_json(
            {"name": found.name, "version": found.version, "definitions": found.text}
        )
        here = IN_USE.get(found.task.name)
        if here is not None and here.package is not None and here.sha256 == found.sha256:
            root = here.root
            for path in sorted(root.rglob("*")):
                if path.is_file() and path.suffix in (".sql", ".toml", ".lock"):
                    files[f"{folder}/sql/{path.relative_to(root).as_posix()}"] = path.read_bytes()
    return files


def _archived_packages(path: Path, files: Mapping[str, bytes]) -> list[Installed]:
    """Return the task packages of an archive, in use: its numbers are computed by its definitions of them.

    Raises:
        InvalidArchive: they cannot be read, do more than define relations, or differ from those installed.
    """
    packages = []
    for name in sorted(files):
        if not re.fullmatch(rf"{PACKAGE_FOLDER}/[^/]+/definitions\.json", name):
            continue
        try:
            said = json.loads(files[name])
            found = stored(said["name"], said["version"], said["definitions"])
            check_safe(found)
            use_task(found.task.name)
            if not is_installed(found):
                use(found)
        except (BrokenDefinition, LookupError, TypeError, ValueError, AttributeError) as error:
            raise InvalidArchive(f"{path}: {name}: {first_line(error)}.") from None
        here = IN_USE[found.task.name]
        if here.sha256 != found.sha256:
            raise InvalidArchive(
                f"{path}: packed with {found.name} {found.version} ({found.sha256[:8]}), and {here.version} "
                f"({here.sha256[:8]}) is installed. Verify it with TDTSQL_TASKS=none, or install that version."
            )
        packages.append(found)
    return packages


def _others(names: list[str]) -> str:
    return f" (and {len(names) - 1} more)" if len(names) > 1 else ""


def _environment(path: Path, files: Mapping[str, bytes]) -> dict[str, str]:
    """Return the environment in which an archive was packed."""
    try:
        environment = json.loads(files["environment.json"])
    except (KeyError, ValueError, RecursionError):
        environment = None
    if (
        not isinstance(environment, dict)
        or environment.keys() != _ENVIRONMENT
        or not all(isinstance(value, str) for value in environment.values())
    ):
        raise InvalidArchive(
            f"{path}: environment.json does not say what it was packed with ({', '.join(sorted(_ENVIRONMENT))})."
        )
    return environment


def _definitions() -> dict[str, bytes]:
    """Return every file of the installation's definitions, as it is packed."""
    root = sql_root()
    return {
        f"sql/{path.relative_to(root).as_posix()}": path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and is_definition(path, root)
    }


def unpack(path: Path, into: Path) -> str:
    """Create a store from an archive, after every byte was verified; numbers are not recomputed. Return its
    path.

    Raises:
        InvalidArchive: the archive is damaged, or of a version with other tables.
    """
    files = read(path)
    packages = _archived_packages(path, files)
    names = [*shipped_tables(), *(table for found in packages for table in found.tables)]
    lacking = [name for name in (f"table/{table}.parquet" for table in names) if name not in files]
    if lacking:
        raise InvalidArchive(
            f"{path}: {lacking[0]} is not in it{_others(lacking)}: it was packed by a version of tdtsql with other "
            f"tables."
        )
    load(path, files, str(into)).close()
    return str(into)


def load(path: Path, files: Mapping[str, bytes], into: str = ":memory:") -> Engine:
    """Return a new store with the tables of the archive."""
    engine = Engine(into)
    if into == ":memory:":
        copy_into_memory(engine)
        # rows that describe the store itself
        engine.execute(";\n".join(f"delete from {name}" for name in shipped_tables()))
    else:
        create_tables(engine)
        create_views(engine)
    packages = _archived_packages(path, files)
    for found in packages:
        create_package_tables(engine, found)
    with TemporaryDirectory() as folder:
        # a public archive has not all of them
        held = {name: files[f"table/{name}.parquet"] for name in tables() if f"table/{name}.parquet" in files}
        for name, data in held.items():
            try:
                [part] = written_parts(engine, {name: data}, Path(folder)).values()
                engine.execute(f"insert into {name} by name select * from {parquet_source(part)}")
            except (InvalidArchive, duckdb.Error) as error:
                engine.close()
                said = first_line(error).replace(f"{folder}/", "")
                said = (
                    f"table/{said}"
                    if isinstance(error, InvalidArchive)
                    else f"table/{name}.parquet cannot be read: {said}."
                )
                raise InvalidArchive(f"{path}: {said}") from None
    definitions = engine.rows("select definitions from registry.package order by package")
    if definitions != [(found.text,) for found in packages]:
        engine.close()
        raise InvalidArchive(f"{path}: registry.package does not say what {PACKAGE_FOLDER}/ holds.")
    for found in packages:
        define_package(engine, IN_USE[found.task.name])
    try:
        check_stored_own(engine)
    except BrokenDefinition as error:
        engine.close()
        raise InvalidArchive(f"{path}: {error}.") from None
    return engine
