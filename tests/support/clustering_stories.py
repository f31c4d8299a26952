"""Clusterings of stories of two languages, some sources and three days, with and without subsets; some stories in
several clusters where wanted.
"""

import json
import random

from clustering_case import write_rows

STORIES = [
    (
        f"S{number:02}",
        ("ENG", "MAN")[number % 2],
        ("NYT", "XIN", None)[number % 3],
        f"1998-10-0{1 + number // 8}" if number != 5 else None,
    )
    for number in range(24)
]
OF = {
    "language=ENG": {story for story, language, _, _ in STORIES if language == "ENG"},
    "language=MAN": {story for story, language, _, _ in STORIES if language == "MAN"},
    "source=NYT": {story for story, _, source, _ in STORIES if source == "NYT"},
    "source=XIN": {story for story, _, source, _ in STORIES if source == "XIN"},
    "day=1998-10-01": {story for story, _, _, day in STORIES if day == "1998-10-01"},
    "day=1998-10-02": {story for story, _, _, day in STORIES if day == "1998-10-02"},
    "day=1998-10-03": {story for story, _, _, day in STORIES if day == "1998-10-03"},
}
PRODUCT = "language=MAN,source=NYT"
EMPTY = "day=1998-10-01,day=1998-10-02"
#: name of a case -> columns of its profile
POLICIES = {
    "plain": {},
    "strict": {"missing_item": "singleton", "spurious_item": "drop"},
    "few": {"singleton_cluster": "drop"},
    "one": {"missing_item": "one_cluster", "spurious_item": "singleton"},
    "peer": {"degenerate": "reference_program"},
}


def rows_of(seed: int, share: float, n_cluster: int, n_several: int) -> list[tuple[str, str, str]]:
    """Return (block, item, cluster) of some stories in two blocks, and of two items that are no stories."""
    chance = random.Random(seed)
    rows = [
        (block, story, f"{block}{chance.randrange(n_cluster)}")
        for block in "pq"
        for story, *_ in STORIES
        if chance.random() < share
    ]
    rows += [(block, story, f"{block}x") for block, story, _ in rows[:n_several]]
    return [*rows, ("p", "elsewhere", "p0"), ("q", f"only {seed}", "q1")]


def write(folder, gold, system):
    """Write a bundle: condition ``whole`` with stories, in another store a condition for each subset without."""
    (folder / "stories.csv").write_text(
        "story_id,position,language,source,published_at\n"
        + "".join(
            f"{story},{number},{language},{source or ''},{day + ' 10:00:00' if day else ''}\n"
            for number, (story, language, source, day) in enumerate(STORIES, start=1)
        )
    )
    profiles = "".join(
        f'[profile.{name}]\nbase = "partition"\n' + "".join(f'{key} = "{value}"\n' for key, value in columns.items())
        for name, columns in POLICIES.items()
    )

    def condition(name, items):
        for side, rows in (("gold", gold), ("system", system)):
            write_rows(folder / f"{side}-{name}.csv", [row for row in rows if items is None or row[1] in items])
        return (
            f'[[condition]]\nid = "{name}"\ntask = "partition"\ngold = "gold-{name}.csv"\nprofile = '
            f"{json.dumps(list(POLICIES))}\n"
            f'[[run]]\nid = "s"\ncondition = "{name}"\nfiles = ["system-{name}.csv"]\n'
        )

    (folder / "bundle.toml").write_text(
        '[corpus]\nid = "k"\nstories = "stories.csv"\n' + profiles + condition("whole", None)
    )
    parts = {**OF, PRODUCT: OF["language=MAN"] & OF["source=NYT"]}
    (folder / "parts.toml").write_text(
        '[corpus]\nid = "parts"\n'
        + profiles
        + "".join(condition(name.replace("=", " "), items) for name, items in parts.items())
    )
    return folder
