"""Contents of each page of the web UI, compared with direct queries on the store."""

import csv
import io
import json
import re
from urllib.parse import parse_qs, quote, urlsplit

import lanes
import pytest
from server_client import Tables, client_of

import tdtsql
from tdtsql.cookbook.saved_query import questions
from tdtsql.show.table import fixed as number
from tdtsql.serve.app import PAGES
from tdtsql.serve.server import Server
from tdtsql.report.charts import ticks

RUN = "/run?condition=trk-eng-1&run=osprey"
TOPIC = "/topic?condition=trk-eng-1&topic=70001&profile=tdt2004"
NUMBER = "/number?condition=trk-eng-1&run=osprey&metric=c_det_norm&profile=tdt2004"
COMPARE = "/compare?condition=trk-eng-1&profile=tdt2004&run=osprey&run=sparrow&run=kestrel"

#: an address of each page, and words that it must have
ADDRESSES = {
    "/": ["Leaderboards", "trk-eng-1", "north-osprey", "95 % interval"],
    RUN: ["osprey in trk-eng-1", "Numbers", "Topics", "trk_70001.out"],
    f"{RUN}&by=language": [
        "DET curves of osprey by language",
        'data-run="language=ENGLISH"',
        "topic-weighted; lower left",
    ],
    TOPIC: ["Ferry runs aground in the strait", "Stories in order of time", "Runs that detected each story", "Scores"],
    "/topics": ["Topics of", "mean c_det_norm", "Ferry runs aground in the strait"],
    "/topics?condition=trk-eng-1&search=FERRY": ["1 topic of 4 with “FERRY”", "70001"],
    "/topics?condition=trk-eng-1&search=700": ["70001", "70003"],
    "/topics?search=%3Cb%3E": ["No topic has this in its id or title."],
    "/topic?condition=ts&topic=1": ["latency_comprehensiveness", "north-osprey"],
    NUMBER: ["Computation", "metric.detection_topic_weighted__v1", "<h2>Topics</h2>"],
    f"{NUMBER}&topic=70001": [
        "p_miss = 2 / 18 = 0.111111",
        "What counted",
        "Lines of the input files",
        "judged yes: HRB20040105.0001",
    ],
    "/metrics": ["c_det_norm", "b3_f1"],
    "/metrics?task=partition": ["b3_f1"],
    "/metric?name=c_det_norm&task=tracking": [
        "normalised_cost",
        "metric.detection_rate__v1",
        "Versions",
        "/lineage.svg?name=c_det_norm",
    ],
    "/metric?name=base.trial__v1": ["base.trial__v1"],
    "/metric?name=exact_mean": ["Macro"],
    COMPARE: [
        "paired randomisation test",
        "DET curves",
        "sparrow against osprey by topic",
        "compare:c_det_norm|condition:trk-eng-1",
    ],
    "/compare": ["Update", "baseline"],
    f"{COMPARE}&baseline=kestrel": ["sparrow – kestrel"],
    "/sql": ["report.score", "Relations"],
    "/sql?q=" + quote("select 42 as answer"): ["answer", "42", "1 row."],
    "/cookbook": ["worst_topics", "Topics"],
    "/question?name=worst_topics&run=osprey": ["Result", "70"],
    "/question?name=worst_topics": ["Required: run."],
    "/question?name=drift": ["opens another file"],
    "/subsets": ["No condition of this store has a key of trials."],
    "/ledger": ["Entries, newest first", "compute"],
    "/audit": ["invariants: 0 violated"],
}


def page(client, address: str, status: int = 200) -> str:
    answer = client.get(address)
    assert answer.status_code == status, answer.text[:2000]
    return answer.text


@pytest.mark.sample(14)
@pytest.mark.parametrize("address", ADDRESSES)
def test_every_page_says_what_it_is_about(client, address):
    text = page(client, address)

    lacking = [words for words in ADDRESSES[address] if words not in text and words not in re.sub(r"<[^>]+>", "", text)]
    assert (lacking, "['" in text) == ([], False)
    assert '<html lang="en">' in text and "Skip to the content" in text and 'name="viewport"' in text


