"""No bytes make a reader of the TDT formats raise, and every problem is well formed."""

import gzip
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tdtsql.errors import Problems
from reader_kinds import READERS, read

FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "malformed"

SEEDS: dict[str, list[bytes]] = {
    "boundary": [b"<BOUNDSET fileid=F collect_src=S collect_date=20030401_0000 src_lang=ENGLISH>\n"
                 b"<BOUNDARY docno=A doctype=NEWS Bsec=0 Esec=5 Brecid=1 Erecid=9>\n</BOUNDSET>\n"],
    "relevance": [b'<TOPICSET>\n<ONTOPIC topicid=1 level=YES docno=A fileid=F comments="NO">\n</TOPICSET>\n'],
    "auxiliary": [b"F NYT ENGLISH 20030401 12:30:14\nG NYT ARABIC 20030401_1230\n"],
    "subset": [b'<source_subset>\n<set title="a" heading="b">\n<source_file filename="F">\n</set>\n</source_subset>\n'],
    "control": [b"# nwt eng mul,nat 1\nndx/a.ndx\nndx/b.ndx\n"],
    "index_list": [b"ndx/a.ndx\nndx/b.ndx\n"],
    "index_tracking": [b"# TRACKING RECID TOPIC=5500108\n# Topic_training_story A tkn/F.tkn 1 20\ntkn/G.tkn 21\n"],
    "index_new_event": [b"# first_story time\ntkn/F.tkn\ntkn/G.tkn\n"],
    "index_link": [b"# link_detection\n# SOURCE_FILE 1 tkn/F.tkn\n# source_file tkn/G.tkn\nF:A F:B\nF:A G:C\n"],
    "index_hierarchy": [b"# hierarchical_detection docno\ntkn/F.tkn\n", b"# STORY_LIST_INDEX DOCNO\ntkn/F.tkn A B\n"],
    "tracking_output": [b"# d\nS yes 1 55001 docno\nf A YES 0.5\nf B no -1e3\n",
                        b"S no 8 5500108 recid\nf 1 YES 0.5\nf 9 no -1\n",
                        b"S no V 55001 time\nf 0 YES 0.5\ng 0.5 no 1\n"],
    "new_event_output": [b"S yes 10 recid\nf 1 YES 0.5\nf 9 no -1\n"],
    "link_output": [b"S 10\nF:A F:B YES 0.5\nF:A G:C no 1\n"],
    "tidy_nuggets": [b"event_id,nugget_id,time,importance\n1,n1,100,2\n"],
    "tidy_updates": [b"event_id,update_id,length\n1,u1,40\n"],
    "tidy_matches": [b"event_id,update_id,nugget_id,start,end\n1,u1,n1,0,10\n"],
    "tidy_events": [b"event_id,start,end\n1,100,900\n"],
    "tidy_summarization": [b"run_id,event_id,update_id,time,confidence\nr,1,u1,120,0.5\n"],
    "hierarchy_xml": [
        b'<htd system="s" rootVertex="a">\n<vertexSet>\n<vertex name="a"/>\n<vertex name="b"><story docID="s1"/> <story docID="s2"/></vertex>\n'
        b'</vertexSet>\n<edgeSet><edge srcVertex="a" destVertex="b"> </edge></edgeSet></htd>\n'
    ],
    "link_key": [b"# LINK_DETECTION\nF:A F:B TARGET 1\nF:A G:C NONTARGET 1\n"],
    "tidy_stories": [b'story_id,position,source_file,begin_recid,end_recid,published_at\nA,1,"F, G",1,2,2003-04-01\n'],
    "tidy_topics": [b'topic_id,title,is_complete\n1,"a ""b""\nc",yes\n2,,\n'],
    "tidy_judgments": [b"topic_id,story_id,label\n1,A,yes\n1,B,brief\n"],
    "tidy_trials": [b"topic_id,story_id\n1,A\n"],
    "tidy_link_trials": [b"story_id_1,story_id_2\nA,B\n"],
    "tidy_training": [b"story_id,topic_id\nA,1\n"],
    "tidy_tracking": [b"run_id,topic_id,story_id,decision,score\nr,1,A,yes,0.5\n"],
    "tidy_filtering": [b"topic_id,story_id,decision,score\n1,A,no,-1\n"],
    "tidy_new_event": [b"story_id,decision,score\nA,YES,1e3\n"],
    "tidy_link": [b"story_id_1,story_id_2,decision,score\nA,B,yes,1\n"],
}

#: pieces that change a file into a slightly wrong one
PIECES = st.sampled_from([
    b"", b" ", b"\t", b"\n", b"\r\n", b"\r", b"#", b"<", b">", b'"', b'""', b"=", b",", b":", b"/", b"\0", b"\xff",
    b"\xef\xbb\xbf", b"\xc2\xa0", b"\xe2\x80\xa8", b"\xd9\xa3", b"\x1c", b"\x85", b"0", b"-1",
     b"1e999", b"nan", b"inf", b"1_0",
    b"9" * 25, b"9" * 5000, b"YES", b"maybe", b"<!--", b"-->", b"<!DOCTYPE x [", b"</set>", b"20031399",
    b"99991231 23:59:59", b"0001-01-01T00:00:00+23:59", b"recid", b"time", b"docno", b" docno=A",
])


def check(kind: str, data: bytes, path: str = "file") -> None:
    problems = Problems(path)
    read(kind, data, problems)
    for problem in problems.found:
        assert problem.code[0] in "EW" and problem.code[1:].isdigit() and len(problem.code) == 4
        assert problem.message and problem.advice
        assert str(problem)
        assert problem.line is None or problem.line >= 1
        assert problem.column is None or problem.column >= 1


@st.composite
def mutated(draw, kind: str) -> bytes:
    data = draw(st.sampled_from(SEEDS[kind]))
    for _ in range(draw(st.integers(0, 4))):
        begin = draw(st.integers(0, len(data)))
        end = min(len(data), begin + draw(st.sampled_from([0, 0, 1, 2, 5, 30])))
        data = data[:begin] + draw(PIECES | st.binary(max_size=3)) + data[end:]
    return data


def test_every_reader_has_a_valid_seed():
    assert SEEDS.keys() == READERS.keys()
    for kind, seeds in SEEDS.items():
        for seed in seeds:
            problems = Problems("file")
            read(kind, seed, problems)
            assert problems.found == [], kind


@pytest.mark.parametrize("kind", sorted(READERS))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_a_mutated_file_never_raises(kind, data):
    check(kind, data.draw(mutated(kind)))


@settings(max_examples=150, deadline=None)
@given(data=st.binary(max_size=200))
def test_arbitrary_bytes_never_raise(data):
    for kind in READERS:
        check(kind, data)
        check(kind, data, "file.tsv")
        check(kind, data, "file.gz")


@settings(max_examples=100, deadline=None)
@given(text=st.text(max_size=200))
def test_arbitrary_text_never_raises(text):
    for kind in READERS:
        check(kind, text.encode("utf-8", "surrogatepass"))


@settings(max_examples=50, deadline=None)
@given(cut=st.integers(0, 200), kind=st.sampled_from(sorted(READERS)))
def test_a_cut_gzip_never_raises(cut, kind):
    check(kind, gzip.compress(SEEDS[kind][0], mtime=0)[:cut], "file.gz")


def test_a_malformed_fixture_of_one_kind_never_makes_another_reader_raise():
    for path in FOLDER.rglob("*"):
        if path.is_file():
            for kind in READERS:
                check(kind, path.read_bytes(), path.name)
