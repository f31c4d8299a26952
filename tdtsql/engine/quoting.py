"""Text, names and files, as SQL of every engine here takes them.

Only these functions write the path of a file into SQL. The readers of DuckDB expand `*`, `?` and `[` in a path, and add
a column for each folder that is called `name=value`; ATTACH and COPY take a prefix such as `md:` for another system.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
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


def parquet_source(paths: Path | Sequence[Path], options: str = "") -> str:
    """Return what follows FROM to read Parquet files; ``options`` are further arguments of the engine's reader.

    Raises:
        OSError: the engine cannot read a file of this name.
    """
    return f"read_parquet({quoted_files(paths)}, hive_partitioning = false{options and ', '}{options})"


def text_source(
    paths: Path | Sequence[Path],
    columns: Mapping[str, str],
    delimiter: str,
    *,
    skip: int = 0,
    quote: str = "",
    options: str = "null_padding = false, ignore_errors = true",
) -> str:
    """Return what follows FROM to read text files, all compressed or none, whose columns have these types.

    Args:
        skip: lines of each file before the first row.
        quote: the character that quotes a field; none by default.
        options: further arguments of the engine's reader; by default lines that do not fit are left out, so that the
            caller must count the rows.

    Raises:
        OSError: the engine cannot read a file of this name, or the file cannot be opened.
    """
    first = paths if isinstance(paths, Path) else paths[0]
    typed = ", ".join(f"{sql_literal(name)}: {sql_literal(kind)}" for name, kind in columns.items())
    return (
        f"read_csv({quoted_files(paths)}, columns = {{{typed}}}, delim = {sql_literal(delimiter)}, "
        f"quote = {sql_literal(quote)}, escape = {sql_literal(quote)}, header = false, skip = {skip}, "
        f"auto_detect = false, hive_partitioning = false, "
        f"compression = '{'gzip' if is_gzip(first) else 'none'}', {options})"
    )


def quoted_files(paths: Path | Sequence[Path]) -> str:
    """Return the literal by which the engine's readers open these files and no other.

    Raises:
        OSError: the engine cannot read a file of this name.
    """
    if isinstance(paths, Path):
        return sql_literal(_pattern(paths))
    return f"[{', '.join(sql_literal(_pattern(path)) for path in paths)}]"


def _pattern(path: Path) -> str:
    """Return the pattern that matches one file alone."""
    text = str(path.absolute())
    if not _WILD.search(text):
        return text
    if "\\" in text:  # DuckDB splits a pattern at backslashes and has no escape for them
        raise OSError("the engine cannot read a file whose path has both a backslash and one of * ? [")
    return _WILD.sub(r"[\g<0>]", text)
