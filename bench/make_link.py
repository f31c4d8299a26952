"""Link detection of any size: stories, judgments, an index, a key and one system's output.

    python bench/make_link.py FOLDER [PAIRS] [STORIES]

Pairs are in the plan's order, by the second story and then the first. Writes a
bundle for each way to say what the answers are: `key.toml` (key alone),
`index_key.toml` (index and key), `stories_key.toml` (both, over stories with
languages) and `judgments.toml` (index, answers from the judgments).
"""

import sys
from pathlib import Path

import numpy

N_TOPIC = 100
LANGUAGES = ("ENGLISH", "MANDARIN", "ARABIC")
KINDS = ("TARGET", *["NONTARGET"] * 12, "OTHER")
BUNDLE = """name = "link"
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
STORIES = 'stories = "stories.csv"\njudgments = "judgments.csv"'
INDEX, KEY = 'index = ["link.ndx"]', 'key = "link.key"'


def make(folder: Path, n_pair: int, n_story: int | None = None) -> None:
    """Write the files into a folder."""
    n_story = n_story or max(200, int((20 * n_pair) ** 0.5))
    random = numpy.random.default_rng(2004)
    chosen = numpy.sort(random.choice(n_story * (n_story - 1) // 2, n_pair, replace=False))
    # pair number -> (second, first): second * (second - 1) / 2 + first, first < second
    second = ((1 + numpy.sqrt(1 + 8.0 * chosen)) / 2).astype(numpy.int64)
    second -= second * (second - 1) // 2 > chosen
    second += (second + 1) * second // 2 <= chosen
    first = chosen - second * (second - 1) // 2
    files = [f"2004{number // 40:04d}_0600_0700_AAA_{LANGUAGES[number // 40 % 3][:3]}" for number in range(n_story)]
    names = [f"tkn/{file}.tkn:AAA{file[:8]}.{number:04d}" for number, file in enumerate(files)]
    pairs = [f"{names[a]} {names[b]}" for a, b in zip(first.tolist(), second.tolist(), strict=True)]
    kinds = random.integers(0, len(KINDS), n_pair).tolist()
    topics = random.integers(1, N_TOPIC + 1, n_pair).tolist()
    score = numpy.round(random.normal(size=n_pair) + numpy.array([kind == 0 for kind in kinds]) * 2, 5).tolist()
    folder.mkdir(parents=True, exist_ok=True)
    sources = "".join(f"# source_file tkn/{file}.tkn\n" for file in dict.fromkeys(files))
    (folder / "link.ndx").write_text("# link_detection\n" + sources + "".join(f"{pair}\n" for pair in pairs))
    (folder / "link.key").write_text(
        "# LINK_DETECTION\n"
        + "".join(f"{pair} {KINDS[kind]} {topic:05d}\n" for pair, kind, topic in zip(pairs, kinds, topics, strict=True))
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
            f"{name.split(':')[1]},{number},{files[number]},{LANGUAGES[number // 40 % 3]}\n"
            for number, name in enumerate(names)
        )
    )
    labels = random.choice(n_story, (N_TOPIC, max(2, n_story // 100)), replace=True)
    (folder / "judgments.csv").write_text(
        "topic_id,story_id,label\n"
        + "".join(
            f"{topic:05d},{names[story].split(':')[1]},yes\n"
            for topic, row in enumerate(labels.tolist(), 1)
            for story in sorted(set(row))
        )
    )
    for name, corpus, condition in (
        ("key", "", KEY),
        ("index_key", "", f"{INDEX}\n{KEY}"),
        ("stories_key", STORIES, f"{INDEX}\n{KEY}"),
        ("judgments", STORIES, INDEX),
    ):
        (folder / f"{name}.toml").write_text(BUNDLE.format(corpus=corpus, condition=condition))


if __name__ == "__main__":
    make(
        Path(sys.argv[1]),
        int(float(sys.argv[2])) if len(sys.argv) > 2 else 91_683,
        int(sys.argv[3]) if len(sys.argv) > 3 else None,
    )
