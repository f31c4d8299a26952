"""TDT index files: which source files, or story pairs, a test is about.

    # tracking recid Topic=55001                    # first_story recid
    # Topic_training_story DOCNO FILE BEGIN END     tkn/NAME.tkn
    tkn/NAME.tkn 85

    # link_detection                                # hierarchical_detection docno
    # source_file tkn/NAME.tkn                      tkn/NAME.tkn
    tkn/NAME.tkn:DOCNO tkn/NAME.tkn:DOCNO

The header is read in any case, in the plan's spelling and in the program's
(``HIEARCHICAL_DETECTION``, ``# SOURCE_FILE n FILE``). Any pointer type is
accepted. Other lines that begin with ``#`` are comments. A hierarchy may
also be given as NIST's story list (``# STORY_LIST_INDEX DOCNO``, then a file
and its docnos per line).

Code   Meaning
E150   no header: the first line is not ``#`` and a task
E151   an unknown task, or a task other than that of the bundle
E152   a pointer type other than recid, time or docno
E153   a tracking header without Topic=NUMBER
E154   a line with too few or too many fields
E155   a begin or end that is not a number
E156   a source file name without extension
E157   a duplicate source file
E158   an incomplete line of a training story, or a duplicate story
E159   a duplicate pair of stories
E160   nothing to process: no source file, or no pair

Source: The 2004 TDT evaluation plan, B.3 to B.6; TDT3eval v2.6 as read.
"""

from functools import lru_cache
from typing import NamedTuple

from tdtsql.errors import Problems, counted
from tdtsql.reader import field
from tdtsql.files.text import fields_with_columns, numbered_lines

#: fields of a line that names a source file; the indexes of a condition name the same files
_file_fields = lru_cache(maxsize=1 << 16)(fields_with_columns)

POINTER_TYPES = ("recid", "time", "docno")

_HEADER = {
    "tracking": "# tracking recid Topic=NUMBER",
    "new_event": "# first_story recid",
    "link": "# link_detection",
    "hierarchy": "# hierarchical_detection docno",
}


class TrainingStory(NamedTuple):
    """One training story of a tracking topic, in the order of the index."""

    line: int
    docno: str
    source_file: str  #: without directory and extension
    begin: float | None  #: None where the index writes -1
    end: float | None


class IndexFile(NamedTuple):
    """One source file to process."""

    line: int
    path: str  #: as written
    name: str  #: without directory and extension
    extension: str  #: names the folder of its boundary table, e.g. tkn
    begin: float  #: where processing begins; 1 (0 for time) where the index does not say


class Index(NamedTuple):
    """What one index file asks for."""

    task: str  #: tracking, new_event, link or hierarchy
    pointer_type: str | None  #: recid, time or docno
    topic_id: str | None
    nt_variant: str | None  #: last two digits of a seven digit topic (variable Nt)
    training: list[TrainingStory]
    files: list[IndexFile]
    story_ids: list[str]  #: stories that a story list names, each once


def read_index(data: bytes, problems: Problems, task: str) -> Index:
    """Return the content of an index file for ``task`` (tracking, new_event, hierarchy)."""
    index = Index(task, None, None, None, [], [], [])
    lines = list(numbered_lines(data, problems))
    first = next((number for number, (_, text) in enumerate(lines) if text.strip()), None)
    if first is None:
        return index
    index, is_story_list, has_header = _header(index, *lines[first], problems)
    found = Problems(problems.path)
    _Body(index, found, is_story_list).read(lines[first + 1 :] if has_header else lines[first:])
    problems.found += sorted(found.found, key=lambda problem: problem.line or 0)
    if not found.errors and not index.files:
        said = "the index names no source file, expected at least one"
        problems.add("E160", said, "Complete the index file.", lines[first][0], 1)
    return index


def read_link_comments(lines: list[tuple[int, str]], problems: Problems) -> tuple[Index, bool]:
    """Return what the header and the comments of a link index say, and whether the first line is its header.

    Args:
        lines: the first line, and all that begin with ``#``.
    """
    index, _, has_header = _header(Index("link", None, None, None, [], [], []), *lines[0], problems)
    _Body(index, problems, is_story_list=False).read(lines[1:] if has_header else lines)
    return index, has_header


def _header(index: Index, line: int, text: str, problems: Problems) -> tuple[Index, bool, bool]:
    task = index.task
    if not text.lstrip().startswith("#"):
        problems.add(
            "E150",
            f"no header, expected '{_HEADER[task]}'",
            "Begin the file with the header line.",
            line,
            1,
            text.strip(),
        )
        # a header without its '#' is not also a bad record
        return index, False, (text.split(maxsplit=1) or [""])[0].lower() in field.TASKS
    fields = fields_with_columns(text.replace("#", " ", 1))
    if not fields:
        problems.add(
            "E150",
            f"the header is empty, expected '{_HEADER[task]}'",
            "Begin the file with the header line.",
            line,
            1,
            text.strip(),
        )
        return index, False, True
    column, word = fields[0]
    is_story_list = task == "hierarchy" and word.lower() == "story_list_index"
    found = "hierarchy" if is_story_list else field.TASKS.get(word.lower())
    if found != task:
        what = "does not name a task of TDT" if found is None else f"is that of an index for {found}"
        problems.add(
            "E151",
            f"header {what}, expected '{_HEADER[task]}'",
            "Name the index file of this task.",
            line,
            column,
            word,
        )
        return index, is_story_list, True

    topic = None
    pointer_type = None
    for column, word in fields[1:]:
        key, equals, value = word.partition("=")
        if equals:
            if key.lower() == "topic":
                topic = (column + len(key) + 1, value)
        elif pointer_type is None:
            pointer_type = word.lower()
            if pointer_type not in POINTER_TYPES and task != "link":
                problems.add(
                    "E152",
                    "pointer type is not known, expected recid, time or docno",
                    "Correct the header.",
                    line,
                    column,
                    word,
                )
    if pointer_type is None and task != "link":
        problems.add(
            "E152",
            f"header has no pointer type, expected '{_HEADER[task]}'",
            "Complete the header.",
            line,
            1,
            text.strip(),
        )
    if pointer_type not in POINTER_TYPES:
        pointer_type = None
    index = index._replace(pointer_type=pointer_type)
    if task == "tracking":
        if topic is None:
            problems.add(
                "E153", f"header has no topic, expected '{_HEADER[task]}'", "Add Topic=NUMBER.", line, 1, text.strip()
            )
        elif field.natural(topic[1]) is None:
            problems.add(
                "E153", "topic is not a number, expected Topic=NUMBER", "Correct the header.", line, topic[0], topic[1]
            )
        else:
            topic_id, variant = field.split_topic(topic[1])
            index = index._replace(topic_id=topic_id, nt_variant=variant)
    return index, is_story_list, True


