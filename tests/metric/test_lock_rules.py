"""The lock names what changed, what that changes, and the way out."""

import re
import shutil

import pytest

from tdtsql.errors import BrokenDefinition
from tdtsql.build import lock as build_lock
from tdtsql.definitions import lock
from places import ROOT

HASH = "[0-9a-f]{8}"


def _release(sql):
    assert build_lock.write(sql, release="0.1.0") == []


def test_a_fresh_lock_agrees(sql):
    _release(sql)

    assert lock.verify(sql) == [] and lock.unchanged(sql)
    assert list(lock.read_lock(sql / lock.FILE)) == [
        "base.count__v1",
        "metric.small_cost__v1",
        "profile.plan",
        "schema",
    ]


def test_comments_and_layout_may_change(sql, edit):
    _release(sql)
    edit(sql / "base/count__v1.sql", "title:    Stories", "title:    All stories")
    edit(sql / "base/count__v1.sql", "where story.language", "-- only these\nWHERE   story.language")

    assert not lock.unchanged(sql)
    assert lock.verify(sql) == []
    lock.check(sql)


def test_a_released_view_is_named_with_both_hashes_and_so_is_what_reads_it(sql, edit):
    _release(sql)
    edit(sql / "base/count__v1.sql", "'English'", "'english'")

    with pytest.raises(BrokenDefinition) as caught:
        lock.check(sql)
    first, second = str(caught.value).splitlines()
    assert re.fullmatch(
        rf"base\.count__v1 was released in 0\.1\.0 and its SQL changed \(lock {HASH}, file {HASH}\)\. Restore it, or "
        rf"copy it to base\.count__v2\.",
        first,
    )
    assert re.fullmatch(
        rf"metric\.small_cost__v1 was released in 0\.1\.0 and something it reads changed: base\.count__v1 \(lock "
        rf"{HASH}, now {HASH}\)\. "
        r"Restore that, or copy it to metric\.small_cost__v2\.",
        second,
    )


def test_what_a_view_publishes_is_part_of_it(sql, edit):
    _release(sql)
    edit(sql / "metric/small/cost__v1.sql", "best=lowest", "best=highest")

    assert [(found.name, found.part) for found in lock.verify(sql)] == [("metric.small_cost__v1", "tokens")]


def test_a_profile_column_counts_for_the_views_that_use_it(sql, edit):
    _release(sql)
    edit(sql / "schema/1.sql", "c_miss double", "c_miss float")
    assert lock.verify(sql) == []

    edit(sql / "schema/1.sql", "p_target double", "p_target float")
    [found] = lock.verify(sql)
    assert (found.name, found.cause) == ("metric.small_cost__v1", "a column of registry.profile")


def test_a_table_may_grow(sql, edit):
    _release(sql)
    edit(sql / "schema/1.sql", "    language varchar --", "    published_at varchar, -- time\n    language varchar --")

    assert lock.verify(sql) == []


def test_values_of_a_shipped_profile_are_frozen(sql, edit):
    _release(sql)
    edit(sql / "profile/plan.toml", "0.02", "0.002")

    [found] = lock.verify(sql)
    assert re.fullmatch(
        rf"profile\.plan was released in 0\.1\.0 and its values changed \(lock {HASH}, file {HASH}\)\. Restore it, or "
        rf"give the new values a new profile\.",
        str(found),
    )


def test_a_released_view_cannot_go(sql):
    _release(sql)
    (sql / "metric/small/cost__v1.sql").unlink()

    [found] = lock.verify(sql)
    assert re.fullmatch(
        rf"metric\.small_cost__v1 was released in 0\.1\.0 and its file is missing \(lock {HASH}\)\. Restore it; a "
        rf"version that is not used any more stays\.",
        str(found),
    )


def test_writing_again_never_moves_a_released_entry(sql, edit):
    _release(sql)
    before = (sql / lock.FILE).read_bytes()
    edit(sql / "base/count__v1.sql", "'English'", "'english'")

    assert [found.name for found in build_lock.write(sql)] == ["base.count__v1", "metric.small_cost__v1"]
    assert (sql / lock.FILE).read_bytes() == before


def test_a_view_without_a_version_is_taken_up_after_its_release_too(sql, edit):
    """What it shows comes from views that have one: when such a one changes, both are named, and writing leaves it as
    it was.
    """
    report = sql / "report" / "story.sql"
    report.parent.mkdir()
    report.write_text((sql / "base/count__v1.sql").read_text().replace("title:    Stories", "title:    What is shown"))
    _release(sql)
    edit(report, "'English'", "'english'")

    [found] = lock.verify(sql)
    assert re.fullmatch(
        rf"report\.story was released in 0\.1\.0 and its SQL changed \(lock {HASH}, file {HASH}\)\. Restore it, or "
        rf"take it up with "
        r"`python -m tdtsql\.build\.lock --write`: it has no version, and shows what views with a version compute\.",
        str(found),
    )
    with pytest.raises(BrokenDefinition):
        lock.check(sql)

    assert build_lock.write(sql) == [] and lock.verify(sql) == []
    assert {name: entry.since for name, entry in lock.read_lock(sql / lock.FILE).items()}["report.story"] == "0.1.0"


def test_writing_takes_up_what_is_new_or_unreleased(sql, edit):
    build_lock.write(sql)
    edit(sql / "base/count__v1.sql", "'English'", "'english'")
    (sql / "base/other__v1.sql").write_bytes((sql / "base/count__v1.sql").read_bytes())

    assert [found.part for found in lock.verify(sql)] == ["tokens", "new", "closure"]
    assert build_lock.write(sql) == []
    assert {entry.since for entry in lock.read_lock(sql / lock.FILE).values()} == {"unreleased"}


def test_every_single_byte_of_the_lock_is_guarded(sql):
    """Flip a bit of each byte, one after the other: every time the file is refused."""
    _release(sql)
    path = sql / lock.FILE
    good = path.read_bytes()
    for position in range(len(good)):
        bad = bytearray(good)
        bad[position] ^= 1
        path.write_bytes(bytes(bad))
        with pytest.raises(BrokenDefinition, match="the lock was edited"):
            lock.read_lock(path)


def test_a_file_that_no_lock_lists_is_named_and_a_missing_lock_is_refused(tmp_path, monkeypatch):
    """semantics/own_metrics.md, section 2.1: it was left out without a word, and without a lock nothing was checked."""
    root = tmp_path / "sql"
    shutil.copytree(ROOT / "sql", root)
    monkeypatch.setattr(lock, "sql_root", lambda: root)
    assert lock.unlisted() == []
    (root / "metric" / "detection" / "rate__v9.sql").write_text("select 1")
    (root / "profile" / "mine.toml").write_text("")
    assert lock.unlisted() == ["sql/metric/detection/rate__v9.sql", "sql/profile/mine.toml"]

    (root / lock.FILE).unlink()
    with pytest.raises(BrokenDefinition, match=r"versions\.lock is missing"):
        lock.check()


def test_the_lock_of_an_installation_is_never_written(monkeypatch, capsys):
    """An installation whose views and lock were edited would compute other numbers without a message."""
    monkeypatch.setattr(build_lock, "is_installation", lambda: True)
    monkeypatch.setattr(build_lock, "write", lambda *_, **__: pytest.fail("written"))
    assert build_lock.main(["--write"]) == build_lock.main(["--release", "9.9.9"]) == 2
    assert "never written" in capsys.readouterr().err
