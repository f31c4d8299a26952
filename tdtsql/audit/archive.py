"""Archives: a store in one zip file that another machine can compute again, byte for byte the same each time it is packed.

    manifest.json       every file with its sha256, and the Merkle root over them
    environment.json    versions the numbers were made with
    inputs.json         input files as given: path, size, sha256, reader, problems accepted
    results.json        every number: 17 digits and hexadecimal
    table/*.parquet     the tables of the store
    sql/...             every definition, the profiles, versions.lock

Files are stored, not compressed again, with a fixed date, in the order of their names:
the archive's bytes follow from their contents, so a flipped byte anywhere shows.

All that can be held against something is: definitions, lock and profiles against those installed, every table against the
ledger in the archive, every number against its computation. Whoever packs other tables with
another ledger makes another sound archive: that it is the one that was meant is said only by its Merkle root, told elsewhere, or by
a signature (audit/ssh_signature.py).
"""

import hashlib
import io
import json
import platform
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import numpy

from tdtsql.engine.duckdb import Engine, first_line
from tdtsql.engine.quoting import quoted
from tdtsql.errors import InvalidArchive
from tdtsql.metric.catalog import sql_root
from tdtsql.metric.ddl import tables
from tdtsql.store.ledger import verify_chain
from tdtsql.store.definitions import check_store, edited_lock, made_with
from tdtsql.scoring.recompute import recompute
from tdtsql.store.schema import create_tables, create_views
from tdtsql.version import __version__

FORMAT = "tdtsql archive 1"
MANIFEST = "manifest.json"
_DATE = (1980, 1, 1, 0, 0, 0)
_ENVIRONMENT = {"tdtsql", "duckdb", "python", "numpy", "system", "machine", "libc"}


@dataclass(frozen=True, slots=True)
class Packed:
    """What an archive holds."""

    root: str  #: Merkle root over all files but the manifest
    n_file: int
    n_value: int
    n_byte: int


def pack(engine: Engine, out: Path, *, progress: Callable[[int, int, str], None] | None = None) -> Packed:
    """Write a store into an archive.

    Raises:
        InvalidArchive: numbers of the store are not up to date.
    """
    stale = engine.value("select count(*) from report.stale")
    if stale:
        raise InvalidArchive(f"{engine.path}: numbers of {stale} runs are not up to date. Run `tdtsql score` first.")
    tell = progress or (lambda *_: None)
    check_store(engine, thorough=True)
    engine.bring_decisions()
    tell(1, 4, "writing tables")
    files = _table_files(engine)
    tell(2, 4, "writing definitions and numbers")
    files |= _definitions()
    files |= _derived(engine)
    files["environment.json"] = _json({
        "tdtsql": __version__, "duckdb": duckdb.__version__, "python": platform.python_version(), "numpy": numpy.__version__,
        "system": platform.system(), "machine": platform.machine(), "libc": " ".join(platform.libc_ver()),
    })
    tell(3, 4, "packing")
    data = container(files)
    out.write_bytes(data)
    return Packed(merkle_root(files), len(files) + 1, json.loads(files["results.json"])["n_value"], len(data))


def verify(path: Path, *, root: str | None = None, progress: Callable[[int, int, str], None] | None = None) -> Packed:
    """Check every byte of an archive, and compute every number in it again.

    Args:
        path: the archive.
        root: the Merkle root that was told when it was packed; None checks the archive against itself.

    Raises:
        InvalidArchive: names the first divergence.
    """
    files = read(path)
    found = merkle_root(files)
    if root is not None and found != root:
        raise InvalidArchive(f"{path}: the Merkle root is {found[:16]}, and {root[:16]} was expected: this is another archive.")
    _same_definitions(path, files)
    try:
        n_value = _verify_tables(path, files, progress)
    except (duckdb.Error, LookupError, TypeError, ValueError, ArithmeticError, RecursionError) as error:
        raise InvalidArchive(f"{path}: its tables cannot be those of a store: {first_line(error)}.") from None
    return Packed(found, len(files) + 1, n_value, path.stat().st_size)


def _verify_tables(path: Path, files: Mapping[str, bytes], progress: Callable[[int, int, str], None] | None) -> int:
    """Hold what the tables hold against lock, ledger and computation; returns how many numbers there are."""
    engine = _load(path, files)
    try:
        for name, data in _derived(engine).items():
            if data != files[name]:
                raise InvalidArchive(f"{path}: {name} does not say what the archive's tables hold{_first_difference(files[name], data)}.")
        broken = edited_lock(engine, made_with(engine), thorough=True) or verify_chain(engine)
        if broken:
            raise InvalidArchive(f"{path}: {broken[0].removeprefix(':memory:: ')}")
        outcome = recompute(engine, progress=progress)
        if outcome.divergences:
            raise InvalidArchive(f"{path}: {outcome.divergences[0]} {len(outcome.divergences)} numbers differ.")
    finally:
        engine.close()
    return json.loads(files["results.json"])["n_value"]


