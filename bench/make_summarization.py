"""Write a summarization track of any size, and value tracking of the same events, in the track's own formats.

    python bench/make_summarization.py FOLDER [RUNS]
    tdtsql evaluate FOLDER/bundle.toml --db bench.duckdb

Each run has 2,000 updates for each of ten events of a day, of 5,000 sentences that were pooled; an event has 60 nuggets
and 600 matches. In value tracking a run gives 500 values of two attributes for each event.
"""

import sys
from pathlib import Path

import numpy as np

N_EVENT, N_SENTENCE, N_NUGGET, N_MATCH, N_UPDATE, N_VALUE = 10, 5_000, 60, 600, 2_000, 500
START, DAY = 1_073_289_600, 86_400
CONDITIONS = {
    "summarization": ("ts", "updates", 'nuggets = "nuggets.tsv"\nupdates = "updates.tsv"\nmatches = "matches.tsv"'),
    "value_tracking": ("vt", "values", ""),
}


def bundle(*tasks: str) -> str:
    """Return the text of a bundle with a condition for each task."""
    text = '[corpus]\nid = "k"\n'
    for task in tasks:
        form, files, judged = CONDITIONS[task]
        text += f'[[condition]]\nid = "{task}"\ntask = "{task}"\nevents = "events.xml"\n{judged}\n'
        text += f'[[run]]\ncondition = "{task}"\nfiles = ["{files}*.txt"]\nformat = "{form}"\n'
    return text


def make(folder: Path, n_run: int = 20, tasks: tuple[str, ...] = tuple(CONDITIONS)) -> None:
    """Write the bundle and its files."""
    random = np.random.default_rng(15)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bundle.toml").write_text(bundle(*tasks))
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


if __name__ == "__main__":
    make(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 20)
