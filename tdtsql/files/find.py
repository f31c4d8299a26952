"""Input files: found, read, hashed, and their problems collected for one report.

Code   Meaning
E002   a gzip file that is not complete, or that expands too far
E005   a Parquet file that cannot be read, or that declares more rows or text than its size allows
E710   a path that does not exist, is not a regular file, or cannot be read
E715   a name that is that of a file, and as a pattern matches other files; or a run that is not read again, although
       topics or trials of its condition changed
E870   no id of a run, or of another input, occurs in its reference
"""

import hashlib
import os
import re
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field, replace
from pathlib import Path

from tdtsql.engine.duckdb import excessive_rows
from tdtsql.engine.packed import TOO_FAR
from tdtsql.engine.quoting import is_utf8
from tdtsql.errors import InvalidInput, Problem, ProblemList, Problems
from tdtsql.files.digest import FileDigest, InputFile, digest_file
from tdtsql.files.fingerprint import fingerprint

#: consequential problems (something is missing, or does not fit another file): if that file has an error, they are not
#: reported
CONSEQUENTIAL = frozenset(
    """W803 W805 W806 E811 E812 E813 E814 E817 E820 W820 W822 W823 E823 W825 E825 E827 E842 E843 W846 W847 E850 E851
    E852 W852 E853 W854 E855 E856 W857 W860 W861 W862 E863 W863 E864 E870 W870 E871 E872 W872 W874 W923 W924 E950
    E951 W947 W948 W949 W950 E954 E956 E957""".split()
)

#: of these, those that follow from an error in the file itself: the rows with errors are missing
NOT_FOUND = frozenset(
    """W803 W805 W806 W822 E827 W836 E843 W847 E850 E856 W857 W860 W861 W862 W870 E871 E872 W874 W923 W924 W926 W930
    E950 W943 W944 W946 W947 W948 W950""".split()
)

#: characters that make a path of a bundle a pattern
_WILD = frozenset("*?[")
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")

#: problems of single rows of a run that E870 says as one
ROWS_IN_COMMON = frozenset(
    "E820 W820 W822 W823 E823 W846 W847 E855 E856 W862 E950 E951 E560 W560 W561 W564 E578 W578 E630 E631 W632".split()
)


