"""Pages of the web UI: lists of sections, whose rows are those of the saved queries."""

import csv
import io
import json
import functools
import re
from urllib.parse import quote, urlsplit

import lanes
import pytest
from markupsafe import escape
from server_client import Tables, client_of

import tdtsql
from tdtsql.serve.pages import PAGES, SHOWN_ROWS
from tdtsql.serve.server import Server
from tdtsql.show.section import page_of, questions

RUN = "/run?condition=trk-eng-1&run=osprey&profile=tdt2004"
TOPIC = "/topic?condition=trk-eng-1&topic=70001&profile=tdt2004"
NUMBER = "/number?condition=trk-eng-1&run=osprey&metric=c_det_norm&profile=tdt2004"
COMPARE = "/compare?condition=trk-eng-1&profile=tdt2004"
CONDITION = "/condition?condition=trk-eng-1&profile=tdt2004"

#: an address of each page, and words that it must have
ADDRESSES = {
    "/": ["Leaderboard", "trk-eng-1", "north-osprey"],
    CONDITION: ["DET curves", "Compare the runs", "Heat map"],
    RUN: ["osprey · trk-eng-1", "trk_70001.out", "DET curves", "All scores"],
    "/run?condition=htd-mul&run=osprey": ["Hierarchies from the top", "best for"],
    "/run?condition=ts&run=north-osprey": ["comprehensiveness_tau"],
    TOPIC: ["70001 · trk-eng-1", "Numbers on a topic", "c_det_norm"],
    NUMBER: ["metric.detection_topic_weighted__v1", "0.3603"],
    COMPARE: ["kestrel", "sparrow"],
    "/metrics": ["c_det_norm", "metric.detection_rate__v1"],
    "/metric?metric=c_det_norm": ["metric.detection_rate__v1"],
    "/metric?metric=base.trial__v1": ["base.trial__v1"],
    "/sql": ["report.leaderboard"],
    "/sql?q=" + quote("select 42 as answer"): ["answer", "42"],
    "/sql?name=worst_topics&run=osprey": ["Result", "70001"],
    "/sql?name=worst_topics": ["required"],
    "/sql?name=drift": ["opens another file"],
    "/cookbook": ["worst_topics", "det_curves"],
    "/ledger": ["entry no", "define"],
}


