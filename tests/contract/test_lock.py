"""What was published is what the files say now."""

from tdtsql.metric.catalog import sql_root
from tdtsql.metric.lock import verify


def test_every_definition_is_what_the_lock_says():
    """After a change of something unreleased: ``python -m tdtsql.metric.lock --write``, and a line in CHANGELOG.md."""
    found = verify(sql_root())

    assert not found, "\n".join(str(mismatch) for mismatch in found)
