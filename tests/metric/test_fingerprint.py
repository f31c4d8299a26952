"""What counts for the identity of a definition, and what does not."""

import pytest

from tdtsql.errors import BrokenDefinition
from tdtsql.definitions.hashes import text_hash
from tdtsql.definitions.lexer import tokens

SELECT = "select a.x as x, 'It''s' as t from base.a as a where a.y >= 1e-2"


@pytest.mark.parametrize(
    "same",
    [
        "SELECT a.x AS x, 'It''s' AS t FROM base.a AS a WHERE a.y >= 1E-2",
        "select a.x as x, -- the x\n  'It''s' as t\nfrom base.a as a /* all\nof it */ where a.y >= 1e-2",
        "select a . x as x,'It''s' as t from base.a as a where a.y>=1e-2\r\n",
        "select/**/a.x as x, 'It''s' as t from base.a as a where a.y >= 1e-2 -- end",
    ],
)
def test_comments_layout_and_case_do_not_count(same):
    assert text_hash(same) == text_hash(SELECT)


@pytest.mark.parametrize(
    "other",
    [
        SELECT.replace("1e-2", "1e-3"),
        SELECT.replace("1e-2", "0.01"),
        SELECT.replace(">=", ">"),
        SELECT.replace("It''s", "it''s"),
        SELECT.replace("'It''s'", '"It\'s"'),
        SELECT.replace("a.x as x", "a.x x"),
        SELECT.replace("It''s", "It''s --"),
        SELECT + " -- x\n and true",
    ],
)
def test_everything_else_counts(other):
    assert text_hash(other) != text_hash(SELECT)


@pytest.mark.parametrize(
    "hidden",
    [
        "select $$ -- $$ + 1",  # what looks like a comment is text for the engine
        "select e'\\'-- ' || 'x'",
        "select 'open",
        "select /* open",
        "select 1\u00a0+ 1",
        "select 1\x00",
        "select x'41'",
        "select 12ab",
    ],
)
def test_what_an_engine_could_read_otherwise_is_refused(hidden):
    with pytest.raises(BrokenDefinition, match=r"line 1: .* cannot be read\. Use plain SQL"):
        tokens(hidden)