@functools.cache
def page(client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, (address, answer.text[-1500:])
    return answer.text


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_page_says_what_it_is_about(client, address):
    text = page(client, address)
    assert not [words for words in ADDRESSES[address] if words not in text]
    assert "undefined" not in re.sub(r"<title>.*?</title>", "", text).lower().partition("<main")[0]
    # controls have labels, and ids are there once
    ids = Tables(text).ids
    assert len(ids) == len(set(ids))
    for control in re.findall(r"<(?:select|input|textarea)\b[^>]*>", text):
        before = text[: text.index(control)]
        is_labelled = before.rfind("<label") > before.rfind("</label>")
        assert is_labelled or 'id="q"' in control or 'type="hidden"' in control, control


def test_every_page_has_an_address_here():
    assert {*PAGES, "/sql", "/cookbook"} == {urlsplit(address).path for address in ADDRESSES}


@lanes.both
def test_every_link_leads_to_a_page(client):
    seen: dict[str, int] = {}
    for address in ADDRESSES:
        for link in Tables(page(client, address)).links:
            kind = urlsplit(link).path
            if link.startswith("/") and seen.get(kind, 0) < lanes.number(default=1, full=12):
                seen[kind] = seen.get(kind, 0) + 1
                assert client.get(link).status_code == 200, (address, link)
    assert {"/condition", "/run", "/topic", "/metric", "/sql", "/download", "/number"} <= set(seen)


@pytest.mark.parametrize(
    ("address", "given"),
    [
        (RUN, {"condition": "trk-eng-1", "run": "osprey", "profile": "tdt2004"}),
        (TOPIC, {"condition": "trk-eng-1", "topic": "70001", "profile": "tdt2004"}),
        (COMPARE, {"condition": "trk-eng-1", "profile": "tdt2004"}),
    ],
)
def test_a_page_is_its_sections_with_their_rows(client, example_store, address, given):
    """Each section that has rows is there; a table has as many lines as its query rows."""
    text = page(client, address)
    sections = dict(re.findall(r'<section id="(\w+)">(.*?)</section>', text, re.DOTALL))
    with tdtsql.connect(str(example_store), read_only=True) as store:
        for query in page_of(store.engine, urlsplit(address).path[1:]):
            known = {one.name for one in query.parameters}
            if any(one.is_needed and one.name not in given for one in query.parameters):
                assert query.name not in sections
                continue
            n_row = len(
                store.ask(query.name, **{key: value for key, value in given.items() if key in known}).fetchall()
            )
            assert (query.name in sections) == bool(n_row), query.name
            if n_row and query.show.kind == "table":
                found = sum(len(table) - 1 for table in Tables(sections[query.name]).tables)
                assert found == min(n_row, SHOWN_ROWS), query.name


@pytest.mark.parametrize("name", [name for name, query in questions().items() if not query.reads_another_store])
@pytest.mark.sample(6)
def test_every_saved_query_has_a_page(client, name):
    needed = "".join(
        f"&{one.name}=osprey" for one in questions()[name].parameters if one.is_needed and one.type == "run"
    )
    answer = client.get(f"/sql?name={name}{needed}")
    assert answer.status_code in (200, 400) and escape(questions()[name].question.partition(",")[0][:20]) in answer.text


def test_the_same_address_gives_the_same_table_and_a_long_one_is_cut(client):
    address = f"/sql?q={quote('select run_id, value from report.score')}"
    first = Tables(page(client, address)).tables[0]
    assert first == Tables(page(client, address)).tables[0] and len(first) == SHOWN_ROWS + 1
    assert len(page(client, "/sql?q=" + quote("select repeat('x', 10000000) as a"))) < 100_000


def test_an_answer_as_a_file(client, example_store):
    query = quote("select run_id, value from report.leaderboard order by all")
    with tdtsql.connect(str(example_store), read_only=True) as store:
        rows = store.sql("select run_id, value from report.leaderboard order by all").fetchall()
    found = list(csv.reader(io.StringIO(client.get(f"/download?q={query}").text)))
    assert [(run, float(value) if value else None) for run, value in found[1:]] == rows
    assert [tuple(row.values()) for row in client.get(f"/download?q={query}&form=json").json()] == rows
    parquet = client.get(f"/download?q={query}&form=parquet")
    assert parquet.content[:4] == b"PAR1" and "answer.parquet" in parquet.headers["content-disposition"]
    saved = client.get("/download?name=worst_topics&run=osprey&form=json")
    assert len(json.loads(saved.text)) > 3


def test_a_downloaded_cell_is_no_formula_and_one_cell(client):
    query = quote("select '=1+1' as a, 'x,\"y\"' as b, chr(13) || '1' as \"=c\", null as d, -1 as e")
    assert list(csv.reader(io.StringIO(client.get(f"/download?q={query}").text, newline=""))) == [
        ["a", "b", "'=c", "d", "e"],
        ["'=1+1", 'x,"y"', "'\r1", "", "-1"],
    ]


def test_downloaded_json_has_every_name_once_and_infinite_numbers_as_texts(client):
    query = quote("select 1 as a, 2 as a, 'infinity'::double as b, 'nan'::double as c, 0.1::double as d, 'é' as e")
    answer = client.get(f"/download?form=json&q={query}").text
    assert json.loads(answer, parse_constant=pytest.fail) == [
        {"a": 1, "a_1": 2, "b": "inf", "c": None, "d": 0.1, "e": "é"}
    ]


@lanes.both
def test_a_server_without_names_shows_pseudonyms_everywhere(example_store):
    """Pages, links, drawings, downloads and typed SQL: the names are not in the store that the server has open."""
    with tdtsql.connect(str(example_store), read_only=True) as store:
        names = store.engine.column("select distinct run_id from registry.run")
        digits = store.engine.value(
            "select arg_min(content_sha256, run_no)[:6] from registry.run where run_id = 'osprey'"
        )
    server, pseudonym = Server(str(example_store), blind=True), f"run-{digits}"
    client = client_of(server)
    query = quote("select run_id, system, subject from registry.run, ledger.entry limit 3")
    try:
        for address in (
            "/",
            RUN.replace("osprey", pseudonym),
            NUMBER.replace("osprey", pseudonym),
            TOPIC,
            COMPARE,
            f"/sql?q={query}",
            f"/download?q={query}",
            "/sql?name=accepted_warnings",
        ):
            text = page(client, address)
            found = [name for name in names if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text)]
            assert not found, f"{address} names {found}"
        text = page(client, "/")
        assert pseudonym in text and "each run has a pseudonym" in text and "/ledger" not in text
        assert client.get("/ledger").status_code == client.get(RUN).status_code == 404
    finally:
        server.close()
