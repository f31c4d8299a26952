"""Rows of the official files stand in ``staging`` as found, with file and line."""

import shutil


import tdtsql
from places import EXAMPLE


def test_every_boundary_stands_at_its_line(own_example):
    rows = own_example.engine.rows(
        "select path, line, docno, doctype, begin_recid from staging.boundary where owner = 'corpus:example'"
    )
    assert rows
    for path, line, docno, doctype, begin in rows:
        text = (EXAMPLE / path).read_text(encoding="utf-8").splitlines()[line - 1]
        assert f"docno={docno} doctype={doctype} " in text
        assert begin is None or f"Brecid={begin} " in text


def test_every_judgment_stands_at_its_line(own_example):
    rows = own_example.engine.rows("select path, line, topic_id, level, docno from staging.on_topic")
    written = sum(
        line.startswith("<ONTOPIC")
        for path in EXAMPLE.glob("corpus/*.rel")
        for line in path.read_text(encoding="utf-8").splitlines()
    )
    assert len(rows) == written
    for path, line, topic, level, docno in rows:
        text = (EXAMPLE / path).read_text(encoding="utf-8").splitlines()[line - 1]
        assert f"topicid={topic} " in text and f"docno={docno} " in text and f"level={level.upper()} " in text


def test_training_stories_and_source_files_of_the_indexes(own_example):
    for table, sign in (("training_story", "# Topic_training_story {0} "), ("index_file", "tkn/{0}.tkn")):
        column = "docno" if table == "training_story" else "source_file"
        rows = own_example.engine.rows(
            f"select path, line, {column} from staging.{table} where owner = 'condition:trk-eng-1'"
        )
        assert rows
        for path, line, name in rows:
            text = (EXAMPLE / path).read_text(encoding="utf-8").splitlines()[line - 1]
            assert text.startswith(sign.format(name)), (path, line)


def test_a_second_evaluation_stages_nothing_twice(own_example):
    before = own_example.engine.rows("select count(*) from staging.boundary")
    own_example.evaluate(EXAMPLE / "bundle.toml")
    assert own_example.engine.rows("select count(*) from staging.boundary") == before


def test_a_dropped_corpus_leaves_no_rows(example_store, tmp_path):
    with tdtsql.connect(shutil.copy(example_store, tmp_path)) as store:
        store.drop_corpus("example", yes=True)
        for table in store.engine.column(
            "select schema_name || '.' || table_name from duckdb_tables() where schema_name = 'staging'"
        ):
            assert store.engine.value(f"select count(*) from {table}") == 0, table
