"""Output files of decisions on docnos, parsed by the engine; also ahead, while what they refer to is stored.

Lines that the engine cannot parse are left out by it, so a file is clean only if as many rows came out as it has lines.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import duckdb

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import engine_path, text_source


class Lines:
    """Lines of files, parsed by another connection into a separate database, so that an error does not abort the
    transaction of this one.
    """

    def __init__(self, engine: Engine):
        # tables of another connection are visible only in an attached database that both share
        self._attached = engine.unused_name("parsed")
        self.engine = engine.cursor(scratch=f"{self._attached}.main")
        self.engine.execute(f"attach ':memory:' as {self._attached}")

    def parse(self, paths: Sequence[Path], skip: int) -> str:
        """Return the table of lines ``source docno decision score``: file_no (the index in ``paths``, from 0),
        pointer, is_yes and score; each NULL if it cannot be read.

        Args:
            paths: all of them compressed, or none.
            skip: lines of each file before the first decision.

        Raises:
            duckdb.Error, OSError: a file is such that the engine stops.
        """
        source = text_source(
            paths,
            dict.fromkeys(("source", "pointer", "decision", "score"), "VARCHAR"),
            " ",
            skip=skip,
            options="null_padding = false, ignore_errors = true, filename = 'path'",
        )
        return self.engine.make_temporary(
            "line",
            f"""
            select list_position($files, path) - 1 as file_no, pointer,
                case lower(decision) when 'yes' then true when 'no' then false end as is_yes,
                case when not contains(score, '_') then try_cast(score as double) end as score
            from {source}""",
            {"files": [engine_path(path) for path in paths]},
        )

    def close(self) -> None:
        self.engine.execute(f"detach {self._attached}")
        self.engine.close()


def numbered(engine: Engine, lines: str, stories: str) -> str:
    """Return the temporary table of lines with the numbers of their stories: file_no, trial_no, is_yes and score.

    Lines first, numbers then: the engine does not know how many lines a file has, and would make the table to look them
    up in of the lines.

    Args:
        stories: relation (story_id, story_no).
    """
    return engine.make_temporary(
        "parsed",
        f"""
        select line.file_no as file_no, story.story_no as trial_no, line.is_yes as is_yes, line.score as score
        from {lines} as line left join {stories} as story on story.story_id = line.pointer""",
    )


class PrefetchedParse:
    """Files of one run, parsed by another connection while this one is at work."""

    def __init__(self, engine: Engine, paths: Sequence[Path], skip: int):
        """Begin to parse files."""
        self.paths, self.skip = list(paths), skip
        self._lines = Lines(engine)
        self._pool = ThreadPoolExecutor(1)
        self._parsed: Future[str] = self._pool.submit(self._lines.parse, self.paths, skip)
        self._numbered: Future[str] | None = None

    def number(self, story_no: Mapping[str, int]) -> None:
        """Let the lines have the numbers of their stories (story id -> number, as the corpus will have it in the
        store).
        """
        self._numbered = self._pool.submit(self._number, story_no)

    def _number(self, story_no: Mapping[str, int]) -> str:
        lines, engine = self._parsed.result(), self._lines.engine
        stories = engine.insert_temporary("story", {"story_id": list(story_no), "story_no": list(story_no.values())})
        table = numbered(engine, lines, stories)
        engine.execute(f"drop table {lines}")
        return table

    def taken(self, paths: Sequence[Path], skip: int) -> tuple[str, dict[Path, int]] | None:
        """Wait for the table of the rows (see `numbered`), and return it and the number of each file; None where these
        files are not in it.
        """
        if self._numbered is None or skip != self.skip or not set(paths) <= set(self.paths):
            return None
        try:
            return self._numbered.result(), {path: number for number, path in enumerate(self.paths)}
        except (duckdb.Error, OSError):
            return None  # file by file, then

    def close(self) -> None:
        """End it, whatever is done of it."""
        if not (self._numbered or self._parsed).done():
            self._lines.engine.interrupt()
        self._pool.shutdown(cancel_futures=True)
        self._lines.close()
