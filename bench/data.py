"""Data of the benches, of any size, in the formats that systems write.

python bench/data.py KIND FOLDER [SIZE ...]      KIND: the functions `write_KIND` below
time tdtsql evaluate FOLDER/bundle.toml --db FOLDER/store.duckdb
"""

import random
import sys
from datetime import date as Day  # noqa: N812 - a date is also an argument here
from datetime import timedelta
from pathlib import Path
from statistics import NormalDist

import duckdb
import numpy as np


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


# ---- tidy tracking

TIDY_BUNDLE = """name = "bench"

[corpus]
id = "bench"
stories = "stories.csv"
topics = "topics.csv"
judgments = "judgments.csv"

[[condition]]
id = "tracking"
task = "tracking"

[[run]]
id = "bench"
condition = "tracking"
files = ["run.csv"]
format = "tidy"
"""


def write_tidy(
    folder: Path, n_topic: int = 111, n_story: int = 20_000, n_judgment: int = 50_000, n_decision: int = 100_000
) -> None:
    """Write tidy files; topics take turns with the stories, and every tenth decision is on a target."""
    (folder / "bundle.toml").write_text(TIDY_BUNDLE)
    each = n_judgment // n_topic
    with duckdb.connect() as connection:
        connection.execute(f"""
            create table judgment as
            select 'T' || topic as topic_id, 'D' || lpad(cast((topic * {each} + place) % {n_story} as varchar), 7,
                '0') as story_id, 'yes' as label
            from range({n_topic}) as t(topic), range({each}) as j(place);
            create table decision as
            select distinct on (topic_id, story_id) topic_id, story_id, case when score > 0.5 then 'yes' else 'no'
                end as decision, score
            from (
                select 'T' || hash(n) % {n_topic} as topic_id,
                    'D' || lpad(cast(hash(n, 1) % {n_story} as varchar), 7, '0') as story_id,
                    round(hash(n, 2) / 2.0**64, 6) as score
                from range({n_decision} - {n_decision} // 10) as d(n)
                union all
                (select topic_id, story_id, round(hash(topic_id, story_id) / 2.0**64, 6) as score
                from judgment order by hash(story_id, topic_id) limit {n_decision // 10}))
            order by all""")
        for name, query in {
            "stories": f"select 'D' || lpad(cast(n as varchar), 7, '0') as story_id, n + 1 as position from "
            f"range({n_story}) as s(n) order by n",
            "topics": f"select 'T' || n as topic_id from range({n_topic}) as t(n) order by n",
            "judgments": "select * from judgment order by all",
            "run": "select * from decision order by all",
        }.items():
            connection.execute(f"copy ({query}) to '{folder}/{name}.csv'")


def write_errors(folder: Path) -> None:
    """Write the tidy decisions, one of 1,000 with a decision that is none."""
    write_tidy(folder)
    lines = (folder / "run.csv").read_text().splitlines()
    lines[500::1000] = [line.replace(",yes,", ",maybe,").replace(",no,", ",maybe,") for line in lines[500::1000]]
    (folder / "run.csv").write_text("\n".join(lines) + "\n")


def write_runs(folder: Path, n_run: int = 4, n_topic: int = 111, n_story: int = 5_000) -> None:
    """Write runs that decide every pair, as Parquet, under two profiles; `changed.toml` has another file for one."""
    write_tidy(folder, n_topic, n_story, 75 * n_topic)
    bundle, _ = TIDY_BUNDLE.split("[[run]]")
    bundle += 'profile = ["tdt2004", "mine"]\n[profile.mine]\nbase = "tdt2004"\nc_fa = 0.2\n'
    run = '[[run]]\nid = "run{}"\ncondition = "tracking"\nfiles = ["run{}.parquet"]\nformat = "tidy"\n'
    runs = range(n_run)
    (folder / "bundle.toml").write_text(bundle + "".join(run.format(number, number) for number in runs))
    (folder / "changed.toml").write_text(bundle + "".join(run.format(number, number or n_run) for number in runs))
    with duckdb.connect() as connection:
        for number in range(n_run + 1):
            connection.execute(f"""
                copy (
                    select topic_id, story_id, case when score > 1.9 then 'yes' else 'no' end as decision, score
                    from '{folder}/topics.csv' as topic cross join '{folder}/stories.csv' as story
                    left join '{folder}/judgments.csv' as judgment using (topic_id, story_id),
                    lateral (
                        select round((hash(story_id, topic_id, {number})::double + hash(topic_id, story_id, {number}))
                            / 2.0**64 + if(label is null, 0, 1.2), 6) as score)
                ) to '{folder}/run{number}.parquet' (compression zstd)""")


# ---- scored trials