@dataclass(slots=True)
class Inputs:
    """The files of one owner (a corpus, a condition, a run), relative to one folder."""

    folder: Path
    files: list[InputFile] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=ProblemList)
    #: (staging table, query of its columns but the owner) of rows in temporary tables
    staged: list[tuple[str, str]] = field(default_factory=list)
    tables: list[str] = field(default_factory=list)  #: those, which are dropped when the owner is stored
    digests: dict[Path, FileDigest] = field(default_factory=dict)
    ahead: dict[Path, Future[FileDigest]] = field(default_factory=dict)  #: digests that threads compute
    options: Mapping[str, str] = field(default_factory=dict)  #: what the bundle says of how they are read

    def resolve(
        self, patterns: str | Iterable[str], what: str, advice: str = "it is relative to the bundle"
    ) -> list[tuple[str, Path]]:
        """Return (path as given, path on disk) of files.

        A text that is the name of a file is that file, and otherwise a pattern; an entry of a list is a pattern, and
        the name of a file where nothing matches. What matches nothing or may not be read is a problem (E710), a pattern
        of a list that is also the name of a file and matches others (E715).

        Args:
            advice: on a path that does not exist; without it paths are no patterns.
        """
        is_list = not isinstance(patterns, str)
        found = []
        for pattern in [patterns] if isinstance(patterns, str) else patterns:
            path = self.folder / pattern
            is_named = os.path.isfile(path)
            matches = [(pattern, path)] if is_named else []
            if advice and _WILD & set(pattern) and (is_list or not is_named):
                others = self._matching(pattern)
                if is_named and others and others != matches:
                    self.add(
                        "E715",
                        pattern,
                        f"{what}: this is the name of a file, and as a pattern it matches {len(others)} "
                        f"{'file' if len(others) == 1 else 'files'}, first {others[0][0]}",
                        "Rename the file, or write [[] for a literal [, [?] for ? and [*] for *.",
                    )
                matches = others or matches
            found += matches
            if not matches:
                self.say_missing(pattern, path, what, advice)
        return [(given, path) for given, path in found if self.may_read(given, path, what)]

    def _matching(self, pattern: str) -> list[tuple[str, Path]]:
        if Path(pattern).is_absolute():
            return []
        try:
            matches = sorted(path for path in self.folder.glob(pattern) if path.is_file())
        except (ValueError, OSError):  # not a pattern: `**` with something next to it; or a name that is too long
            matches = []
        return [(path.relative_to(self.folder).as_posix(), path) for path in matches]

    def say_missing(self, given: str, path: Path, what: str, advice: str) -> None:
        """Report a path that is not a regular file (E710)."""
        if _ADDRESS.match(given):
            wrong, advice = "an address, expected the path of a file", "Download the file and name the copy."
        elif os.path.isdir(path):
            wrong, advice = "this is a folder, expected a file", "Name the files in it."
        elif given == "-" or os.path.exists(path):  # unlike those of Path, false for a name that is too long
            wrong = "a pipe, a device or standard input, expected a regular file"
            advice = "Save it as a file first: its hash is recorded, and it is read more than once."
        else:
            relative = "" if os.path.isabs(given) else advice
            folder, name = os.path.split(given)
            wrong, advice = "file not found", f"Correct the path{relative and '; '}{relative}."
            if relative and _WILD & set(given) and (below := self._matching(os.path.join(folder, "*", name))):
                advice = f"Did you mean '{os.path.join(folder, '*', name)}'? It matches {below[0][0]}."
        self.add("E710", given, f"{what}: {wrong}", advice)

    def may_read(self, given: str, path: Path, what: str) -> bool:
        """Return whether the system lets a file be read; if not, that is a problem (E710)."""
        if not is_utf8(given):
            self.add("E710", given, f"{what}: the name of the file is not UTF-8", "Rename the file.")
            return False
        if not os.access(path, os.R_OK):
            self.add("E710", given, f"{what}: the file may not be read", "Give yourself the right to read it.")
            return False
        if given.removesuffix(".gz").endswith(".parquet") and (wrong := excessive_rows(path)):
            self.add("E005", given, f"the Parquet file {wrong}", "Name another file, or write the rows as text.")
            return False
        return True

    def read(self, given: str, path: Path, kind: str, reader: Callable[[bytes, Problems], object]):
        """Read one file whole with ``reader``; its problems are collected, its hash is kept."""
        data = path.read_bytes()
        problems = Problems(given)
        result = reader(data, problems)
        self.problems += problems.found
        self.files.append(InputFile(given, kind, len(data), hashlib.sha256(data).hexdigest(), len(problems.warnings)))
        return result

    def digest(self, given: str, path: Path, kind: str) -> FileDigest:
        """Return the digest of a file, which is computed once."""
        if path not in self.digests:
            ahead = self.ahead.get(path)
            self.digests[path] = ahead.result() if ahead else digest_file(given, path, kind)
        found = self.digests[path]
        if found.is_bomb:
            self.add("E002", given, f"not a complete gzip file: {TOO_FAR}", "Fetch or compress the file again.")
            raise InvalidInput(self.problems)
        return found

    def digest_ahead(self, threads: Executor, files: Iterable[tuple[str, object]]) -> None:
        """Let threads compute the digests of files."""
        self.ahead |= {
            path: threads.submit(digest_file, given, path, "") for given, path in files if isinstance(path, Path)
        }

    def note_digest(self, digest: FileDigest, given: str, kind: str, n_warning: int) -> None:
        """Keep name, size, hash and number of warnings of a file that was read."""
        self.files.append(replace(digest.file, path=given, kind=kind, n_problem=n_warning))

    def add(
        self,
        code: str,
        path: str,
        message: str,
        advice: str = "",
        line: int | None = None,
        value: object = None,
        *,
        column: int | None = None,
        run: str | None = None,
    ) -> None:
        """Record a problem that shows only across files."""
        problems = Problems(path)
        problems.add(code, message, advice, line, column, value, run=run)
        self.problems += problems.found

    def check(self) -> None:
        """Raise InvalidInput if there is an error."""
        if self.has_errors:
            raise InvalidInput(self.problems)

    @property
    def has_errors(self) -> bool:
        """Whether a file has an error, or does not exist."""
        return any(problem.is_error for problem in self.problems)

    def reported(self, *, follows: bool = False) -> list[Problem]:
        """Return the problems but those that only follow from others.

        Args:
            follows: what these files refer to (the corpus, the condition) has errors.
        """
        left_out = CONSEQUENTIAL if follows else frozenset()
        if any(problem.is_error and problem.code not in CONSEQUENTIAL for problem in self.problems):
            left_out |= NOT_FOUND
        return [problem for problem in self.problems if problem.code not in left_out]

    def fingerprint(self, *parts: object) -> str:
        """Return one hash over the files' bytes and ``parts`` (what else decides how they are read)."""
        return fingerprint(*[f"{file.kind} {file.path} {file.sha256}" for file in self.files], *parts)