def test_every_page_has_a_test():
    assert {urlsplit(address).path for address in ADDRESSES} == set(PAGES)


def test_every_link_leads_to_a_page(client):
    """Links of each page, one of each kind of address, lead somewhere that answers."""
    kinds = {}
    for address in ADDRESSES:
        for link in Tables(page(client, address)).links:
            assert link.startswith(("/", "#")), link
            if link.startswith("/"):
                parts = urlsplit(link)
                kinds.setdefault((parts.path, *sorted(parse_qs(parts.query))), link)
    assert len(kinds) > 20
    for link in kinds.values():
        assert client.get(link).status_code == 200, link


def test_controls_have_labels_and_ids_are_there_once(client):
    for address in ADDRESSES:
        text = page(client, address)
        ids = Tables(text).ids
        assert len(ids) == len(set(ids)), address
        for control in re.findall(r"<(?:select|textarea|input)\b[^>]*>", text):
            before = text[: text.index(control)]
            of_label = before.rfind("<label") > before.rfind("</label>")
            assert 'type="hidden"' in control or of_label or re.search(r'id="q"', control), control


def test_the_leaderboards_are_those_of_the_store(client, example_store):
    found = {}
    for table in Tables(page(client, "/")).tables:
        if table[0][:3] == ["run", "rank", "value"]:
            found[tuple(tuple(row[:3]) for row in table[1:])] = [row[3] for row in table[1:]]
    with tdtsql.connect(example_store, read_only=True) as store:
        rows = store.sql(
            "select condition_id, profile_id, subset, run_id, position, value from report.leaderboard order by 1, 2, "
            "3, position, run_id"
        ).fetchall()
    wanted = {}
    for condition, profile, subset, run, position, value in rows:
        wanted.setdefault((condition, profile, subset), []).append(
            (run, "–" if value is None else str(position), number(value))
        )

    assert set(found) == set(map(tuple, wanted.values()))
    assert any("…" in interval for intervals in found.values() for interval in intervals)


def test_a_topic_tells_who_found_what(client, example_store):
    tables = Tables(page(client, TOPIC)).tables
    stories = next(table for table in tables if table[0][0] == "story")
    with tdtsql.connect(example_store, read_only=True) as store:
        rows = store.sql("""
            select story_id, count(*) filter (decision = 'yes'), max(is_target), string_agg(run_id, ', '
            order by run_id) filter (decision = 'yes') from report.trial
            where condition_id = 'trk-eng-1' and block_id = '70001' and profile_id = 'tdt2004' group by story_id
            having max(is_target) = 1 or count(*) filter (decision = 'yes') > 0""").fetchall()

    assert {(row[0], row[4].split()[0], row[5]) for row in stories[1:]} == {
        (story, str(n), who or "none") for story, n, _, who in rows
    }
    assert (
        sum(row[3].startswith("on topic") for row in stories[1:]) == sum(is_target for _, _, is_target, _ in rows) > 0
    )
    assert ["osprey", "18", "16", "2", "8", "0.1111", "0.0825", "0.5152"] in tables[0]


def test_marks_of_the_timeline_are_the_counts(client):
    text = page(client, TOPIC)

    # 18 targets in the first lane; osprey: 16 found, 2 missed, 8 reported wrongly
    assert len(re.findall(r"on topic: place [\d,]+, target", text)) == 18
    assert [len(re.findall(rf"osprey: place [\d,]+, {kind}", text)) for kind in ("hit", "miss", "false alarm")] == [
        16,
        2,
        8,
    ]


def test_a_comparison_is_that_of_the_library(client, example_store):
    table = next(table for table in Tables(page(client, COMPARE)).tables if table[0][:2] == ["run", "against"])
    with tdtsql.connect(example_store, read_only=True) as store:
        answer = store.compare("osprey", "sparrow", "kestrel", condition="trk-eng-1", profile="tdt2004")
        rows = [dict(zip(answer.columns, row, strict=True)) for row in answer.fetchall()]

    assert [(row[0], row[1], row[5], row[9]) for row in table[1:]] == [
        (row["run_id"], row["baseline_id"], number(row["difference"], signed=True), number(row["p_adjusted"]))
        for row in rows
    ]


