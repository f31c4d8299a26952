"""Official files that have nothing in common with their condition are one error; other files: tests/cases/loaded."""

from pathlib import Path

import pytest

import tdtsql
from tdtsql.errors import InvalidInput
from places import EXAMPLE


@pytest.mark.parametrize(
    ("condition", "path", "old", "new"),
    [
        ("trk-any-1", "tracking/tidy/runs.csv", "2004", "1999"),
        ("new-eng-10", None, "docno", "docno"),
        ("link-mul-10", "link/kestrel.out", "2004", "1999"),
        ("htd-mul", "hierarchy/sparrow.xml", 'docID="', 'docID="x'),
        ("ts", "summarization/kestrel.ssv", " north", "9 north"),
        ("ts", "summarization/kestrel.ssv", "0105", "1999"),
        ("values", "value_tracking/osprey.tsv", "\tnorth", "9\tnorth"),
    ],
)
@pytest.mark.sample(1)
def test_a_file_with_nothing_in_common_is_one_error(own_example, tmp_path, condition, path, old, new):
    text = (EXAMPLE / path).read_text() if path else "sys yes 10 docno\nF x1 yes 1.0\nF x2 no 0.0\n"
    changed = tmp_path / Path(path or "new.out").name
    changed.write_text(text.replace(old, new).replace("0106", "1999" if old == "0105" else "0106"))

    with pytest.raises(InvalidInput) as caught:
        own_example.check_run("r", condition=condition, decisions=str(changed))

    codes = {problem.code for problem in caught.value.problems if problem.is_error}
    assert codes - {"E714"} == {"E870"}  # the file of two runs has more than one id


def test_a_root_without_an_index_reads_every_table(tmp_path):
    bundle = tmp_path / "b.toml"
    bundle.write_text(
        f'[corpus]\nid = "x"\nroot = "{EXAMPLE}/corpus"\ntopic_relevance = ["{EXAMPLE}/corpus/topics.rel"]\n'
        '[[condition]]\nid = "c"\ntask = "tracking"\n'
    )
    with tdtsql.evaluate(bundle) as store:
        [counts] = store.engine.rows(
            "select (select count(*) from base.story) > 100, (select count(*) from base.source_file)"
        )

    assert counts == (True, len(list((EXAMPLE / "corpus" / "tkn_bnd").iterdir())))
