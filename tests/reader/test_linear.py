"""Ten times the lines take about ten times the time, in every reader, for files as they should be and as they should
not.

What is quadratic takes a hundred times as long; the bound between the two is wide, since a
machine is sometimes busy, and what is over at once is not measured.
"""

import re
import time
from pathlib import Path

import pytest

import tdtsql
from reader_kinds import READERS
from tdtsql.errors import Problems

#: the beginning of a file of a kind, and a line of which there may be any number ({i} is its number)
FILES = {
    "boundary": (
        "<BOUNDSET fileid=F collect_src=S collect_date=20030401_0000 src_lang=ENGLISH>\n",
        "<BOUNDARY docno=A{i} doctype=NEWS Bsec={i} Esec={i} Brecid={i} Erecid={i}>",
    ),
    "relevance": ("<TOPICSET>\n", '<ONTOPIC topicid=1 level=YES docno=A{i} fileid=F comments="NO">'),
    "auxiliary": ("", "F{i} NYT ENGLISH 20030401 12:30:14"),
    "subset": ('<source_subset>\n<set title="a" heading="b">\n', '<source_file filename="F{i}">'),
    "control": ("# nwt eng mul,nat 1\n", "ndx/a{i}.ndx"),
    "index_list": ("", "ndx/a{i}.ndx"),
    "index_tracking": ("# TRACKING RECID TOPIC=5500108\n# Topic_training_story A tkn/F.tkn 1 20\n", "tkn/G{i}.tkn 21"),
    "index_new_event": ("# first_story time\n", "tkn/F{i}.tkn"),
    "index_link": ("# link_detection\n# SOURCE_FILE 1 tkn/F.tkn\n", "F:A{i} F:B{i}"),
    "index_hierarchy": ("# STORY_LIST_INDEX DOCNO\n", "tkn/F{i}.tkn A{i} B{i}"),
    "tracking_output": ("S yes 1 55001 docno\n", "f A{i} YES 0.5"),
    "new_event_output": ("S yes 10 recid\n", "f {i} YES 0.5"),
    "link_output": ("S 10\n", "F:A{i} F:B YES 0.5"),
    "link_key": ("# LINK_DETECTION\n", "F:A{i} F:B TARGET 1"),
    "hierarchy_xml": (
        '<htd system="s" rootVertex="a">\n<vertexSet>\n',
        '<vertex name="a{i}"><story docID="s{i}"/></vertex>',
    ),
    "tidy_stories": ("story_id,position\n", "A{i},{i}"),
    "tidy_topics": ("topic_id,title\n", '{i},"a ""b"" c"'),
    "tidy_judgments": ("topic_id,story_id,label\n", "1,A{i},yes"),
    "tidy_trials": ("topic_id,story_id\n", "1,A{i}"),
    "tidy_link_trials": ("story_id_1,story_id_2\n", "A{i},B"),
    "tidy_training": ("story_id,topic_id\n", "A{i},1"),
    "tidy_tracking": ("run_id,topic_id,story_id,decision,score\n", "r,1,A{i},yes,0.5"),
    "tidy_filtering": ("topic_id,story_id,decision\n", "1,A{i},no"),
    "tidy_new_event": ("story_id,decision,score\n", "A{i},yes,1"),
    "tidy_link": ("story_id_1,story_id_2,decision,score\n", "A{i},B,yes,1"),
    "tidy_nuggets": ("event_id,nugget_id,time,importance\n", "1,n{i},100,2"),
    "tidy_updates": ("event_id,update_id\n", "1,u{i}"),
    "tidy_matches": ("event_id,update_id,nugget_id,start,end\n", "1,u1,n{i},0,10"),
    "tidy_events": ("event_id,start,end\n", "{i},100,900"),
    "tidy_summarization": ("event_id,update_id,time\n", "1,u{i},120"),
    "bundle": ('name = "x"\n[corpus]\nid = "x"\n', '[[condition]]\nid = "c{i}"\ntask = "tracking"'),
    "document_order": ("", "doc{i}"),
    "qrels": ("", "1 0 doc{i} 1"),
    "topic_list": ("", "{i}"),
    "trec_run": ("", "1 Q0 doc{i} 1 0.5 tag"),
    "nuggets": ("", "1\tn{i}\t100\t2\t5\ttext"),
    "updates": ("", "1\td-{i}\t\t4\t\ttext"),
    "matches": ("", "1\td-{i}\tn1\t0\t4"),
    "ts_duplicates": ("", "d-{i}\td-0"),
    "ts_run": ("", "1 team run d{i} 0 120 0.5"),
    "ts_topics": ("<events>\n", "<event><id>{i}</id><start>1</start><end>2</end></event>"),
    "value_run": ("", "1 deaths {i} 5 run"),
    "clusters": ("item_id,cluster_id\n", "i{i},c"),
    "clusters_json": ("", '{{"id": "i{i}", "cluster": "c"}}'),
    "clusters_conll": ("#begin document (a); part 0\n", "a {i} x (1)"),
    "key_tidy": ("trial_id,label,codec\n", "t{i},target,C{i}"),
    "scores_tidy": ("trial_id,score\n", "t{i},0.5"),
    "key_sre": ("modelid\tsegmentid\tside\ttargettype\n", "m{i}\ts{i}\ta\ttarget"),
    "scores_sre": ("modelid\tsegmentid\tside\tLLR\n", "m{i}\ts{i}\ta\t0.5"),
    "key_asvspoof": ("", "FORMAT F{i} - bonafide"),
    "scores_asvspoof": ("", "F{i} 0.5"),
    "key_kaldi": ("", "a{i} b{i} target"),
    "scores_kaldi": ("", "a{i} b{i} 0.5"),
    "key_voxceleb": ("", "1 a{i}.wav b.wav"),
    "scores_voxceleb": ("", "0.5 a{i}.wav b.wav"),
}