def read(path: Path) -> dict[str, bytes]:
    """Return the files of an archive but the manifest, after every byte of it was accounted for.

    Raises:
        InvalidArchive: names the file, or the place, where the first byte is not what it should be.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InvalidArchive(f"{path}: cannot be read: {error.strerror}. Name an archive that `tdtsql archive pack` wrote.") from None
    files: dict[str, bytes] = {}
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            # nothing in an archive is compressed by zip, so what it holds is no more than the file: a bomb is refused before it is read
            if any(entry.compress_type != zipfile.ZIP_STORED for entry in archive.infolist()) or sum(entry.file_size for entry in archive.infolist()) > len(data):
                raise InvalidArchive(f"{path}: a file in it is compressed, or two share their bytes. It is not what was packed.")
            for name in archive.namelist():
                try:
                    files[name] = archive.read(name)
                except (zipfile.BadZipFile, ValueError, RuntimeError, NotImplementedError, OverflowError, EOFError):
                    raise InvalidArchive(f"{path}: {name} is damaged: its bytes are not those that were packed.") from None
    except InvalidArchive:
        raise
    except Exception as error:  # a damaged directory: zipfile raises what it likes
        raise InvalidArchive(f"{path}: the directory of the zip file is damaged ({type(error).__name__}). It is not what was packed.") from None
    if MANIFEST not in files:
        raise InvalidArchive(f"{path}: {MANIFEST} is not there. Name an archive that `tdtsql archive pack` wrote.")
    manifest = files.pop(MANIFEST)
    try:
        listed = {entry["name"]: entry["sha256"] for entry in json.loads(manifest)["files"]}
    except (ValueError, KeyError, TypeError, RecursionError):
        raise InvalidArchive(f"{path}: {MANIFEST} is damaged.") from None
    for name in sorted(map(str, listed.keys() | files.keys())):
        if name not in files:
            raise InvalidArchive(f"{path}: {name} is listed in {MANIFEST} and not there.")
        if name not in listed:
            raise InvalidArchive(f"{path}: {name} was added: {MANIFEST} does not list it.")
        if hashlib.sha256(files[name]).hexdigest() != listed[name]:
            raise InvalidArchive(f"{path}: {name} is not what was packed (listed {listed[name][:8]}, found {hashlib.sha256(files[name]).hexdigest()[:8]}).")
    if manifest != manifest_of(files):
        raise InvalidArchive(f"{path}: {MANIFEST} is not what was packed{_first_difference(manifest, manifest_of(files))}.")
    if data != container(files):
        raise InvalidArchive(f"{path}: the zip file itself is not what was packed{_first_difference(data, container(files))}: header, date or order of a file.")
    return files


def container(files: Mapping[str, bytes]) -> bytes:
    """Return the bytes of an archive of these files, manifest first."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for name, data in [(MANIFEST, manifest_of(files)), *sorted(files.items())]:
            entry = zipfile.ZipInfo(name, _DATE)
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    return stream.getvalue()


def manifest_of(files: Mapping[str, bytes]) -> bytes:
    """Return the manifest of these files."""
    listed = [{"name": name, "n_byte": len(data), "sha256": hashlib.sha256(data).hexdigest()} for name, data in sorted(files.items())]
    return _json({"format": FORMAT, "merkle_root": merkle_root(files), "files": listed})


def merkle_root(files: Mapping[str, bytes]) -> str:
    """Return the root of the hash tree over the files, sorted by name; an odd node goes up alone."""
    level = [hashlib.sha256(b"\0" + name.encode() + b"\0" + hashlib.sha256(data).digest()).digest() for name, data in sorted(files.items())]
    while len(level) > 1:
        level = [hashlib.sha256(b"\1" + level[place] + level[place + 1]).digest() if place + 1 < len(level) else level[place] for place in range(0, len(level), 2)]
    return level[0].hex() if level else ""


def _table_files(engine: Engine) -> dict[str, bytes]:
    files = {}
    with TemporaryDirectory() as folder:
        for table in tables().values():
            path = Path(folder) / f"{table.name}.parquet"
            engine.execute(f"copy (select * from {table.name} order by all) to {quoted(path)} (format parquet, compression zstd)")
            files[f"table/{table.name}.parquet"] = path.read_bytes()
    return files


