"""The set of files that an archive is: in a folder, or in a zip file whose bytes follow from them.

`SHA256SUMS` lists every other file with its sha256, sorted by name, as `sha256sum` writes it: `sha256sum -c SHA256SUMS`
checks the files, and the hash of the list itself (`sha256sum SHA256SUMS`) is the root of the archive. A zip file has
its files stored, not compressed again, with a fixed date, in the order of their names, the list first: a flipped byte
anywhere shows. Archives of versions before 0.2 have `manifest.json` as their list, and a Merkle root.
"""

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

from tdtsql.engine.duckdb import Engine, excessive_rows
from tdtsql.errors import InvalidArchive

SUMS = "SHA256SUMS"
MANIFEST = "manifest.json"

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
    name = next((name for name in LISTS if name in files), None)
    if name is None:
        raise InvalidArchive(f"{path}: {SUMS} is missing. Pass an archive that `tdtsql archive pack` wrote.")
    listing = files.pop(name)
    list_of, listed_in, root_of = LISTS[name]
    try:
        listed = listed_in(listing)
    except (ValueError, KeyError, TypeError, RecursionError):
        raise InvalidArchive(f"{path}: {name} is damaged.") from None
    for file in sorted(map(str, listed.keys() | files.keys())):
        if file not in files:
            raise InvalidArchive(f"{path}: {file} is listed in {name} and not there.")
        if file not in listed:
            raise InvalidArchive(f"{path}: {file} was added: {name} does not list it.")
        if hashlib.sha256(files[file]).hexdigest() != listed[file]:
            raise InvalidArchive(
                f"{path}: {file} is not what was packed (listed {listed[file][:8]}, found "
                f"{hashlib.sha256(files[file]).hexdigest()[:8]})."
            )
    if listing != list_of(files):
        raise InvalidArchive(f"{path}: {name} is not what was packed{first_difference(listing, list_of(files))}.")
    if data is not None and data != container(files, name):
        raise InvalidArchive(
            f"{path}: the zip file itself is not what was packed{first_difference(data, container(files, name))}: "
            f"header, date or order of a file."
        )
    return files, root_of(files)


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


def check_rows(engine: Engine, part: Path) -> None:
    """Refuse a Parquet file whose rows do not fit its bytes, before they are read."""
    if wrong := excessive_rows(part, engine.connection):
        raise InvalidArchive(f"{part.name} {wrong}. It is not what was packed.")


def container(files: Mapping[str, bytes], list_name: str = SUMS) -> bytes:
    """Return the bytes of an archive of these files, the list of them first."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for name, data in [(list_name, LISTS[list_name][0](files)), *sorted(files.items())]:
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


def _listed_in_sums(listing: bytes) -> dict[str, str]:
    lines = (line.split("  ", 1) for line in listing.decode().splitlines())
    return {name: sha256 for sha256, name in lines}


def _manifest_of(files: Mapping[str, bytes]) -> bytes:
    listed = [
        {"name": name, "n_byte": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        for name, data in sorted(files.items())
    ]
    return as_json({"format": "tdtsql archive 1", "merkle_root": _merkle_root(files), "files": listed})


def _listed_in_manifest(listing: bytes) -> dict[str, str]:
    return {entry["name"]: entry["sha256"] for entry in json.loads(listing)["files"]}


def _merkle_root(files: Mapping[str, bytes]) -> str:
    """Return the root of the hash tree over the files, sorted by name; an unpaired node moves up unchanged."""
    level = [
        hashlib.sha256(b"\0" + name.encode() + b"\0" + hashlib.sha256(data).digest()).digest()
        for name, data in sorted(files.items())
    ]
    while len(level) > 1:
        level = [
            hashlib.sha256(b"\1" + level[place] + level[place + 1]).digest() if place + 1 < len(level) else level[place]
            for place in range(0, len(level), 2)
        ]
    return level[0].hex() if level else ""


#: name of the list of files -> what writes it, what reads it, the root of the archive; new archives have the first
LISTS: dict[
    str,
    tuple[
        Callable[[Mapping[str, bytes]], bytes],
        Callable[[bytes], dict[str, str]],
        Callable[[Mapping[str, bytes]], str],
    ],
] = {
    SUMS: (sums_of, _listed_in_sums, root),
    MANIFEST: (_manifest_of, _listed_in_manifest, _merkle_root),
}


def as_json(value: object) -> bytes:
    return (json.dumps(value, sort_keys=True, ensure_ascii=False, indent=0, separators=(",", ":")) + "\n").encode()


def first_difference(one: bytes, other: bytes) -> str:
    """Return where two texts begin to differ, in words."""
    place = next(
        (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    return f" (first at byte {place})"
