"""Files that NIST's program accepts are read without a problem."""

import json

from tdtsql.errors import Problems
from reader_kinds import read

TASKS = {"trk": "tracking", "fsd": "new_event", "lnk": "link"}


def kind_of(path, task):
    if path.suffix == ".tkn_bnd":
        return "boundary"
    if path.parent.name == "sys":
        return f"{task}_output"
    return {
        "topics.rel": "relevance",
        "aux_info.ndx": "auxiliary",
        "subsets.ssd": "subset",
        "exclude.ssd": "subset",
        "index.list": "index_list",
        "sys.list": "index_list",
        "lnk.key": "link_key",
    }.get(path.name) or (f"index_{task}" if path.suffix == ".ndx" else None)


def test_every_official_file_is_read_without_a_problem(shared):
    n_file = 0
    for folder in sorted((shared / "golden" / "tdt3eval").iterdir()):
        if not (folder / "case.json").is_file():
            continue
        task = TASKS[json.loads((folder / "case.json").read_text())["task"]]
        for path in sorted(folder.rglob("*")):
            kind = kind_of(path, task) if path.is_file() else None
            if kind is None:
                continue
            problems = Problems(path.relative_to(shared).as_posix())
            read(kind, path.read_bytes(), problems)
            assert [str(problem) for problem in problems.found] == []
            n_file += 1

    assert n_file > 200