def test_a_store_of_items_speaks_of_items(tmp_path):
    with tdtsql.connect(tmp_path / "quiz.duckdb", create=True) as store:
        store.add_corpus("k")
        store.add_condition("quiz", corpus="k", task="items")
        for run, scores in (("base", [1, 0, 1]), ("new", [1, 1, 0])):
            store.add_run(run, condition="quiz", decisions={"item_id": ["q1", "q2", "q3"], "score": scores})
    server = Server(str(tmp_path / "quiz.duckdb"))
    try:
        client = client_of(server)
        text = page(client, "/topics")
        assert '<a href="/topics" aria-current="page">Items</a>' in text and ">Topics<" not in text
        assert Tables(text).tables[0][0] == ["item", "runs", "mean score", "least", "most"]  # no titles
        numbers = {(row[0], row[1]): row[2] for row in Tables(page(client, "/run?condition=quiz&run=new")).tables[0]}
        assert numbers["score", "topic"] == "0.6667" and numbers["score.n_sample", "story"] == "3"
        # saved queries take the measure of the condition, which is no primary metric of the task
        assert [
            row[2:5] for row in Tables(page(client, "/question?name=worst_topics&run=new&limit=1")).tables[0][1:]
        ] == [["score", "q3", "0.0"]]
        assert [row[2] for row in Tables(page(client, "/question?name=wins&run=new")).tables[0][1:]] == ["score"]
        compared, items = Tables(page(client, "/compare?condition=quiz&run=base&run=new")).tables
        assert "<label>missing items<select" in page(client, "/compare?condition=quiz")
        assert compared[0][2] == "items" and compared[1][2:6] == ["3", "0.6667", "0.6667", "+0.0000"]
        assert [row[3] for row in items[1:]] == ["+1.0000", "-1.0000", "+0.0000"]
    finally:
        server.close()


def test_the_baseline_is_chosen(client):
    """The first run of the address, unless it names another: a form sends runs in the order of their names."""

    def against(address: str) -> set[str]:
        return {
            row[1]
            for row in next(
                table for table in Tables(page(client, address)).tables if table[0][:2] == ["run", "against"]
            )[1:]
        }

    assert [
        against(COMPARE),
        against(f"{COMPARE}&baseline=kestrel"),
        against("/compare?condition=trk-eng-1&baseline=sparrow&run=osprey"),
    ] == [{"osprey"}, {"kestrel"}, {"sparrow"}]
    assert '<select name="baseline"><option value="kestrel">kestrel</option><option value="osprey" selected>' in page(
        client, COMPARE
    )


def test_a_question_of_the_cookbook_is_answered_as_by_the_library(client, example_store):
    table = next(
        table
        for table in Tables(page(client, "/question?name=worst_topics&run=osprey&limit=3")).tables
        if "block_id" in table[0]
    )
    with tdtsql.connect(example_store, read_only=True) as store:
        answer = store.ask("worst_topics", run="osprey", limit=3)
        columns, rows = answer.columns, answer.fetchall()

    assert table[0] == columns and len(rows) == 3
    place = columns.index("block_id")
    assert [row[place] for row in table[1:]] == [row[place] for row in rows]


@pytest.mark.full
def test_every_question_has_a_page(client):
    for name, question in questions().items():
        text = page(client, f"/question?name={name}")
        assert (
            all(f'name="{parameter.name}"' in text for parameter in question.parameters) or question.reads_another_store
        )
        assert question.reads_another_store or "Query rejected" not in text


def test_no_parameter_of_a_question_is_called_as_the_address_calls_its_own():
    from tdtsql.serve.cookbook import _OWN

    assert not {parameter.name for question in questions().values() for parameter in question.parameters} & set(_OWN)


