"""Text, names and files, as SQL of every engine here takes them.

Only these functions write the path of a file into SQL. The readers of DuckDB expand `*`, `?` and `[` in a path, and add
a column for each folder that is called `name=value`; ATTACH and COPY take a prefix such as `md:` for another system.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from tdtsql.errors import CannotWrite
from tdtsql.engine.packed import is_gzip

_WILD = re.compile(r"[*?[]")


def sql_literal(text: object) -> str:
    """Return text as a literal."""
    return "'" + str(text).replace("'", "''") + "'"


def sql_identifier(name: str) -> str:
    """Return a name as an identifier, whatever is in it."""
    return '"' + name.replace('"', '""') + '"'


def sql_identifiers(names: Iterable[str]) -> str:
    """Return names as a list of identifiers, with commas between them."""
    return ", ".join(map(sql_identifier, names))


def sql_list(numbers: Iterable[int]) -> str:
    """Return numbers as the contents of a SQL list in parentheses."""
    return ", ".join(str(int(number)) for number in numbers) or "null"


def quoted_path(path: str | Path) -> str:
    """Return the path of one file as a literal for ATTACH and COPY ... TO.

    Raises:
        CannotWrite: the path is not UTF-8.
    """
    full = str(Path(path).absolute())
    if not is_utf8(full):
        raise CannotWrite(f"{path}: the path must be UTF-8. Rename the file or its folder.")
    return sql_literal(full)


def is_utf8(path: str) -> bool:
    """Return whether the engine can name a file of this path."""
    return path.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in path)


def parquet_source(path: Path) -> str:
    """Return what follows FROM to read a Parquet file.

    Raises:
        OSError: the engine cannot read a file of this name.
    """
    return f"read_parquet({quoted_files([path])}, hive_partitioning = false)"


def text_source(paths: Sequence[Path], longest: int) -> str:
    """Return what follows FROM to read the lines of text files, all compressed or none, as column ``text``.

    Args:
        longest: bytes of the longest line.

    Raises:
        OSError: the engine cannot read a file of this name, or the file cannot be opened.
    """
    return (
        f"read_csv({quoted_files(paths)}, columns = {{'text': 'VARCHAR'}}, delim = '\0', quote = '', escape = '', "
        f"header = false, auto_detect = false, hive_partitioning = false, null_padding = false, "
        f"max_line_size = {longest}, compression = '{'gzip' if is_gzip(paths[0]) else 'none'}')"
    )


def quoted_files(paths: Sequence[Path]) -> str:
    """Return the literal by which the engine's readers open these files and no other.

    Raises:
        OSError: the engine cannot read a file of this name.
    """
    return f"[{', '.join(sql_literal(_pattern(path)) for path in paths)}]"


def _pattern(path: Path) -> str:
    """Return the pattern that matches one file alone."""
    text = str(path.absolute())
    if not _WILD.search(text):
        return text
    if "\\" in text:  # DuckDB splits a pattern at backslashes and has no escape for them
        raise OSError("the engine cannot read a file whose path has both a backslash and one of * ? [")
    return _WILD.sub(r"[\g<0>]", text)
