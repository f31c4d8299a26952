"""Mapped decisions against those NIST's program gave: majority, impulse, recids and seconds."""

import json

import pytest

from mapped import map_pointers
from rows_of_files import KINDS
from tdtsql.errors import Problems

CASES = [
    ("trk06_recid_majority", "recid", "majority"),
    ("trk07_recid_impulse", "recid", "impulse"),
    ("trk08_time_majority", "time", "majority"),
]
POINTERS = {"recid": "recid", "time": "seconds"}


def read(reader, path):
    problems = Problems(str(path))
    table = reader(path.read_bytes(), problems)
    assert problems.found == []
    return table


@pytest.mark.parametrize(("case", "pointer_type", "mapping"), CASES)
def test_mapped_decisions_equal_the_program_s(shared, case, pointer_type, mapping):
    folder = shared / "golden" / "tdt3eval" / case
    expected = json.loads((folder / "expected.json").read_text())["decisions"]
    tables = [read(KINDS["boundary"], path) for path in sorted((folder / "corpus" / "tkn_bnd").iterdir())]
    compared = 0

    for path in sorted((folder / "sys").iterdir()):
        output = read(KINDS["tracking_output"], path)
        assert output.head.pointer_type == pointer_type
        found = {}
        for table in tables:
            records = [
                (pointer, yes, score)
                for source, pointer, yes, score in zip(
                    *(output.columns[name] for name in ("source", POINTERS[pointer_type], "is_yes", "score"))
                )
                if source == table["boundary_set"][0]["file_id"]
            ]
            spans = [
                (row["begin_sec"], row["end_sec"]) if pointer_type == "time" else (row["begin_recid"], row["end_recid"])
                for row in table["boundary"]
            ]
            mapped = map_pointers(
                *zip(*spans), *(zip(*records) if records else ((), (), ())), pointer_type=pointer_type, mapping=mapping
            )
            found |= {row["docno"]: decision for row, decision in zip(table["boundary"], mapped)}
        for docno, (score, word, _) in expected[output.head.topic_id].items():
            assert found[docno] == (score, word == "YES"), (output.head.topic_id, docno)
            compared += 1

    assert compared == sum(len(topic) for topic in expected.values()) > 50