def _derived(engine: Engine) -> dict[str, bytes]:
    """Return the files that follow from the tables: inputs and results, for a person and for other programs."""
    inputs = engine.rows("select owner, path, kind, n_byte, sha256, n_problem, reader_version from registry.input_file order by all")
    problems = engine.rows("select owner, code, path, line, column_no, message, value from registry.problem order by all")
    scores = engine.rows(
        "select condition_id, run_id, profile_id, subset, metric, weighting, value, n, version, signature from report.score order by 1, 2, 3, 4, 5, 6")
    blocks = engine.rows("select condition_id, run_id, profile_id, subset, block_id, metric, value, version from report.block_score order by 1, 2, 3, 4, 5, 6")
    labels = engine.rows("select condition_id, run_id, profile_id, block_id, metric, value from report.block_label order by all")
    label_names = ("condition", "run", "profile", "block", "metric", "value")
    names = ("condition", "run", "profile", "subset", "metric", "weighting", "value", "n", "version", "signature")
    block_names = ("condition", "run", "profile", "subset", "block", "metric", "value", "version")
    return {
        "inputs.json": _json({
            "files": [dict(zip(("owner", "path", "kind", "n_byte", "sha256", "n_problem", "reader"), row, strict=True)) for row in inputs],
            "problems": [dict(zip(("owner", "code", "path", "line", "column", "message", "value"), row, strict=True)) for row in problems],
        }),
        "results.json": _json({
            "n_value": len(scores) + len(blocks) + len(labels),
            "scores": [_number(dict(zip(names, row, strict=True))) for row in scores],
            "block_labels": [dict(zip(label_names, row, strict=True)) for row in labels],
            "block_scores": [_number(dict(zip(block_names, row, strict=True))) for row in blocks],
        }),
    }


def _number(row: dict) -> dict:
    value = row["value"]
    return row | {"value": None if value is None else format(value, ".17g"), "hex": None if value is None else value.hex()}


def _json(value: object) -> bytes:
    return (json.dumps(value, sort_keys=True, ensure_ascii=False, indent=0, separators=(",", ":")) + "\n").encode()


def _same_definitions(path: Path, files: Mapping[str, bytes]) -> None:
    """Refuse an archive with other files than those that are packed, and to compute with other definitions, lock or profiles than those that were."""
    made = _environment(path, files).get("tdtsql")
    definitions = _definitions()
    expected = {*definitions, *(f"table/{table.name}.parquet" for table in tables().values()), "inputs.json", "results.json", "environment.json"}
    lacking, more = sorted(expected - files.keys()), sorted(files.keys() - expected)
    different = sorted(name for name, data in definitions.items() if name in files and files[name] != data)
    advice = f"It was packed by this version of tdtsql ({__version__}): restore it." if made == __version__ else f"Install tdtsql {made} to verify it."
    if lacking:
        raise InvalidArchive(f"{path}: {lacking[0]} is not in it{_others(lacking)}. {advice}")
    if more:
        raise InvalidArchive(f"{path}: {more[0]!r} does not belong into an archive{_others(more)}. {advice}")
    if different:
        raise InvalidArchive(f"{path}: {different[0]} is not what this installation has{_others(different)}. {advice}")


def _others(names: list[str]) -> str:
    return f" (and {len(names) - 1} more)" if len(names) > 1 else ""


def _environment(path: Path, files: Mapping[str, bytes]) -> dict[str, str]:
    """Return where an archive says that it was packed."""
    try:
        environment = json.loads(files["environment.json"])
    except (KeyError, ValueError, RecursionError):
        environment = None
    if not isinstance(environment, dict) or environment.keys() != _ENVIRONMENT or not all(isinstance(value, str) for value in environment.values()):
        raise InvalidArchive(f"{path}: environment.json does not say what it was packed with ({', '.join(sorted(_ENVIRONMENT))}).")
    return environment


def _definitions() -> dict[str, bytes]:
    """Return every file of the installation's definitions, as it is packed."""
    root = sql_root()
    return {f"sql/{path.relative_to(root).as_posix()}": path.read_bytes() for path in sorted(root.rglob("*"))
            if path.is_file() and path.suffix in (".sql", ".toml", ".lock") and path.parent != root / "query"}  # questions define nothing


def unpack(path: Path, into: Path) -> str:
    """Make a store of an archive, after every byte of it was accounted for; numbers are not computed again. Returns its path.

    Raises:
        InvalidArchive: the archive is damaged, or of a version with other tables.
    """
    files = read(path)
    lacking = [name for name in (f"table/{table.name}.parquet" for table in tables().values()) if name not in files]
    if lacking:
        raise InvalidArchive(f"{path}: {lacking[0]} is not in it{_others(lacking)}: it was packed by a version of tdtsql with other tables.")
    _load(path, files, str(into)).close()
    return str(into)


def _load(path: Path, files: Mapping[str, bytes], into: str = ":memory:") -> Engine:
    """Return a new store that holds what the archive's tables hold."""
    engine = Engine(into)
    create_tables(engine)
    create_views(engine)
    with TemporaryDirectory() as folder:
        for table in tables().values():
            part = Path(folder) / f"{table.name}.parquet"
            part.write_bytes(files[f"table/{table.name}.parquet"])
            try:
                engine.execute(f"insert into {table.name} by name select * from read_parquet({quoted(part)})")
            except duckdb.Error as error:
                engine.close()
                raise InvalidArchive(f"{path}: table/{table.name}.parquet cannot be read: {first_line(error).replace(folder + '/', '')}.") from None
    return engine


def _first_difference(one: bytes, other: bytes) -> str:
    place = next((place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return f" (first at byte {place})"
