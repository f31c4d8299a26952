"""The zip file that an archive is: its bytes follow from the files in it, so a flipped byte anywhere shows.

Files are stored, not compressed again, with a fixed date, in the order of their names, the manifest first: every file
with its sha256, and the Merkle root over them.
"""

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path

from tdtsql.engine.duckdb import excessive_rows
from tdtsql.errors import InvalidArchive

FORMAT = "tdtsql archive 1"
MANIFEST = "manifest.json"

_DATE = (1980, 1, 1, 0, 0, 0)


def read(path: Path) -> dict[str, bytes]:
    """Return the files of an archive but the manifest, after every byte of it was accounted for.

    Raises:
        InvalidArchive: names the file, or the offset of the first byte that is wrong.
    """
    try:
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
            # nothing in an archive is compressed by zip, so what it holds is no more than the file: a bomb is refused
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
    if MANIFEST not in files:
        raise InvalidArchive(f"{path}: {MANIFEST} is missing. Pass an archive that `tdtsql archive pack` wrote.")
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
            raise InvalidArchive(
                f"{path}: {name} is not what was packed (listed {listed[name][:8]}, found "
                f"{hashlib.sha256(files[name]).hexdigest()[:8]})."
            )
    if manifest != manifest_of(files):
        raise InvalidArchive(
            f"{path}: {MANIFEST} is not what was packed{first_difference(manifest, manifest_of(files))}."
        )
    if data != container(files):
        raise InvalidArchive(
            f"{path}: the zip file itself is not what was packed{first_difference(data, container(files))}: header, "
            f"date or order of a file."
        )
    return files


def check_rows(part: Path) -> None:
    """Refuse a Parquet file that declares more rows than fit its bytes: before one of them is read."""
    if wrong := excessive_rows(part):
        raise InvalidArchive(f"{part.name} {wrong}. It is not what was packed.")


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
    listed = [
        {"name": name, "n_byte": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        for name, data in sorted(files.items())
    ]
    return as_json({"format": FORMAT, "merkle_root": merkle_root(files), "files": listed})


def merkle_root(files: Mapping[str, bytes]) -> str:
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


def as_json(value: object) -> bytes:
    return (json.dumps(value, sort_keys=True, ensure_ascii=False, indent=0, separators=(",", ":")) + "\n").encode()


def first_difference(one: bytes, other: bytes) -> str:
    """Return where two texts begin to differ, in words."""
    place = next(
        (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    return f" (first at byte {place})"
