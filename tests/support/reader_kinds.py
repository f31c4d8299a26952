"""Every reader of the TDT formats under one name, for tests that go over all of them."""

from functools import partial

from tdtsql.reader.auxiliary import read_auxiliary
from tdtsql.reader.boundary import read_boundary_table
from tdtsql.reader.control import read_control, read_index_list
from tdtsql.reader.hierarchy_xml import read_hierarchy_xml
from tdtsql.reader.index import read_index
from tdtsql.reader.link_key import read_link_key
from tdtsql.reader.link_output import read_link_output
from tdtsql.reader.new_event_output import read_new_event_output
from tdtsql.reader.relevance import read_topic_relevance
from tdtsql.reader.subset import read_subsets
from tdtsql.reader.tidy import FORMS, read_tidy
from tdtsql.reader.tracking_output import read_tracking_output


def _read_tidy(data, problems, form):
    return read_tidy(data, problems, form, delimiter="\t" if problems.path.endswith(".tsv") else ",")


READERS = {
    "boundary": read_boundary_table,
    "relevance": read_topic_relevance,
    "auxiliary": read_auxiliary,
    "subset": read_subsets,
    "control": read_control,
    "index_list": read_index_list,
    **{f"index_{task}": partial(read_index, task=task) for task in ("tracking", "new_event", "link", "hierarchy")},
    "tracking_output": read_tracking_output,
    "new_event_output": read_new_event_output,
    "link_output": read_link_output,
    "link_key": read_link_key,
    "hierarchy_xml": read_hierarchy_xml,
    **{f"tidy_{form}": partial(_read_tidy, form=form) for form in FORMS},
}


def read(kind, data, problems):
    """Return what the reader of ``kind`` makes of ``data``."""
    return READERS[kind](data, problems)