def test_a_topic_whose_stories_are_too_many_shows_its_numbers(server, monkeypatch):
    from tdtsql.errors import InvalidQuery
    from tdtsql.serve import topic

    for said in ("the query took longer than 8 s", "query rejected: it needs more memory than it may have"):

        def trials(*_, said=said):
            raise InvalidQuery(said)

        monkeypatch.setattr(topic, "_trials", trials)
        text = page(client_of(server), TOPIC)
        assert "or exceeded the memory of a page" in text and "0.5152" in text


def test_an_audit_without_time_for_an_invariant_says_so(server, monkeypatch):
    from tdtsql.errors import InvalidQuery
    from tdtsql.serve import ledger

    def late():
        raise InvalidQuery("the query took longer than 8 s and was stopped.")

    checks = ledger.checks
    monkeypatch.setattr(ledger, "checks", lambda engine: [late, *checks(engine)[1:3]])
    text = page(client_of(server), "/audit")

    assert "2 invariants: 0 violated, 0 warnings." in text and "1 more are unchecked" in text


# ---- the SQL page


QUERY = (
    "select run_id, metric, value from report.score where condition_id = 'trk-eng-1' and profile_id = 'tdt2004' and "
    "weighting = 'topic' and subset = 'all'"
)


def test_the_answer_to_a_query_can_be_sorted_by_a_link(client):
    text = page(client, f"/sql?q={quote(QUERY)}")
    by_value = next(link for link in Tables(text).links if "sort=3" in link)
    up = Tables(page(client, by_value)).tables[0]
    down = Tables(
        page(
            client, next(link for link in Tables(page(client, by_value)).links if "sort=3" in link and "down=1" in link)
        )
    ).tables[0]

    values = [float(row[2]) for row in up[1:] if row[2] != "NULL"]
    assert values == sorted(values) and len(values) > 10
    assert [float(row[2]) for row in down[1:] if row[2] != "NULL"] == values[::-1]


def test_the_same_address_gives_the_same_table(client):
    address = f"/sql?q={quote('select run_id, count(*) as n from report.score group by run_id')}"
    first = Tables(page(client, address)).tables[0]

    assert first == Tables(page(client, address)).tables[0]
    assert [row[0] for row in first[1:]] == sorted(row[0] for row in first[1:])


def test_an_address_with_a_query_has_the_hash_of_the_data(client, server):
    answer = client.get(f"/sql?q={quote(QUERY)}", follow_redirects=False)

    assert answer.status_code == 302 and parse_qs(urlsplit(answer.headers["location"]).query) == {
        "q": [QUERY],
        "data": [server.head],
    }
    assert "have changed" not in page(client, answer.headers["location"])
    assert f"were those of ledger hash {'0' * 16}, and are those of {server.head}" in page(
        client, f"/sql?q={quote(QUERY)}&data={'0' * 16}"
    )


def test_a_long_answer_is_cut_and_says_so(client):
    text = page(client, "/sql?q=from+range(5000)")

    assert "The first 500 rows; there are more." in text and len(Tables(text).tables[0]) == 501


@pytest.mark.parametrize(
    "query",
    [
        "describe report.score",
        "explain select 1",
        "select 1 -- x",
        "select 1;",
        "values (1), (2)",
        "select timestamptz '2026-11-22 10:00:00+00' as t",
    ],
)
def test_other_forms_of_queries(client, query):
    assert "Result" in page(client, f"/sql?q={quote(query)}")


def test_an_answer_as_a_file(client, example_store):
    parts = f"{QUERY} order by 1, 2"
    with tdtsql.connect(example_store, read_only=True) as store:
        rows = store.sql(parts).fetchall()

    as_csv = client.get(f"/download?q={quote(parts)}&form=csv")
    assert as_csv.headers["content-disposition"] == 'attachment; filename="answer.csv"'
    read = list(csv.reader(io.StringIO(as_csv.text)))
    assert (
        read[0] == ["run_id", "metric", "value"]
        and [(run, metric, float(value) if value else None) for run, metric, value in read[1:]] == rows
    )
    assert [tuple(row.values()) for row in json.loads(client.get(f"/download?q={quote(parts)}&form=json").text)] == rows
    parquet = pytest.importorskip("pyarrow.parquet")
    table = parquet.read_table(io.BytesIO(client.get(f"/download?q={quote(parts)}&form=parquet").content))
    assert list(zip(*(column.to_pylist() for column in table.columns))) == rows


