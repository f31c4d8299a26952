"""Files of every kind with something wrong in them, and what a reader owes to each: problems, never an exception.

One way to spoil a file, by any source of chance: that of hypothesis (which finds the smallest such file) or of `random`
(which is fast).
"""

import re
import tomllib
from functools import cache
from pathlib import Path
from random import Random

from reader_kinds import PROGRAM_READERS, READERS, read
from tdtsql.errors import Problems

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"

#: files as they should be, by reader
SEEDS: dict[str, list[bytes]] = {
    "boundary": [
        b"<BOUNDSET fileid=F collect_src=S collect_date=20030401_0000 src_lang=ENGLISH>\n"
        b"<BOUNDARY docno=A doctype=NEWS Bsec=0 Esec=5 Brecid=1 Erecid=9>\n</BOUNDSET>\n"
    ],
    "relevance": [b'<TOPICSET>\n<ONTOPIC topicid=1 level=YES docno=A fileid=F comments="NO">\n</TOPICSET>\n'],
    "auxiliary": [b"F NYT ENGLISH 20030401 12:30:14\nG NYT ARABIC 20030401_1230\n"],
    "subset": [b'<source_subset>\n<set title="a" heading="b">\n<source_file filename="F">\n</set>\n</source_subset>\n'],
    "control": [b"# nwt eng mul,nat 1\nndx/a.ndx\nndx/b.ndx\n"],
    "index_list": [b"ndx/a.ndx\nndx/b.ndx\n"],
    "index_tracking": [b"# TRACKING RECID TOPIC=5500108\n# Topic_training_story A tkn/F.tkn 1 20\ntkn/G.tkn 21\n"],
    "index_new_event": [b"# first_story time\ntkn/F.tkn\ntkn/G.tkn\n"],
    "index_link": [b"# link_detection\n# SOURCE_FILE 1 tkn/F.tkn\n# source_file tkn/G.tkn\nF:A F:B\nF:A G:C\n"],
    "index_hierarchy": [b"# hierarchical_detection docno\ntkn/F.tkn\n", b"# STORY_LIST_INDEX DOCNO\ntkn/F.tkn A B\n"],
    "tracking_output": [
        b"# d\nS yes 1 55001 docno\nf A YES 0.5\nf B no -1e3\n",
        b"S no 8 5500108 recid\nf 1 YES 0.5\nf 9 no -1\n",
        b"S no V 55001 time\nf 0 YES 0.5\ng 0.5 no 1\n",
    ],
    "new_event_output": [b"S yes 10 recid\nf 1 YES 0.5\nf 9 no -1\n"],
    "link_output": [b"S 10\nF:A F:B YES 0.5\nF:A G:C no 1\n"],
    "tidy_nuggets": [b"event_id,nugget_id,time,importance\n1,n1,100,2\n"],
    "tidy_updates": [b"event_id,update_id,length\n1,u1,40\n"],
    "tidy_matches": [b"event_id,update_id,nugget_id,start,end\n1,u1,n1,0,10\n"],
    "tidy_events": [b"event_id,start,end\n1,100,900\n"],
    "tidy_summarization": [b"run_id,event_id,update_id,time,confidence\nr,1,u1,120,0.5\n"],
    "hierarchy_xml": [
        b'<htd system="s" rootVertex="a">\n<vertexSet>\n<vertex name="a"/>\n<vertex name="b"><story docID="s1"/> '
        b'<story docID="s2"/></vertex>\n'
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
    "document_order": [b"doc1\ndoc2\n", b"A\n"],
    "qrels": [b"1 0 doc1 1\n1 0 doc2 0\n2 0 doc1 -1\n"],
    "topic_list": [b"1\n2 a title\n"],
    "trec_run": [b"1 Q0 doc1 1 0.5 tag\n1 Q0 doc2 2 0.25 tag\n"],
    "ts_topics": [
        b"<events>\n<event><id>1</id><start>1</start><end>20</end><query>a "
        b"b</query><type>storm</type></event>\n</events>\n"
    ],
    "value_run": [b"1 t r d1 0 120 deaths 5 0.5\n1 t r NULL NULL 7 locations -34.6, -58.4 0.9\n"],
    "nuggets": [b"q\tn\tt\ti\tl\tx\n1\tn1\t5\t2.5\t3\tthe dam broke\n"],
    "updates": [
        b"q\tu\td\ts\tl\td\tx\n1\td1-0\td1\t0\t3\tNULL\tthe dam broke\n1\td2-0\td2\t0\t3\td1-0\tthe dam broke\n"
    ],
    "matches": [b"q\tu\tn\ts\te\ta\n1\td1-0\tn1\t0\t7\t0\n"],
    "ts_duplicates": [b"d1-0\td2-0\nd3-0\td2-0\n"],
    "ts_run": [b"1 t r d1 0 120 0.5\n1\tt\tr\td2\t3\t5\t.5\n"],
    "key_tidy": [b"trial_id,label,codec\nt1,target,C1\nt2,nontarget,\n", b"label,test_id,enroll_id\ntarget,s,m\n"],
    "key_kaldi": [b"m s1 target\nm s2 nontarget\n"],
    "key_voxceleb": [b"1 a.wav b.wav\n0 a.wav c.wav\n"],
    "key_sre": [b"modelid\tsegmentid\tside\ttargettype\tgender\nm\ts1\ta\ttarget\tfemale\nm\ts2\ta\tnontarget\tmale\n"],
    "key_asvspoof": [
        b"filename\tcm-label\tcodec\nE1\tbonafide\tC1\nE2\tspoof\t-\n",
        b"LA_1 E1 - - bonafide\nLA_1 E2 - A07 spoof\n",
        b"flac E1 A07 spoof\n",
    ],
    "scores_tidy": [
        b"trial_id,score,decision\nt1,1.5,yes\nt2,-inf,no\n",
        b"run_id,enroll_id,test_id,label,score\nr,m,s,target,1e3\n",
    ],
    "scores_kaldi": [b"m s1 1.5\nm s2 -2\n"],
    "scores_voxceleb": [b"0.5 a.wav b.wav\n-1 a.wav c.wav\n"],
    "scores_sre": [b"modelid\tsegmentid\tside\tLLR\nm\ts1\ta\t2.5\n"],
    "scores_asvspoof": [
        b"filename\tcm-score\nE1\t0.5\n",
        b"E1 0.5\nE2 inf\n",
        b"E1 0.5 spoof\n",
        b"E1 A07 spoof -0.25\n",
    ],
    "clusters": [b"item_id,cluster_id\na,1\nb,1\n", b"block_id,item_id,cluster_id,run_id\nx,a,1,r\nx,b,,r\n"],
    "clusters_json": [
        b'{"id": "a", "cluster": 1, "block": "x"}\n{"id": "b", "cluster": 2, "block": "y"}\n',
        b'{"id": "a", "cluster": "c"}\n{"id": "b", "cluster": null}\n',
    ],
    "clusters_conll": [
        b"#begin document (a); part 000\na 0 0 The (1\na 0 1 man 1)|(2)\n\na 0 2 he (1)\n#end document\n",
        b"#begin document (a)\nm1\t(c1)\nm2\t(c1)\n#end document\n",
    ],
    "items_tidy": [b"item_id,score,epoch\na,1,1\nb,true,2\n", b'{"item_id": "a", "score": 0.5}\n'],
    "items_trec_eval": [b"runid all r\nmap 401 0.5\nmap all 0.5\n"],
    "items_lm_eval": [
        b'{"doc_id": 1, "doc": {"x": 2}, "filter": "none", "metrics": ["acc", "f1"], "acc": 1, "f1": 0.5}\n'
        b'{"doc_id": 2, "filter": "strict", "metrics": ["acc"], "acc": true, "doc_hash": "h"}\n'
    ],
    "items_inspect": [
        b'{"id": "a", "epoch": 1, "scores": {"m": {"value": "C"}, "n": {"value": {"x": 1, "y": "I"}}}}\n'
        b'{"id": 2, "epoch": 1, "scores": null, "error": {"message": "m"}}\n'
    ],
    "items_every_eval_ever": [
        b'{"model_id": "m", "evaluation_name": "t", "sample_id": 1, "evaluation": {"score": 0.5}}\n'
        b'{"model_id": "m", "evaluation_name": "t", "sample_id": "b", "evaluation": {"is_correct": true}}\n'
    ],
    "bundle": [
        b"name = 'x'\n[corpus]\nid = 'c'\nroot = 'corpus'\ntopic_relevance = ['t.rel']\n[[condition]]\nid = 'k'\ntask "
        b"= 'tracking'\n"
        b"control = 'c.ctl'\nprofile = ['tdt2004']\n[[run]]\nid = 's'\ncondition = 'k'\nfiles = ['*.out']\nformat = "
        b"'tdt'\n"
    ],
}

#: readers whose warnings say what was done with the line, and leave it at that
MAY_ADVISE_NOTHING = ("nuggets", "updates", "matches", "ts_", "value_run")

#: pieces that change a file into a slightly wrong one
PIECES = [
    *(
        b"",
        b" ",
        b"\t",
        b"\n",
        b"\r\n",
        b"\r",
        b"\0",
        b"\xff",
        b"\xef\xbb\xbf",
        b"\xc2\xa0",
        b"\xe2\x80\xa8",
        b"\xd9\xa3",
    ),
    *(b"\x1c", b"\x85", b" docno=A", b"9" * 25, b"9" * 5000, b"<!DOCTYPE x [", b"99991231 23:59:59"),
    *b"""# < > " "" = , : / ; [ ] ' & \\ 0 -1 2147483648 1.5 1e999 nan inf 1_0 NULL YES maybe <!-- --> </set> 20031399
    &#0; &x; 0001-01-01T00:00:00+23:59 recid time docno""".split(),
]
_CUTS = [0, 0, 1, 2, 5, 30]


def spoilt(data: bytes, chance: Random) -> bytes:
    """Return a file with at most four places changed: a piece cut out, another put in, a line repeated or moved."""
    for _ in range(chance.randint(0, 4)):
        if chance.randint(0, 5) == 0:
            lines = data.splitlines(keepends=True)
            if lines:
                line = lines[chance.randrange(len(lines))]
                lines.insert(chance.randint(0, len(lines)), line)
                data = b"".join(lines)
            continue
        begin = chance.randint(0, len(data))
        end = min(len(data), begin + chance.choice(_CUTS))
        piece = (
            chance.choice(PIECES)
            if chance.randint(0, 3)
            else bytes(chance.randint(0, 255) for _ in range(chance.randint(1, 3)))
        )
        data = data[:begin] + piece + data[end:]
    return data


@cache
def seeds_of(kind: str) -> tuple[bytes, ...]:
    """Return the files that are malformed for a reader: valid ones, and its own ones of fixtures/malformed."""
    plain = re.sub("_ts201[345]$", "", kind)
    folder = FIXTURES / "malformed"
    listed = tomllib.loads((folder / "manifest.toml").read_text(encoding="utf-8"))["file"]
    own = [folder / file["name"] for file in listed if file["kind"] == plain]
    name = {"ts_duplicates": "duplicates", "ts_run": "run", "ts_topics": "topics", "value_run": "values"}.get(
        plain, plain
    )
    for part, names in (
        ("ts", (name,)),
        ("filtering", ({"trec_run": "run", "document_order": "order", "topic_list": "topics"}.get(plain, plain),)),
    ):
        for case in tomllib.loads((folder / part / "manifest.toml").read_text(encoding="utf-8"))["case"]:
            if case["reader"] in names and (part == "filtering") == (
                plain in ("qrels", "trec_run", "document_order", "topic_list")
            ):
                own.append(folder / part / case["file"])
    if plain == "hierarchy_xml":
        own += sorted((folder / "hierarchy").glob("*.xml"))
    if plain == "bundle":
        own += sorted((folder / "bundle").glob("*/bundle.toml"))
    what, _, form = plain.partition("_")
    if what in ("key", "scores"):
        own += sorted((folder / "verification").glob(f"{form}_*/{what}.*"))
    small = [data for path in own if len(data := path.read_bytes()) < 4000]
    return (*(SEEDS[plain] * 4), *small)


def spoilt_file(kind: str, chance: Random) -> tuple[bytes, str]:
    """Return a malformed file for a reader, and its path as given to it."""
    path = chance.choice(["file", "file", "file", "file.tsv", "file.gz"])
    return spoilt(chance.choice(seeds_of(kind)), chance), path


def check(kind: str, data: bytes, path: str = "file") -> None:
    """Read a file; every problem must have a code, a location, a message and an advice."""
    problems = Problems(path)
    read(kind, data, problems)
    for problem in problems.found:
        assert problem.code[0] in "EW" and problem.code[1:].isdigit() and len(problem.code) == 4
        assert problem.message and (problem.advice or (kind.startswith(MAY_ADVISE_NOTHING) and not problem.is_error))
        assert str(problem)
        assert problem.line is None or problem.line >= 1
        assert problem.column is None or problem.column >= 1


ALL_KINDS = [*READERS, *PROGRAM_READERS]
