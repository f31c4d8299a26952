"""Every reader of a file that users write under one name, for tests that go over all of them."""

from functools import partial

from tdtsql.load.settings import read_bundle
from rows_of_files import KINDS, read_clusters, read_hierarchy, read_index, read_key, read_topics, read_track_rows


#: temporal summarization: read by the strict rules, and as each year's program reads
_BY_RULES = {
    "nuggets": partial(read_track_rows, "nuggets"),
    "updates": partial(read_track_rows, "updates"),
    "matches": partial(read_track_rows, "matches"),
    "ts_duplicates": partial(read_track_rows, "duplicates"),
    "ts_run": partial(read_track_rows, "ts"),
}

READERS = {
    **{f"index_{task}": partial(read_index, task=task) for task in ("tracking", "new_event", "hierarchy")},
    "hierarchy_xml": read_hierarchy,
    "ts_topics": read_topics,
    "value_run": partial(read_track_rows, "vt"),
    **_BY_RULES,
    **KINDS,
    "clusters": read_clusters,
    "clusters_json": partial(read_clusters, format_="jsonl"),
    "clusters_conll": partial(read_clusters, format_="conll"),
    "bundle": read_bundle,
}

#: readers of the same files that follow the official programs: they skip or repair broken lines, and never raise either
PROGRAM_READERS = {
    f"{kind}_{year}": partial(reader, program=year)
    for kind, reader in _BY_RULES.items()
    for year in ("ts2013", "ts2014", "ts2015")
}


#: trials whose lines show their format
BY_CONTENT = {"key": partial(read_key, None, True), "scores": partial(read_key, None, False)}


def read(kind, data, problems):
    """Return what the reader of ``kind`` makes of ``data``."""
    return {**READERS, **PROGRAM_READERS, **BY_CONTENT}[kind](data, problems)