class _Body:
    """Reads the lines after the header into an index."""

    def __init__(self, index: Index, problems: Problems, is_story_list: bool):
        self.index = index
        self.problems = problems
        self.is_story_list = is_story_list
        self.file_line: dict[str, int] = {}
        self.training_line: dict[str, int] = {}

    def read(self, lines: list[tuple[int, str]]) -> None:
        task = self.index.task
        for line, text in lines:
            stripped = text.lstrip()
            if stripped.startswith("#"):
                keyword = stripped[1:].split(None, 1)[0].lower() if stripped[1:].strip() else ""
                if keyword == "topic_training_story" and task == "tracking":
                    self._training(line, text)
                elif keyword == "source_file" and task == "link":
                    self._link_source(line, text)
                continue
            content = text.partition("#")[0]
            if not content.strip() or task == "link":
                continue
            if self.is_story_list:
                self._story_list(line, content)
            else:
                self._file(line, content)

    def _training(self, line: int, text: str) -> None:
        fields = fields_with_columns(text.replace("#", " ", 1))[1:]
        if len(fields) != 4:
            self.problems.add(
                "E158",
                f"training story line has {counted(len(fields))} after its name, expected "
                "story, source file, begin and end",
                "Complete the line.",
                line,
                1,
                text.strip(),
            )
            return
        (column, docno), (_, source), begin, end = fields
        earlier = self.training_line.setdefault(docno, line)
        if earlier != line:
            self.problems.add(
                "E158",
                f"training story is already on line {earlier}, expected every story once",
                "Remove one of the lines.",
                line,
                column,
                docno,
            )
            return
        # the program's index builder writes -1 for a story without positions
        span = (None if found[1] == "-1" else self._position(line, found) for found in (begin, end))
        self.index.training.append(TrainingStory(line, docno, field.split_source(source)[0], *span))

    def _position(self, line: int, found: tuple[int, str]) -> float | None:
        column, text = found
        number = field.real(text)
        if number is None or not 0 <= number <= field.LARGEST_FINITE:
            self.problems.add(
                "E155", "not a position, expected a number of 0 or more", "Correct the number.", line, column, text
            )
            return None
        return number

    def _add_file(self, line: int, column: int, path: str, begin: float | None) -> bool:
        name, extension = field.split_source(path)
        if not name or not extension:
            self.problems.add(
                "E156",
                "source file has no extension, expected directory/NAME.EXTENSION such as tkn/NAME.tkn",
                "Write the name as the corpus does; the extension finds the boundary table.",
                line,
                column,
                path,
            )
            return False
        earlier = self.file_line.setdefault(name, line)
        if earlier != line:
            self.problems.add(
                "E157",
                f"source file is already on line {earlier}, expected every file once",
                "Remove one of the lines.",
                line,
                column,
                path,
            )
            return False
        if begin is None:
            begin = 0.0 if self.index.pointer_type == "time" else 1.0
        self.index.files.append(IndexFile(line, path, name, extension, begin))
        return True

    def _file(self, line: int, content: str) -> None:
        fields = _file_fields(content)
        if len(fields) > 2:
            self.problems.add(
                "E154",
                f"{counted(len(fields))}, expected a source file and where to begin",
                "Correct the line.",
                line,
                fields[2][0],
                fields[2][1],
            )
            return
        begin = self._position(line, fields[1]) if len(fields) == 2 else None
        if len(fields) == 2 and begin is None:
            return
        self._add_file(line, *fields[0], begin)

    def _link_source(self, line: int, text: str) -> None:
        fields = fields_with_columns(text.replace("#", " ", 1))[1:]
        if len(fields) == 2 and field.natural(fields[0][1]) is not None:
            fields = fields[1:]
        if len(fields) != 1:
            self.problems.add(
                "E154",
                f"{counted(len(fields))} after source_file, expected one file name, with or without its number",
                "Correct the line.",
                line,
                1,
                text.strip(),
            )
            return
        self._add_file(line, *fields[0], None)

    def _story_list(self, line: int, content: str) -> None:
        fields = fields_with_columns(content)
        if self._add_file(line, *fields[0], None):
            for column, docno in fields[1:]:
                earlier = self.training_line.setdefault(docno, line)
                if earlier != line or docno in self.index.story_ids[-len(fields) :]:
                    self.problems.add(
                        "E158",
                        f"story is already on line {earlier}, expected every story once",
                        "Remove one of them.",
                        line,
                        column,
                        docno,
                    )
                    continue
                self.index.story_ids.append(docno)
