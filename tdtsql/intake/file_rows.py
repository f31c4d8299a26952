"""Rows of several files in one temporary table: for the formats that are not forms yet."""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from tdtsql.engine.duckdb import Engine
from tdtsql.files.find import Inputs


@dataclass(slots=True)
class FileRows:
    """Rows of several files in one temporary table, numbered from 0 in the order of the files."""

    table: str
    paths: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)  #: number of the first row of each file
    lines: list[Sequence[int]] = field(default_factory=list)  #: line of each row of each file
    n_row: int = 0
    noun: ClassVar[str] = "rows"  #: what they are called in messages

    def add(self, path: str, lines: Sequence[int], n_row: int) -> None:
        """Note that the next rows come from these lines of a file."""
        self.paths.append(path)
        self.starts.append(self.n_row)
        self.lines.append(lines)
        self.n_row += n_row

    def append(self, engine: Engine, path: str, lines: Sequence[int], columns: Mapping[str, Sequence]) -> None:
        """Insert the rows of a file, as columns of the table but ``place``."""
        engine.insert(self.table, {"place": range(self.n_row, self.n_row + len(lines)), **columns})
        self.add(path, lines, len(lines))

    @property
    def file_sql(self) -> str:
        """SQL of the index of the file of a row, from its ``place``."""
        return f"len(list_filter({self.starts}, lambda start: start <= place)) - 1"

    def at(self, place: int) -> tuple[str, int]:
        """Return (path, line) of the row with a number."""
        number = bisect_right(self.starts, place) - 1
        return self.paths[number], self.lines[number][place - self.starts[number]]

    def say(
        self,
        engine: Engine,
        inputs: Inputs,
        code: str,
        query: str,
        message: str | Callable[..., str],
        advice: str,
        most: int | None = None,
        *,
        has_lines: bool = True,
    ) -> None:
        """Report rows in one code, in the order of their numbers.

        Args:
            query: number of each row, value, and what ``message`` takes.
            most: rows that are reported; None: all.
            has_lines: False where the numbers are those of something that no row has.
        """
        limit = "" if most is None else f"limit {most}"
        for number, (row, value, *more, n_found) in enumerate(
            engine.rows(f"select *, count(*) over () from ({query}) order by 1 {limit}")
        ):
            path, line = self.at(row) if has_lines else (self.paths[0], None)
            said = message if isinstance(message, str) else message(*more)
            if not number and most is not None and n_found > most:
                said += f" ({n_found} such {self.noun}, of which {most} are named)"
            inputs.add(code, path, said, advice, line, value)

    def shown(self, place: int) -> str:
        """Return where the row with a number is, as messages say it."""
        return ":".join(map(str, self.at(place)))