def test_a_downloaded_cell_is_no_formula_and_one_cell(client):
    query = (
        "select '=1+1' as a, '@a' as b, '-1' as c, chr(9) || '=1' as d, 'x' || chr(13) || 'y' as e, -1.5::double as f"
    )

    text = client.get(f"/download?q={quote(query)}&form=csv").text

    assert text == "a,b,c,d,e,f\n'=1+1,'@a,'-1,'\t=1,\"x\ry\",-1.5\n"


def test_a_file_has_the_order_of_the_page(client):
    text = page(client, f"/sql?q={quote(QUERY)}&sort=3&down=1")
    [shown] = [table for table in Tables(text).tables if table[0] == ["run_id", "metric", "value"]]
    for form in ("csv", "json", "parquet"):
        [link] = [link for link in Tables(text).links if link.startswith("/download") and f"form={form}" in link]
        answer = client.get(link)
        assert answer.status_code == 200
        if form == "csv":
            assert [row[:2] for row in csv.reader(io.StringIO(answer.text))] == [row[:2] for row in shown]
        elif form == "json":
            assert [[row["run_id"], row["metric"]] for row in json.loads(answer.text)] == [row[:2] for row in shown[1:]]
    # of equal values the other columns decide
    assert (
        client.get(
            f"/download?q={quote('select * from (values (1, 3), (0, 9), (1, 2)) as t (a, b)')}&sort=1&down=1&form=csv"
        ).text
        == "a,b\n1,2\n1,3\n0,9\n"
    )


def test_no_file_of_other_data_than_the_address_says(client, server):
    refused = client.get(f"/download?q=select+1&data={'0' * 16}")

    assert refused.status_code == 409 and f"ledger hash {'0' * 16}, and are those of {server.head}" in refused.text
    assert client.get(f"/download?q=select+1&data={server.head}").status_code == 200


def test_an_answer_of_the_cookbook_as_a_file(client, example_store):
    pq = pytest.importorskip("pyarrow.parquet")
    text = page(client, "/question?name=worst_topics&run=osprey&condition=trk-eng-1")
    with tdtsql.connect(example_store, read_only=True) as store:
        answer = store.ask("worst_topics", run="osprey", condition="trk-eng-1")
        columns, rows = answer.columns, answer.fetchall()
    files = {
        parse_qs(urlsplit(link).query)["form"][0]: client.get(link)
        for link in Tables(text).links
        if link.startswith("/download")
    }

    assert set(files) == {"csv", "json", "parquet"} and len(rows) > 3
    read = list(csv.reader(io.StringIO(files["csv"].text)))
    assert read[0] == columns and [row[:4] for row in read[1:]] == [list(row[:4]) for row in rows]
    assert [tuple(row.values()) for row in json.loads(files["json"].text)] == rows
    assert (
        list(zip(*(column.to_pylist() for column in pq.read_table(io.BytesIO(files["parquet"].content)).columns)))
        == rows
    )


