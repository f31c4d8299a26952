"""A definition reads other relations in place of those it names, at the places that its words give: never in a text, a
comment or a comparison.
"""

import pytest
import sqlglot
from sqlglot import exp

from tdtsql.definitions.catalogue import catalog, derived, reading, reads_of

NAMES = {"base.a": "temp.main.made", "report.score": "(select 1)"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("select k from base.a", "select k from temp.main.made as a"),
        ("select x.k from base.a as x", "select x.k from temp.main.made as x"),
        ("select a.k from base.a join base.c using (k)", "select a.k from temp.main.made as a join base.c using (k)"),
        ("select 1 FROM\n  base.a\nwhere true", "select 1 FROM\n  temp.main.made as a\nwhere true"),
        ("select * from report.score where run_id = ?", "select * from (select 1) as score where run_id = ?"),
        ("select k from base.a where k = $key", "select k from temp.main.made as a where k = $key"),
        ("select 'from base.a' -- from base.a\nfrom base.c /* join base.a */", None),
        ("select k from base.c where k is distinct from base.a", None),
        ("select k from other.base.a", None),
        ("select k from base.a_second join base.c on base.a.k = 1", None),
    ],
)
def test_a_relation_is_read_in_place_of_another(text, expected):
    assert reading(text, NAMES) == (text if expected is None else expected)


def test_compiled_places_are_those_of_the_syntax_tree():
    definitions = catalog() | derived()
    for name, relation in definitions.items():
        tree = sqlglot.parse_one(relation.body, read="duckdb")
        read = sorted(f"{table.db}.{table.name}" for table in tree.find_all(exp.Table) if table.db)

        assert relation.compiled_reads == reads_of(relation.body), name
        assert sorted(place.relation for place in relation.reads) == read, name
        assert all(relation.body[place.start : place.end] == place.relation for place in relation.reads), name
