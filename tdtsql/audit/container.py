"""The set of files that an archive is: in a folder, or in a zip file whose bytes follow from them.

`SHA256SUMS` lists every other file with its sha256, sorted by name, as `sha256sum` writes it: `sha256sum -c SHA256SUMS`
checks the files, and the hash of the list itself (`sha256sum SHA256SUMS`) is the root of the archive. A zip file has
its files stored, not compressed again, with a fixed date, in the order of their names, the list first: a flipped byte
anywhere shows.
"""

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from tdtsql.engine.duckdb import Engine, excessive_rows, first_line
from tdtsql.engine.quoting import parquet_source
from tdtsql.errors import InvalidArchive

SUMS = "SHA256SUMS"

_DATE = (1980, 1, 1, 0, 0, 0)


def read(path: Path) -> dict[str, bytes]:
    """Return the files of an archive but the list of them, after every byte of it was accounted for.

    Raises:
        InvalidArchive: names the file, or the offset of the first byte that is wrong.
    """
    return read_with_root(path)[0]


def read_with_root(path: Path) -> tuple[dict[str, bytes], str]:
    """Return the files of an archive but the list of them, and its root, after every byte of it was accounted for.

    Raises:
        InvalidArchive: names the file, or the offset of the first byte that is wrong.
    """
    files, data = _unread(path)
    if SUMS not in files:
        raise InvalidArchive(f"{path}: {SUMS} is missing. Pass an archive that `tdtsql archive pack` wrote.")
    listing = files.pop(SUMS)
    try:
        listed = _listed_in(listing)
    except ValueError:
        raise InvalidArchive(f"{path}: {SUMS} is damaged.") from None
    for file in sorted(listed.keys() | files.keys()):
        if file not in files:
            raise InvalidArchive(f"{path}: {file} is listed in {SUMS} and not there.")
        if file not in listed:
            raise InvalidArchive(f"{path}: {file} was added: {SUMS} does not list it.")
        if hashlib.sha256(files[file]).hexdigest() != listed[file]:
            raise InvalidArchive(
                f"{path}: {file} is not what was packed (listed {listed[file][:8]}, found "
                f"{hashlib.sha256(files[file]).hexdigest()[:8]})."
            )
    if listing != sums_of(files):
        raise InvalidArchive(f"{path}: {SUMS} is not what was packed{first_difference(listing, sums_of(files))}.")
    if data is not None and data != container(files):
        raise InvalidArchive(
            f"{path}: the zip file itself is not what was packed{first_difference(data, container(files))}: "
            f"header, date or order of a file."
        )
    return files, root(files)


def _unread(path: Path) -> tuple[dict[str, bytes], bytes | None]:
    """Return all files of an archive, and the bytes of its zip file (None: it is a folder)."""
    try:
        if path.is_dir():
            return {
                file.relative_to(path).as_posix(): file.read_bytes() for file in path.rglob("*") if file.is_file()
            }, None
        data = path.read_bytes()
    except OSError as error:
        raise InvalidArchive(
            f"{path}: cannot be read: {error.strerror}. Name an archive that `tdtsql archive pack` wrote."
        ) from None
    files: dict[str, bytes] = {}
    if not data.startswith(b"PK"):
        raise InvalidArchive(f"{path}: not an archive (no zip file). Name an archive that `tdtsql archive pack` wrote.")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            # archives are not compressed by zip, so the contents are not larger than the file: zip bombs are refused
            # before it is read
            if any(entry.compress_type != zipfile.ZIP_STORED for entry in archive.infolist()) or sum(
                entry.file_size for entry in archive.infolist()
            ) > len(data):
                raise InvalidArchive(
                    f"{path}: a file in it is compressed, or two share their bytes. It is not what was packed."
                )
            for name in archive.namelist():
                try:
                    files[name] = archive.read(name)
                except (zipfile.BadZipFile, ValueError, RuntimeError, NotImplementedError, OverflowError, EOFError):
                    raise InvalidArchive(
                        f"{path}: {name} is damaged: its bytes are not those that were packed."
                    ) from None
    except InvalidArchive:
        raise
    except Exception as error:  # a damaged directory: zipfile raises what it likes
        raise InvalidArchive(
            f"{path}: the directory of the zip file is damaged ({type(error).__name__}). It is not what was packed."
        ) from None
    return files, data


def records(files: Mapping[str, bytes], name: str) -> list[dict]:
    """Return the rows of a Parquet file of an archive.

    Raises:
        InvalidArchive: its rows do not fit its bytes.
        ValueError: it cannot be read.
    """
    with closing(Engine(":memory:")) as engine, TemporaryDirectory() as folder:
        part = Path(folder) / Path(name).name
        part.write_bytes(files[name])
        check_rows(engine, part)
        try:
            return engine.records(f"from {parquet_source(part)}")
        except duckdb.Error as error:
            raise ValueError(first_line(error)) from None


def check_rows(engine: Engine, part: Path) -> None:
    """Refuse a Parquet file whose rows do not fit its bytes, before they are read."""
    if wrong := excessive_rows(part, engine.connection):
        raise InvalidArchive(f"{part.name} {wrong}. It is not what was packed.")


def container(files: Mapping[str, bytes]) -> bytes:
    """Return the bytes of an archive of these files, the list of them first."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for name, data in [(SUMS, sums_of(files)), *sorted(files.items())]:
            entry = zipfile.ZipInfo(name, _DATE)
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    return stream.getvalue()


def sums_of(files: Mapping[str, bytes]) -> bytes:
    """Return the list of these files as `sha256sum` writes it, sorted by name."""
    return "".join(f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in sorted(files.items())).encode()


def root(files: Mapping[str, bytes]) -> str:
    """Return the root of an archive: the hash of the list of its files."""
    return hashlib.sha256(sums_of(files)).hexdigest()


def _listed_in(listing: bytes) -> dict[str, str]:
    lines = (line.split("  ", 1) for line in listing.decode().splitlines())
    return {name: sha256 for sha256, name in lines}


def as_json(value: object) -> bytes:
    return (json.dumps(value, sort_keys=True, ensure_ascii=False, indent=0, separators=(",", ":")) + "\n").encode()


def first_difference(one: bytes, other: bytes) -> str:
    """Return where two texts begin to differ, in words."""
    place = next(
        (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    return f" (first at byte {place})"