@pytest.mark.full
def test_an_answer_of_the_cookbook_is_sorted_whole_and_goes_on_as_a_query(client):
    """Sorting is of all rows, not of those that a page shows; the link to the SQL page asks the same."""
    text = page(client, "/question?name=story_history&story=HRB20040105.0001")
    [onward] = [link for link in Tables(text).links if link.startswith("/sql?q=")]
    there = Tables(page(client, onward)).tables[0]
    rows = next(table for table in Tables(text).tables if table[0] == there[0])

    assert len(rows) > 10 and there == rows
    long = page(client, "/question?name=judgment_effect")
    assert "The first 500 rows; there are more." in long
    stories = [row["story_id"] for row in json.loads(client.get("/download?name=judgment_effect&form=json").text)]
    up = next(link for link in Tables(long).links if "sort=5" in link and link.startswith("/question"))
    down = next(link for link in Tables(page(client, up)).links if "sort=5" in link and "down=1" in link)
    for link, wanted in ((up, sorted(stories)), (down, sorted(stories, reverse=True))):
        table = next(table for table in Tables(page(client, link)).tables if "story_id" in table[0])
        assert [row[table[0].index("story_id")] for row in table[1:]] == wanted[:500]


def test_files_of_nothing_and_of_what_is_not_finite(client):
    assert json.loads(client.get("/download?q=select+1+as+a+where+false&form=json").text) == []
    assert client.get("/download?q=select+1+as+a+where+false").text == "a\n"
    values = quote(
        "select 'inf'::double as a, 'nan'::double as b, null as c, date '2026-11-22' as d, [1, 2] as e, 0.1::double "
        "as f"
    )
    assert (
        client.get(f"/download?q={values}&form=json").text
        == '[{"a": "inf", "b": null, "c": null, "d": "2026-11-22", "e": [1, 2], "f": 0.10000000000000001}]\n'
    )


def test_many_rows_are_written_as_they_come(client):
    n_byte = n_line = 0
    with client.stream("GET", f"/download?q={quote('select range as n from range(1000000)')}&form=csv") as answer:
        for piece in answer.iter_bytes():
            n_byte += len(piece)
            n_line += piece.count(b"\n")

    assert (n_line, n_byte) == (1_000_001, 6_888_892)


def test_the_lineage_is_a_drawing_with_a_policy_of_its_own(client):
    answer = client.get("/lineage.svg?name=c_det_norm&task=tracking")

    assert answer.headers["content-type"] == "image/svg+xml" and "metric.detection_rate__v1" in answer.text
    assert answer.headers["content-security-policy"] == "default-src 'none'; style-src 'unsafe-inline'"