def write_trials(folder: Path, n_trial: int, n_system: int = 2, n_attack: int = 1, n_codec: int = 0) -> None:
    """Write a tidy key with attacks and codecs, and a file of scores for each system.

    Scores are normal; attacks differ in how far they lie below bona fide speech. 71,237 trials of 13 attacks are of the
    size of ASVspoof 2019 LA, 680,774 of 16 attacks and 12 codecs of ASVspoof 5.
    """
    random = np.random.default_rng(13)
    is_target = random.random(n_trial) < 7355 / 71237
    attack, codec = random.integers(0, n_attack, n_trial), random.integers(0, max(n_codec, 1), n_trial)
    with open(folder / "key.csv", "w") as key:
        key.write(f"trial_id,label,attack{',codec' if n_codec else ''}\n")
        key.writelines(
            f"LA_E_{number:07},{'target,-' if target else f'nontarget,A{kind + 1:02}'}"
            f"{f',C{coded:02}' if n_codec else ''}\n"
            for number, (target, kind, coded) in enumerate(
                zip(is_target.tolist(), attack.tolist(), codec.tolist(), strict=True)
            )
        )
    runs = ""
    for system in range(n_system):
        score = random.normal(0, 1, n_trial) + np.where(is_target, 2.5, -1 + attack / n_attack) + system / 4
        with open(folder / f"scores{system}.csv", "w") as scores:
            scores.write("trial_id,score\n")
            scores.writelines(
                f"LA_E_{number:07},{score[number]:.9f}\n" for number in random.permutation(n_trial).tolist()
            )
        runs += f'[[run]]\nid = "system{system}"\ncondition = "la"\nfiles = ["scores{system}.csv"]\n'
    (folder / "bundle.toml").write_text(
        '[corpus]\nid = "k"\n[[condition]]\nid = "la"\ntask = "verification"\nkey = "key.csv"\nscores = '
        '"llr"\nprofile = ["asvspoof5"]\n' + runs
    )


# ---- clusterings and items


def write_clusters(folder: Path, n_item: int = 100_000) -> None:
    """Write a clustering of skewed sizes, the largest 5 % of all; the answer moves one item in ten."""
    random = np.random.default_rng(1)
    weights = np.arange(1, int(n_item**0.79) + 1) ** -0.8
    weights = np.minimum(weights / weights.sum(), 0.05)
    gold = random.choice(len(weights), size=n_item, p=weights / weights.sum())
    moved = random.random(n_item) < 0.1
    answer = gold.copy()
    answer[moved] = random.permutation(answer[moved])
    for file, labels in (("gold.csv", gold), ("run.csv", answer)):
        with (folder / file).open("w") as stream:
            stream.write("item_id,cluster_id\n")
            stream.writelines(f"i{number},c{label}\n" for number, label in enumerate(labels.tolist()))
    (folder / "bundle.toml").write_text(
        '[corpus]\nid = "k"\n[[condition]]\nid = "c"\ntask = "partition"\ngold = "gold.csv"\n'
        '[[run]]\nid = "s"\ncondition = "c"\nfiles = ["run.csv"]\n'
    )


def write_items(folder: Path, n_run: int = 100, n_item: int = 10_000) -> None:
    """Write runs of items in clusters of five, in one Parquet file."""
    (folder / "bundle.toml").write_text(
        '[corpus]\nid = "k"\n[[condition]]\nid = "c"\ntask = "items"\ncluster = ["passage"]\n'
        '[[run]]\ncondition = "c"\nfiles = ["scores.parquet"]\n'
    )
    duckdb.execute(
        "copy (select 'r' || r as run_id, 'i' || i as item_id, cast(hash(r, i) % 10 < 6 as double) as score, "
        f"'p' || (i // 5) as passage from range({n_run}) as a(r), range({n_item}) as b(i)) "
        f"to '{folder / 'scores.parquet'}'"
    )


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
stories = "stories.csv"
judgments = "judgments.csv"
[[condition]]
id = "lnk"
task = "link"
deferral = 10
index = ["link.ndx"]
key = "link.key"
[[run]]
id = "sys"
condition = "lnk"
files = ["sys.out"]
format = "tdt"
"""


def write_link(folder: Path, n_pair: int = 91_683, n_story: int | None = None) -> None:
    """Write link detection: stories, judgments, an index, a key and the output of one system.

    Pairs are in the plan's order, by the second story and then the first.
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
    (folder / "bundle.toml").write_text(LINK_BUNDLE)


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
    kind, name, *size = sys.argv[1:]
    Path(name).mkdir(parents=True, exist_ok=True)
    globals()[f"write_{kind}"](Path(name), *map(int, size))