#: ways to spoil a file: text -> text
SPOILT = {
    "as it is": lambda text: text,
    "carriage returns alone": lambda text: text.replace("\n", "\r"),
    "one line": lambda text: text.replace("\n", " "),
    "one row": lambda text: text.replace("\n", ","),
    "a quote in each line": lambda text: text.replace("\n", '"\n'),
    "a quote before each line": lambda text: '"' + text.replace("\n", '""\n'),
    "no end of a tag": lambda text: text.replace(">", " "),
    "no beginning of a tag": lambda text: text.replace("<", " "),
    "tags in tags": lambda text: text.replace("\n", "<a "),
    "comments": lambda text: text.replace("\n", "<!-- "),
    "the same line": lambda text: "\n".join(text.split("\n")[:2] * (text.count("\n") // 2)),
    "blanks": lambda text: text.replace("\n", " " * 20 + "\n"),
    "no lines": lambda text: " " * len(text),
    "equals": lambda text: text.replace("\n", "="),
    "tabs": lambda text: text.replace("\n", "\t"),
}


def seconds(kind, text):
    """Return the processor's time that reading a text takes."""
    begin = time.process_time()
    READERS[kind](text.encode(), Problems("file"))
    return time.process_time() - begin


def test_there_is_a_file_for_every_reader():
    assert FILES.keys() == READERS.keys()


@pytest.mark.full
@pytest.mark.parametrize("kind", sorted(FILES))
def test_a_reader_is_linear(kind):
    head, line = FILES[kind]
    for way, spoil in SPOILT.items():
        few, many = (spoil(head + "".join(line.format(i=i) + "\n" for i in range(n))) for n in (400, 4000))
        long = seconds(kind, many)
        if long > 0.2:  # what is over at once is linear enough
            assert min(long, seconds(kind, many)) < 40 * min(seconds(kind, few), seconds(kind, few)) + 0.1, way


def test_a_header_of_100000_columns_is_told_in_little():
    problems = Problems("file")

    began = time.process_time()
    READERS["tidy_tracking"](b",".join(b"column%d" % i for i in range(100_000)) + b"\n", problems)

    assert time.process_time() - began < 20  # it took hours
    told = [problem for problem in problems.found if problem.code == "E302"]
    assert len(told) == 21 and "99980 more columns" in told[-1].message


def test_carriage_returns_alone_are_said_once():
    for kind in ("tidy_tracking", "boundary", "tracking_output", "control"):
        problems = Problems("file")
        READERS[kind](b"run_id,topic_id\rr,1\rr,2\r", problems)

        assert [(problem.code, problem.line, problem.column) for problem in problems.found] == [("E006", 1, 16)], kind


def test_no_group_is_repeated_possessively():
    """Python before 3.11.5 (Debian 12 has 3.11.2) takes `(...)*+` wrongly, so that good files would be refused:
    github.com/python/cpython/issues/106052.
    """
    root = Path(tdtsql.__file__).parent
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(root.rglob("*.py"))}
    assert [
        str(path.relative_to(root))
        for path, text in texts.items()
        if re.search(r"\)(?:[*+?]|\{[\d,]*\})\+|\(\?>", text)
    ] == []
    assert any("*+" in text for text in texts.values())
