"""Data of the benchmarks, of any size, in the formats that systems write; and one process, measured.

python bench/data.py KIND FOLDER [SIZE]      KIND: hierarchy, link, track, tracking, trec, trec_runs
time tdtsql evaluate FOLDER/bundle.toml --db FOLDER/bench.duckdb
"""

import argparse
import compileall
import os
import random
import subprocess
import sys
import time
from datetime import date as Day  # noqa: N812 - a date is also an argument here
from datetime import timedelta
from functools import cache
from pathlib import Path
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

import tdtsql


# ---- one process


class Child(NamedTuple):
    seconds: float  #: on the clock
    busy: float  #: of the processor
    peak: int  #: bytes at most
    printed: str  #: its standard output


def child(*arguments: object) -> Child:
    """Run Python with these arguments to its end.

    Raises:
        SystemExit: it failed.
    """
    compile_package()
    start = time.perf_counter()
    process = subprocess.Popen([sys.executable, *map(str, arguments)], stdout=subprocess.PIPE, text=True)
    printed = process.stdout.read() if process.stdout else ""
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{' '.join(map(str, arguments))} ended with {status}")
    return Child(time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, printed)


@cache
def compile_package() -> None:
    """Leave the package as an installer does: where writing bytecode is switched off, a checkout would be compiled at
    every start.
    """
    compileall.compile_dir(Path(tdtsql.__file__).parent, quiet=2)


# ---- tracking

STORIES_PER_FILE = 100
FIRST_DAY = Day(2003, 4, 1)
SOURCES = (("NYT", "ENG", "ENGLISH"), ("XIN", "MAN", "MANDARIN"), ("ALH", "ARB", "ARABIC"))
N_TARGET, N_TRAINING = 75, 4
THRESHOLD = 2.6

TRACKING_BUNDLE = """name = "bench"

[corpus]
id = "bench"
root = "corpus"
topic_relevance = ["corpus/topics.rel"]

[[condition]]
id = "tracking"
task = "tracking"
index = ["ndx/*.ndx"]
profile = ["tdt2004"]

[[run]]
id = "bench"
condition = "tracking"
files = ["sys/*.out"]
format = "tdt"
"""


