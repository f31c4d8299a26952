"""Files that NIST's program accepts are read without a problem."""

import json
from collections import defaultdict

from rows_of_files import problems_of

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
    """The files of a kind are read together."""
    files = defaultdict(list)
    for folder in sorted((shared / "golden" / "tdt3eval").iterdir()):
        if (folder / "case.json").is_file():
            task = TASKS[json.loads((folder / "case.json").read_text())["task"]]
            for path in sorted(folder.rglob("*")):
                if path.is_file() and (kind := kind_of(path, task)):
                    files[kind].append((path.relative_to(shared).as_posix(), path))

    found = [str(problem) for kind, paths in files.items() for problem in problems_of(kind, paths)]
    assert found == [] and sum(map(len, files.values())) > 200
