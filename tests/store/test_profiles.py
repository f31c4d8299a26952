"""Profiles of a store: written where they differ, left alone where they do not."""

import tdtsql
from inside import load_profiles


def rows(store):
    return store.sql("select * from registry.profile order by profile_no").fetchall()


def test_a_changed_shipped_profile_is_put_right_under_its_number():
    with tdtsql.connect(":memory:") as store:
        shipped = rows(store)
        store.engine.execute("update registry.profile set c_miss = 3 where profile_id = 'tdt2004'")
        store.engine.execute("update registry.profile set b3_unjudged = 'zero' where profile_id = 'tdt3eval'")

        load_profiles(store.engine, {}, "")

        assert sorted(rows(store)) == sorted(shipped)


def test_only_what_differs_is_written(monkeypatch):
    with tdtsql.connect(":memory:") as store:
        load_profiles(store.engine, {"mine": {"base": "f4de", "c_miss": 2.0}}, "test")
        written = []
        monkeypatch.setattr(type(store.engine), "execute", lambda engine, sql, parameters=None: written.append(sql))

        load_profiles(store.engine, {"mine": {"base": "f4de", "c_miss": 2.0}}, "test")
        assert written == []

        load_profiles(store.engine, {"mine": {"base": "f4de", "c_miss": 5.0}}, "test")
        assert [sql.split()[0] for sql in written] == ["delete", "insert"]
