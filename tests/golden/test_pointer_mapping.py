"""Mapped decisions against those NIST's program gave: majority, impulse, recids and seconds."""

import json

import pytest

from tdtsql.errors import Problems
from tdtsql.reader.boundary import read_boundary_table
from tdtsql.reader.pointer_mapping import map_pointers
from tdtsql.reader.tracking_output import read_tracking_output

CASES = [
    ("trk06_recid_majority", "recid", "majority"),
    ("trk07_recid_impulse", "recid", "impulse"),
    ("trk08_time_majority", "time", "majority"),
]


def read(reader, path):
    problems = Problems(str(path))
    table = reader(path.read_bytes(), problems)
    assert problems.found == []
    return table


@pytest.mark.parametrize(("case", "pointer_type", "mapping"), CASES)
def test_mapped_decisions_equal_the_program_s(shared, case, pointer_type, mapping):
    folder = shared / "golden" / "tdt3eval" / case
    expected = json.loads((folder / "expected.json").read_text())["decisions"]
    tables = [read(read_boundary_table, path) for path in sorted((folder / "corpus" / "tkn_bnd").iterdir())]
    compared = 0

    for path in sorted((folder / "sys").iterdir()):
        output = read(read_tracking_output, path)
        assert output.pointer_type == pointer_type
        found = {}
        for table in tables:
            records = [
                (pointer, yes, score)
                for source, pointer, yes, score in zip(output.sources, output.pointers, output.is_yes, output.scores)
                if source == table.file_id
            ]
            spans = [
                (row.begin_sec, row.end_sec) if pointer_type == "time" else (row.begin_recid, row.end_recid)
                for row in table.rows
            ]
            mapped = map_pointers(
                *zip(*spans),
                *(zip(*records) if records else ((), (), ())),
                pointer_type=pointer_type,
                mapping=mapping,
            )
            found |= {row.docno: decision for row, decision in zip(table.rows, mapped)}
        for docno, (score, word, _) in expected[output.topic_id].items():
            assert found[docno] == (score, word == "YES"), (output.topic_id, docno)
            compared += 1

    assert compared == sum(len(topic) for topic in expected.values()) > 50
