"""Make a tracking evaluation in the official formats, of any size, with docno pointers.

    python bench/make_tracking.py FOLDER --topics 50 --stories 20000
    python bench/make_tracking.py FOLDER --topics 111 --stories 208000              # the size of TDT5
    python bench/make_tracking.py FOLDER --topics 111 --stories 208000 --distinct   # no score twice
    python bench/make_tracking.py FOLDER --on-topic 0.01 --yes 0.16                 # 1 % of the stories on topic,
    16 % of the others accepted
    time tdtsql evaluate FOLDER/bundle.toml --db FOLDER/bench.duckdb

Boundary tables of 100 stories each, four training stories per topic in the
first tenth of the collection, a decision on every later story.
"""

import argparse
from datetime import date as Day  # noqa: N812 - a date is also an argument here
from datetime import timedelta
from pathlib import Path
from statistics import NormalDist

import numpy as np

STORIES_PER_FILE = 100
FIRST_DAY = Day(2003, 4, 1)
LANGUAGES = (("NYT", "ENG", "ENGLISH"), ("XIN", "MAN", "MANDARIN"), ("ALH", "ARB", "ARABIC"))
N_TARGET, N_TRAINING = 75, 4
THRESHOLD = 2.6

BUNDLE = """name = "bench"

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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--topics", type=int, default=50)
    parser.add_argument("--stories", type=int, default=20_000)
    parser.add_argument("--distinct", action="store_true", help="scores with 15 digits instead of 6 decimals")
    add_rates(parser)
    given = parser.parse_args()
    make(given.folder, given.topics, given.stories, distinct=given.distinct, on_topic=given.on_topic, yes=given.yes)


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


def make(
    folder: Path,
    n_topic: int,
    n_story: int,
    *,
    distinct: bool = False,
    on_topic: float | None = None,
    yes: float | None = None,
) -> int:
    """Write the evaluation and return how many decisions it has.

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
        source, short, language = LANGUAGES[number % len(LANGUAGES)]
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
    (folder / "bundle.toml").write_text(BUNDLE)
    return n_decision


if __name__ == "__main__":
    main()