@pytest.mark.parametrize(
    ("low", "high", "marks"),
    [
        (0.0, 1.0, [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]),
        (-2.5, 1.0, [-2.0, -1.0, 0.0, 1.0]),
        (3.0, 3.0, [3.0]),
        (0.0, 6.0, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
        (10.0, 70.0, [10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0]),
        (0.0, 5e-324, [0.0]),
    ],
)
def test_ticks_are_round_numbers(low, high, marks):
    assert ticks(low, high) == pytest.approx(marks)


@pytest.mark.parametrize(
    ("address", "status", "words"),
    [
        ("/nothing", 404, "Page not found"),
        ("/run", 404, "has no parameter condition"),
        ("/run?condition=trk-eng-1&run=nobody", 404, "nobody"),
        ("/topic?condition=trk-eng-1&topic=1", 404, "is not in condition"),
        ("/number?condition=trk-eng-1&run=osprey&metric=nothing", 404, "no stored nothing"),
        ("/metric?name=nothing", 404, "nothing"),
        ("/question?name=nothing", 404, "nothing"),
        ("/ledger?before=x", 400, "expected the number"),
        ("/sql?q=selec", 400, "query rejected"),
        ("/sql?q=select+1&sort=9", 400, "sorts by column 9"),
        ("/question?name=worst_topics&run=nobody", 400, "nobody"),
        ("/compare?condition=trk-eng-1&run=osprey&run=sparrow&test=none", 400, "expected one of"),
        ("/assets/../app.py", 404, ""),
        ("/assets/app.py", 404, ""),
        ("/download?q=selec", 400, "query rejected"),
        ("/download?q=select+1&form=xlsx", 400, "csv, json, parquet"),
        ("/download?name=worst_topics", 400, "needs run"),
        ("/download?name=nothing", 400, "nothing"),
        ("/download?name=drift&other=x", 400, "opens another file"),
        ("/download?q=select+1&sort=2", 400, "sorts by column 2"),
        ("/download", 400, "has no parameter q"),
    ],
)
def test_what_is_not_there_is_said(client, address, status, words):
    assert words in page(client, address, status)


def test_a_huge_cell_is_cut_by_the_engine(client):
    """Nothing interrupts what Python makes of a cell, and the limit of memory does not count it."""
    page = client.get(
        "/sql", params={"q": "select repeat('x', 5000000) as a, list_resize([7], 50000, 7) as b, 1.5 as c"}
    )

    assert page.status_code == 200 and len(page.text) < 100_000
    assert "x" * 10_000 in page.text and "x" * 10_001 not in page.text and "[7, 7" in page.text


@pytest.mark.full
def test_a_comparison_on_a_subset_draws_its_curves(client):
    """Curves of subsets are not stored: the page computes them."""
    whole, english = page(client, COMPARE), page(client, COMPARE + "&subset=language%3DENGLISH")
    arabic = page(client, COMPARE + "&subset=language%3DARABIC")

    assert "<svg" in english and "DET curve" in whole
    assert english.count("<svg") == arabic.count("<svg") == whole.count("<svg")


@lanes.both
def test_a_server_without_names_shows_pseudonyms_everywhere(example_store):
    """Pages, links, drawings, downloads and typed SQL: the names are not in the store that the server has open."""
    with tdtsql.connect(str(example_store), read_only=True) as store:
        names = [run for [run] in store.engine.rows("select distinct run_id from registry.run")]
        [[digits]] = store.engine.rows(
            "select arg_min(content_sha256, run_no)[:6] from registry.run where run_id = 'osprey'"
        )
    pseudonym = f"run-{digits}"
    server = Server(str(example_store), blind=True)
    client = client_of(server)
    try:
        todo, seen, texts = ["/"], set(), {}
        while todo and len(texts) < 40:
            address = todo.pop(0)
            kind = urlsplit(address).path
            n_same = sum(urlsplit(other).path == kind for other in texts)
            if n_same >= lanes.number(default=1, full=3) or not kind.startswith("/"):
                continue
            texts[address] = client.get(address).text
            todo += [link for link in Tables(texts[address]).links if link not in seen]
            seen |= set(todo)
        found = re.findall(r"condition=trk-eng-1&amp;run=(run-\w+)", texts["/"])
        other = next(run for run in found if run != pseudonym)
        query = quote("select run_id, system, subject from registry.run, ledger.entry limit 3")
        for address in (
            RUN.replace("osprey", pseudonym),
            NUMBER.replace("osprey", pseudonym),
            TOPIC,
            f"/compare?condition=trk-eng-1&profile=tdt2004&run={pseudonym}&run={other}",
            f"/sql?q={query}",
            f"/download?q={query}",
            "/question?name=accepted_warnings",
        ):
            texts[address] = page(client, address)
        assert {"/run", "/topics", "/topic", "/number", "/metric", "/question"} <= {urlsplit(at).path for at in texts}
        for address, text in texts.items():
            found = [name for name in names if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text)]
            assert not found, f"{address} names {found}"
        assert pseudonym in texts["/"] and "each run has a pseudonym" in texts["/"]
        assert "/ledger" not in texts["/"]
        assert client.get("/ledger").status_code == client.get("/audit").status_code == 404
        assert client.get(RUN).status_code == 404
    finally:
        server.close()


@pytest.mark.parametrize("name", ["page", "server"])
def test_a_dark_screen_has_the_colours_of_the_dark_theme(client, name):
    """Whoever has chosen nothing gets them from the browser: the same properties, with the same values."""
    style = page(client, f"/assets/{name}.css")

    def colours(rule: str) -> dict[str, str]:
        text = re.search(re.escape(rule) + r" \{([^}]*)\}", style)[1]
        return dict(re.findall(r"(--[\w-]+): ([^;]+);", text))

    chosen = colours(':root[data-theme="dark"]')
    assert chosen and colours(':root:not([data-theme="light"])').items() >= chosen.items()
