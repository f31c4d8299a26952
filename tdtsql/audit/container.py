"""The set of files that an archive is: in a folder, or in a zip file whose bytes follow from them.

`SHA256SUMS` lists every other file with its sha256, sorted by name, as `sha256sum` writes it: `sha256sum -c SHA256SUMS`
checks the files, and the hash of the list itself (`sha256sum SHA256SUMS`) is the root of the archive. A zip file has
its files in the order of their names, the list first, with a fixed date, deflated where that makes them smaller: a
flipped byte anywhere shows. The same files deflated by another version of zlib may have other bytes; the root is over
contents and stays.
"""

import hashlib
import io
import json
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path


from tdtsql.engine.duckdb import Engine, excessive_rows
from tdtsql.errors import InvalidArchive

SUMS = "SHA256SUMS"

_DATE = (1980, 1, 1, 0, 0, 0)
#: how files are deflated; rows of Parquet files above this size are compressed already
_LEVEL, _LARGE = 9, 1 << 20
#: how many times larger than the zip file all contents may be
_LARGEST_RATIO = 100


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
    if (
        data is not None
        and data != (again := container(files))
        and (zlib_version() in files.get("environment.json", b"") or zipped_names(data) != [SUMS, *sorted(files)])
    ):
        raise InvalidArchive(
            f"{path}: the zip file itself is not what was packed{first_difference(data, again)}: "
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
            # a zip bomb is refused before it is read
            if sum(entry.file_size for entry in archive.infolist()) > _LARGEST_RATIO * len(data):
                raise InvalidArchive(
                    f"{path}: its files are more than {_LARGEST_RATIO} times its size. It is not what was packed."
                )
            for name in archive.namelist():
                try:
                    files[name] = archive.read(name)
                except (zipfile.BadZipFile, zlib.error, ValueError, RuntimeError, OverflowError, EOFError):
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


def written_parts(engine: Engine, files: Mapping[str, bytes], folder: Path) -> dict[str, Path]:
    """Write Parquet files into a new folder, and return the path of each.

    Raises:
        InvalidArchive: the rows of one do not fit its bytes.
    """
    folder.mkdir(exist_ok=True)
    parts = {}
    for name, data in files.items():
        parts[name] = folder / f"{name}.parquet"
        parts[name].write_bytes(data)
        if wrong := excessive_rows(parts[name], engine.connection):  # before its rows are read
            raise InvalidArchive(f"{name}.parquet {wrong}. It is not what was packed.")
    return parts


def zlib_version() -> bytes:
    """Return what ``environment.json`` says of the program that deflates, which decides the bytes of a zip file."""
    return f'"zlib":"{zlib.ZLIB_RUNTIME_VERSION}"'.encode()


def zipped_names(data: bytes) -> list[str]:
    """Return the names of a zip file's members in order."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return archive.namelist()


def container(files: Mapping[str, bytes]) -> bytes:
    """Return the bytes of an archive of these files, the list of them first."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, data in [(SUMS, sums_of(files)), *sorted(files.items())]:
            entry = zipfile.ZipInfo(name, _DATE)
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            is_packed = name.endswith(".parquet") and len(data) > _LARGE
            is_smaller = not is_packed and len(zlib.compress(data, _LEVEL)) < len(data)
            kind = zipfile.ZIP_DEFLATED if is_smaller else zipfile.ZIP_STORED
            archive.writestr(entry, data, kind, _LEVEL)
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