def add_rates(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how often a story is on topic and how often the system says yes."""
    parser.add_argument(
        "--on-topic",
        type=float,
        help=f"share of the stories that are on a topic, 1 for all; without it {N_TARGET} stories of each topic",
    )
    parser.add_argument(
        "--yes",
        type=float,
        help=f"share of the non-targets that the system accepts, 1 for all, 0 for none; without it those above "
        f"{THRESHOLD}, 0.5 %%",
    )


def write_tracking(
    folder: Path,
    n_topic: int,
    n_story: int,
    *,
    distinct: bool = False,
    on_topic: float | None = None,
    yes: float | None = None,
) -> int:
    """Write a tracking evaluation in the official formats, with docno pointers; return how many decisions it has.

    Boundary tables of 100 stories each, four training stories per topic in the first tenth of the collection, a
    decision on every later story.

    Args:
        on_topic: share of the stories that are targets of a topic; None for ``N_TARGET`` of them.
        yes: share of the non-targets that get a yes (of the targets it is more, unless it is 0); None for the scores
            above ``THRESHOLD``.
    """
    random = np.random.default_rng(2004)
    threshold = (
        THRESHOLD if yes is None else np.inf if yes <= 0 else -np.inf if yes >= 1 else NormalDist().inv_cdf(1 - yes)
    )
    for name in ("corpus/tkn_bnd", "ndx", "sys"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    n_file = -(-n_story // STORIES_PER_FILE)
    files, docnos = [], []
    for number in range(n_file):
        source, short, language = SOURCES[number % len(SOURCES)]
        date = f"{FIRST_DAY + timedelta(days=number // 24):%Y%m%d}_{number % 24:02}00"
        name = f"{date}_{source}_{short}"
        count = min(STORIES_PER_FILE, n_story - number * STORIES_PER_FILE)
        ids = [f"{source}{number:06}.{place:04}" for place in range(1, count + 1)]
        lines = [
            f"<BOUNDSET fileid={name} collect_src={source} collect_date={date} src_lang={language} "
            f"content_lang=NATIVE>\n"
        ]
        lines += [
            f"<BOUNDARY docno={docno} doctype=NEWS Brecid={1 + 90 * i} Erecid={90 + 90 * i}>\n"
            for i, docno in enumerate(ids)
        ]
        (folder / "corpus" / "tkn_bnd" / f"{name}.tkn_bnd").write_text("".join([*lines, "</BOUNDSET>\n"]))
        files.append(name)
        docnos.append(ids)
    prefixes = [f"tkn/{files[number]}.tkn {docno} " for number, ids in enumerate(docnos) for docno in ids]
    n_decision = 0
    with (folder / "corpus" / "topics.rel").open("w") as relevance:
        relevance.write("<TOPICSET annot_date=20040301>\n")
        for topic in range(55001, 55001 + n_topic):
            first_file = int(random.integers(0, max(1, n_file // 10)))
            start = (first_file + 1) * STORIES_PER_FILE
            training = (
                np.sort(random.choice(STORIES_PER_FILE, N_TRAINING, replace=False)) + first_file * STORIES_PER_FILE
            )
            n_target = N_TARGET if on_topic is None else min(n_story - start, round(on_topic * n_story))
            targets = random.choice(np.arange(start, n_story), n_target, replace=False)
            for story in [*training, *targets]:
                name = files[story // STORIES_PER_FILE]
                docno = docnos[story // STORIES_PER_FILE][story % STORIES_PER_FILE]
                relevance.write(f'<ONTOPIC topicid={topic} level=YES docno={docno} fileid={name} comments="NO">\n')
            with (folder / "ndx" / f"trk_{topic}.ndx").open("w") as index:
                index.write(f"# TRACKING RECID TOPIC={topic}\n#\n")
                for story in training:
                    place = story % STORIES_PER_FILE
                    name = files[story // STORIES_PER_FILE]
                    index.write(
                        f"# Topic_training_story {docnos[story // STORIES_PER_FILE][place]} tkn/{name}.tkn "
                        f"{1 + 90 * place} {90 + 90 * place}\n"
                    )
                index.write("#\n" + "".join(f"tkn/{name}.tkn 1\n" for name in files[first_file + 1 :]))
            scores = random.standard_normal(n_story)
            scores[targets] += 3
            form = "%.15g" if distinct else "%.6f"
            with (folder / "sys" / f"trk_{topic}.out").open("w") as output:
                output.write(f"bench yes 1 {topic} docno\n")
                output.writelines(
                    f"{prefix}{'YES' if score > threshold else 'NO'} {form % score}\n"
                    for prefix, score in zip(prefixes[start:], scores[start:].tolist())
                )
            n_decision += n_story - start
        relevance.write("</TOPICSET>\n")
    (folder / "bundle.toml").write_text(TRACKING_BUNDLE)
    return n_decision


# ---- filtering

N_TREC_TOPIC, N_DOCUMENT, N_RETRIEVED, N_RELEVANT = 50, 726_419, 2_000_000, 378

TREC_BUNDLE = """name = "rcv1-size"

[corpus]
id = "rcv1-size"
document_order = "order.txt"
qrels = "qrels.txt"

[[condition]]
id = "adaptive"
task = "filtering"
periods = [226928, 412612, 628902]
profile = ["trec11"]

[[run]]
condition = "adaptive"
files = ["run.txt"]
format = "trec"
"""


def write_trec(folder: Path) -> None:
    """Write a filtering collection of the size of RCV1 in TREC-11: 50 topics x 726,419 documents, 2 million
    retrieved.
    """
    random = np.random.default_rng(11)
    folder.mkdir(parents=True, exist_ok=True)
    # ids rise with gaps, as in RCV1: 26151 to 810597
    ids = np.sort(random.choice(np.arange(26151, 810598), N_DOCUMENT, replace=False))
    (folder / "order.txt").write_text("".join(f"{number}\n" for number in ids))
    with (folder / "qrels.txt").open("w") as qrels, (folder / "run.txt").open("w") as run:
        for topic in range(101, 101 + N_TREC_TOPIC):
            judged = random.choice(ids, 4 * N_RELEVANT, replace=False)
            for place, document in enumerate(judged):
                qrels.write(f"R{topic} 0 {document} {int(place < N_RELEVANT)}\n")
            retrieved = np.unique(
                np.concatenate(
                    [
                        random.choice(judged[:N_RELEVANT], N_RELEVANT // 2, replace=False),
                        random.choice(ids, N_RETRIEVED // N_TREC_TOPIC, replace=False),
                    ]
                )
            )[: N_RETRIEVED // N_TREC_TOPIC]
            scores = random.exponential(0.5, len(retrieved)) + np.isin(retrieved, judged[:N_RELEVANT]) * 2
            for rank, (document, score) in enumerate(zip(retrieved, scores, strict=True), start=1):
                run.write(f"R{topic} Q0 {document} {rank} {score:.6f} bench\n")
    (folder / "bundle.toml").write_text(TREC_BUNDLE)


def write_trec_runs(folder: Path, n_run: int = 60) -> None:
    """Write an ad hoc track: runs of 1,000 of 100,000 documents for each topic, 400 of them judged."""
    random = np.random.default_rng(12)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bundle.toml").write_text(
        '[corpus]\nid = "adhoc"\nqrels = "qrels.txt"\n[[condition]]\nid = "adhoc"\ntask = "filtering"\n'
        + "".join(
            f'[[run]]\nid = "run{run}"\ncondition = "adhoc"\nfiles = ["run{run}.txt"]\nformat = "trec"\n'
            for run in range(n_run)
        )
    )
    judged = {topic: random.choice(100_000, 400, replace=False) for topic in range(1, N_TREC_TOPIC + 1)}
    with (folder / "qrels.txt").open("w") as qrels:
        for topic, documents in judged.items():
            qrels.writelines(f"{topic} 0 d{document} {int(place < 100)}\n" for place, document in enumerate(documents))
    for run in range(n_run):
        with (folder / f"run{run}.txt").open("w") as lines:
            for topic, documents in judged.items():
                retrieved = np.unique(np.concatenate([documents[run % 7 : 100 : 2], random.choice(100_000, 990)]))[
                    :1000
                ]
                random.shuffle(retrieved)
                lines.writelines(
                    f"{topic} Q0 d{document} {rank} {1000 - rank} run{run}\n"
                    for rank, document in enumerate(retrieved, start=1)
                )


# ---- links

N_LINK_TOPIC = 100
LINKED = ("ENGLISH", "MANDARIN", "ARABIC")
LABELS = ("TARGET", *["NONTARGET"] * 12, "OTHER")
LINK_BUNDLE = """name = "link"
[corpus]
id = "link"
{corpus}
[[condition]]
id = "lnk"
task = "link"
deferral = 10
{condition}
[[run]]
id = "sys"
condition = "lnk"
files = ["sys.out"]
format = "tdt"
"""
LINK_STORIES = 'stories = "stories.csv"\njudgments = "judgments.csv"'
LINK_INDEX, LINK_KEY = 'index = ["link.ndx"]', 'key = "link.key"'


def write_link(folder: Path, n_pair: int = 91_683, n_story: int | None = None) -> None:
    """Write link detection: stories, judgments, an index, a key and the output of one system.

    Pairs are in the plan's order, by the second story and then the first. A bundle for each way to say what the answers
    are: `key.toml` (key alone), `index_key.toml` (index and key), `stories_key.toml` (both, over stories with
    languages) and `judgments.toml` (index, answers from the judgments).
    """
    n_story = n_story or max(200, int((20 * n_pair) ** 0.5))
    random = np.random.default_rng(2004)
    chosen = np.sort(random.choice(n_story * (n_story - 1) // 2, n_pair, replace=False))
    # pair number -> (second, first): second * (second - 1) / 2 + first, first < second
    second = ((1 + np.sqrt(1 + 8.0 * chosen)) / 2).astype(np.int64)
    second -= second * (second - 1) // 2 > chosen
    second += (second + 1) * second // 2 <= chosen
    first = chosen - second * (second - 1) // 2
    files = [f"2004{number // 40:04d}_0600_0700_AAA_{LINKED[number // 40 % 3][:3]}" for number in range(n_story)]
    names = [f"tkn/{file}.tkn:AAA{file[:8]}.{number:04d}" for number, file in enumerate(files)]
    pairs = [f"{names[a]} {names[b]}" for a, b in zip(first.tolist(), second.tolist(), strict=True)]
    kinds = random.integers(0, len(LABELS), n_pair).tolist()
    topics = random.integers(1, N_LINK_TOPIC + 1, n_pair).tolist()
    score = np.round(random.normal(size=n_pair) + np.array([kind == 0 for kind in kinds]) * 2, 5).tolist()
    folder.mkdir(parents=True, exist_ok=True)
    sources = "".join(f"# source_file tkn/{file}.tkn\n" for file in dict.fromkeys(files))
    (folder / "link.ndx").write_text("# link_detection\n" + sources + "".join(f"{pair}\n" for pair in pairs))
    (folder / "link.key").write_text(
        "# LINK_DETECTION\n"
        + "".join(
            f"{pair} {LABELS[kind]} {topic:05d}\n" for pair, kind, topic in zip(pairs, kinds, topics, strict=True)
        )
    )
    (folder / "sys.out").write_text(
        "SYS 10\n"
        + "".join(
            f"{pair} {'YES' if value > 1.5 else 'NO'} {value}\n" for pair, value in zip(pairs, score, strict=True)
        )
    )
    (folder / "stories.csv").write_text(
        "story_id,position,source_file,language\n"
        + "".join(
            f"{name.split(':')[1]},{number},{files[number]},{LINKED[number // 40 % 3]}\n"
            for number, name in enumerate(names)
        )
    )
    labels = random.choice(n_story, (N_LINK_TOPIC, max(2, n_story // 100)), replace=True)
    (folder / "judgments.csv").write_text(
        "topic_id,story_id,label\n"
        + "".join(
            f"{topic:05d},{names[story].split(':')[1]},yes\n"
            for topic, row in enumerate(labels.tolist(), 1)
            for story in sorted(set(row))
        )
    )
    for name, corpus, condition in (
        ("key", "", LINK_KEY),
        ("index_key", "", f"{LINK_INDEX}\n{LINK_KEY}"),
        ("stories_key", LINK_STORIES, f"{LINK_INDEX}\n{LINK_KEY}"),
        ("judgments", LINK_STORIES, LINK_INDEX),
    ):
        (folder / f"{name}.toml").write_text(LINK_BUNDLE.format(corpus=corpus, condition=condition))


# ---- summarization and value tracking

N_EVENT, N_SENTENCE, N_NUGGET, N_MATCH, N_UPDATE, N_VALUE = 10, 5_000, 60, 600, 2_000, 500
START, DAY = 1_073_289_600, 86_400
TRACK_CONDITIONS = {
    "summarization": ("ts", "updates", 'nuggets = "nuggets.tsv"\nupdates = "updates.tsv"\nmatches = "matches.tsv"'),
    "value_tracking": ("vt", "values", ""),
}


def track_bundle(*tasks: str) -> str:
    """Return the text of a bundle with a condition for each task."""
    text = '[corpus]\nid = "k"\n'
    for task in tasks:
        form, files, judged = TRACK_CONDITIONS[task]
        text += f'[[condition]]\nid = "{task}"\ntask = "{task}"\nevents = "events.xml"\n{judged}\n'
        text += f'[[run]]\ncondition = "{task}"\nfiles = ["{files}*.txt"]\nformat = "{form}"\n'
    return text


def write_track(folder: Path, n_run: int = 20, tasks: tuple[str, ...] = tuple(TRACK_CONDITIONS)) -> None:
    """Write a summarization track, and value tracking of the same events, in the track's formats.

    Each run has 2,000 updates for each of ten events of a day, of 5,000 sentences that were pooled; an event has 60
    nuggets and 600 matches. In value tracking a run gives 500 values of two attributes for each event.
    """
    random = np.random.default_rng(15)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bundle.toml").write_text(track_bundle(*tasks))
    events, nuggets, pool, matches = [], [], [], []
    for event in range(1, N_EVENT + 1):
        start = START + event * DAY
        events.append(
            f"<event><id>{event}</id><title>event {event}</title><start>{start}</start><end>{start + DAY}</end>"
            f"<type>storm</type><deaths><value><count>{event * 3}</count><time>{start}</time></value></deaths>"
            f"<injuries><value><count>{event * 40}</count><time>{start}</time></value></injuries></event>"
        )
        nuggets += [
            f"{event}\tN{number}\t{start + int(time)}\t{number % 4}\t{20 + number}\ttext {number}"
            for number, time in enumerate(random.integers(0, DAY, N_NUGGET))
        ]
        pool += [
            f"{event}\td{number}-0\td{number}\t0\t{length}\tNULL\tsentence {number}"
            for number, length in enumerate(random.integers(20, 200, N_SENTENCE))
        ]
        chosen = random.choice(N_SENTENCE, N_MATCH, replace=False)
        matches += [f"{event}\td{sentence}-0\tN{number % N_NUGGET}\t0\t19\t0" for number, sentence in enumerate(chosen)]
    (folder / "events.xml").write_text(f"<events>{''.join(events)}</events>")
    heads = (
        ("nuggets", "query_id nugget_id timestamp importance nugget_len nugget_text", nuggets),
        ("updates", "query_id update_id doc_id sentence_id update_len duplicate_id update_text", pool),
        ("matches", "query_id update_id nugget_id match_start match_end auto_p", matches),
    )
    for name, head, rows in heads:
        (folder / f"{name}.tsv").write_text("\n".join(["\t".join(head.split()), *rows]) + "\n")
    for run in range(n_run):
        updates, values = [], []
        for event in range(1, N_EVENT + 1):
            start = START + event * DAY
            sentences = random.choice(N_SENTENCE, N_UPDATE, replace=False)
            times = start + np.sort(random.integers(0, DAY, N_UPDATE))
            updates += [
                f"{event} team run{run} d{sentence} 0 {time} {(number * 7919) % 1000 / 1000}"
                for number, (sentence, time) in enumerate(zip(sentences.tolist(), times.tolist(), strict=True))
            ]
            values += [
                f"{event}\tteam\trun{run}\td{number}\t0\t{start + number * 100}\t{('deaths', 'injuries')[number % 2]}"
                f"\t{guess}\t0.5"
                for number, guess in enumerate(random.integers(0, 400, N_VALUE).tolist())
            ]
        (folder / f"updates{run}.txt").write_text("\n".join(updates) + "\n")
        (folder / f"values{run}.txt").write_text("\n".join(values) + "\n")


# ---- hierarchies


def hierarchy(n_story: int, seed: int = 1):
    """Return (vertex names, edges, lists) of a ternary DAG over stories s0 .. s(n-1), whose leaves list them in order.

    Half as many vertices as stories, 10 % of them with two parents, 5 % of the stories in two lists.
    """
    chance = random.Random(seed)
    n_vertex = max(4, n_story // 2)
    names = [f"v{i}" for i in range(n_vertex)]
    edges = [((i - 1) // 3, i) for i in range(1, n_vertex)]
    for i in range(4, n_vertex):
        if chance.random() < 0.1:
            other = chance.randrange(max(1, (i - 1) // 3 - 50), (i - 1) // 3 + 1)
            if other != (i - 1) // 3 and other < i:
                edges.append((other, i))
    first_leaf = (n_vertex - 2) // 3 + 1
    leaves = range(first_leaf, n_vertex)
    lists: dict[int, list[int]] = {leaf: [] for leaf in leaves}
    for story in range(n_story):
        leaf = first_leaf + story * len(leaves) // n_story
        lists[leaf].append(story)
        if chance.random() < 0.05:
            other = first_leaf + chance.randrange(len(leaves))
            if other != leaf:
                lists[other].append(story)
    return names, edges, lists


def hierarchy_xml(names, edges, lists, story_id=lambda number: f"s{number}") -> str:
    rows = ['<htd system="bench" rootVertex="v0">\n<vertexSet>\n']
    for i, name in enumerate(names):
        rows.append(
            f'<vertex name="{name}">'
            + "".join(f'<story docID="{story_id(s)}"/>\n' for s in lists.get(i, ()))
            + "</vertex>\n"
        )
    rows.append("</vertexSet>\n<edgeSet>\n")
    rows += [f'<edge srcVertex="{names[a]}" destVertex="{names[b]}"/>\n' for a, b in edges]
    return "".join(rows) + "</edgeSet>\n</htd>\n"


HIERARCHY_BUNDLE = """
[corpus]
id = "k"
stories = "stories.csv"
judgments = "judgments.csv"
[[condition]]
id = "h"
task = "hierarchy"
[[run]]
id = "r"
condition = "h"
files = ["h.xml"]
"""


def write_hierarchy(folder: Path, n_story: int = 10_000, n_topic: int = 250) -> None:
    """Write a hierarchy, and topics of some thirty stories, near each other in time more or less."""
    chance = random.Random(3)
    (folder / "h.xml").write_text(hierarchy_xml(*hierarchy(n_story)))
    (folder / "stories.csv").write_text(
        "story_id,position,language\n"
        + "".join(f"s{i},{i},{('ENGLISH', 'MANDARIN', 'ARABIC')[i % 3]}\n" for i in range(n_story))
    )
    rows = []
    for topic in range(n_topic):
        middle, size = chance.randrange(n_story), int(chance.lognormvariate(3.2, 1)) + 2
        rows += [
            f"{55000 + topic},s{s},yes\n"
            for s in sorted({min(n_story - 1, max(0, int(chance.gauss(middle, n_story / 60)))) for _ in range(size)})
        ]
    (folder / "judgments.csv").write_text("topic_id,story_id,label\n" + "".join(rows))
    (folder / "bundle.toml").write_text(HIERARCHY_BUNDLE)


if __name__ == "__main__":
    writers = (write_hierarchy, write_link, write_track, write_tracking, write_trec, write_trec_runs)
    kind, name, *size = sys.argv[1:]
    {one.__name__: one for one in writers}[f"write_{kind}"](Path(name), *map(int, size))
