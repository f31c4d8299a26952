"""The set of files that an archive is: in a folder, or in a zip file whose bytes follow from them.

`SHA256SUMS` lists every other file with its sha256, sorted by name, as `sha256sum` writes it: `sha256sum -c SHA256SUMS`
checks the files, and the hash of the list itself (`sha256sum SHA256SUMS`) is the root of the archive. A zip file has
its files in the order of their names, the list first, with a fixed date, deflated where that makes them smaller: a
flipped byte anywhere shows. The same files deflated by another version of zlib may have other bytes; the root is over
contents and stays.
"""

import hashlib
import io
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tdtsql.engine.duckdb import first_line
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

    def refuse(reason: str) -> InvalidArchive:
        return InvalidArchive(f"{path}: {reason}")

    try:
        data = b"" if path.is_dir() else path.read_bytes()
        if path.is_dir():
            files = {file.relative_to(path).as_posix(): file.read_bytes() for file in path.rglob("*") if file.is_file()}
        elif data.startswith(b"PK"):
            files = _unzipped(path, data)
        else:
            raise refuse("not an archive (no zip file). Name an archive that `tdtsql archive pack` wrote.")
    except OSError as error:
        raise refuse(f"cannot be read: {error.strerror}. Name an archive that `tdtsql archive pack` wrote.") from None
    listing = files.pop(SUMS, None)
    if listing is None:
        raise refuse(f"{SUMS} is missing. Pass an archive that `tdtsql archive pack` wrote.")
    sums = sums_of(files)
    try:
        listed, there = (
            {name: sha256 for sha256, name in (line.split("  ", 1) for line in text.decode().splitlines())}
            for text in (listing, sums)
        )
    except ValueError:
        raise refuse(f"{SUMS} is damaged.") from None
    for file in sorted(listed.keys() | there.keys()):
        if file not in there:
            raise refuse(f"{file} is listed in {SUMS} and not there.")
        if file not in listed:
            raise refuse(f"{file} was added: {SUMS} does not list it.")
        if there[file] != listed[file]:
            raise refuse(f"{file} is not what was packed (listed {listed[file][:8]}, found {there[file][:8]}).")
    if listing != sums:
        raise refuse(f"{SUMS} is not what was packed{first_difference(listing, sums)}.")
    if data and data != (again := container(files)):
        # another version of zlib deflates the same files, in the same order, into other bytes
        is_of_this_zlib = f'"zlib":"{zlib.ZLIB_RUNTIME_VERSION}"'.encode() in files.get("environment.json", b"")
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            is_in_order = archive.namelist() == [SUMS, *sorted(files)]
        if not is_of_this_zlib and is_in_order:
            return files
        raise refuse(
            f"the zip file itself is not what was packed{first_difference(data, again)}: header, date or order of a "
            f"file."
        )
    return files


@contextmanager
def untrusted(path: Path, reason: str = "its tables cannot be those of a store") -> Iterator[None]:
    """Report any error while an archive is read as a defect of it: its contents are not verified."""
    try:
        yield
    except (InvalidArchive, OSError, MemoryError):
        raise
    except Exception as error:
        raise InvalidArchive(f"{path}: {reason}: {first_line(error)}.") from None


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


def first_difference(one: bytes, other: bytes) -> str:
    """Return where two texts begin to differ, in words."""
    pairs = enumerate(zip(one, other, strict=False))
    return f" (first at byte {next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))})"


def _unzipped(path: Path, data: bytes) -> dict[str, bytes]:
    """Return all files of a zip file that can be read and may be."""
    files = {}
    with (
        untrusted(path, "the directory of the zip file is damaged, and not what was packed"),
        zipfile.ZipFile(io.BytesIO(data)) as archive,
    ):
        # a zip bomb is refused before it is read
        if sum(entry.file_size for entry in archive.infolist()) > _LARGEST_RATIO * len(data):
            raise InvalidArchive(
                f"{path}: its files are more than {_LARGEST_RATIO} times its size. It is not what was packed."
            )
        for name in archive.namelist():
            with untrusted(path, f"{name} is damaged, its bytes are not those that were packed"):
                files[name] = archive.read(name)
    return files
