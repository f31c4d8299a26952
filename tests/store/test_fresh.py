"""After any sequence of corrections, additions, drops, withdrawals and changes of settings a store equals a fresh one
that is made from the same files: tables of base, views of metric and report, by the names of what they number.
"""

import random
from collections import Counter

import pytest
from bundle_file import write_bundle, write_csv, write_tables
from tdtsql.load.bundle import evaluate_into
from lanes import both, is_full, number, some

import tdtsql
from tdtsql.audit.invariants import audit

#: numbers that depend on the order of loads -> the name in their place; ``it`` is the relation
NAMES = {
    "corpus_no": "(select corpus_id from registry.corpus where corpus_no = it.corpus_no)",
    "condition_no": "(select condition_id from registry.condition where condition_no = it.condition_no)",
    "run_no": "(select condition_id || ' ' || run_id from registry.run join registry.condition using (condition_no) "
    "where run_no = it.run_no)",
    "profile_no": "(select profile_id from registry.profile where profile_no = it.profile_no)",
}
#: numbers that items and measures get as runs name them, in relations that have a condition or a run
NAMES_OF_ITEMS = {
    "block_no": "(select block_id from base.block where condition_no = {0} and block_no = it.block_no)",
    "measure_no": "(select measure from base.item_measure where condition_no = {0} and measure_no = it.measure_no)",
}
#: hashes and times of loads, and numbers of groups, clusters and curves, which only tell items apart
LEFT_OUT = set("computation_no signature cluster_no cluster_id curve_no n_byte withdrawn_at made_from".split())
TASKS = (
    "tracking hierarchy new_event verification link partition items filtering summarization value_tracking"
).split()
#: tasks over stories and judgments of a corpus
JUDGED = ("tracking", "filtering", "new_event", "link", "hierarchy")
PROFILES = {
    "tracking": ["tdt2004", "tdt3eval"],
    "new_event": ["tdt2004", "tdt3eval"],
    "filtering": ["trec11", "tdt5"],
    "items": ["items"],
    "link": ["tdt2004", "tdt3eval"],
    "hierarchy": ["tdt2004"],
    "verification": ["asvspoof5", "bosaris"],
    "partition": ["partition", "er", "conll"],
    "summarization": ["ts-seed", "ts2014"],
    "value_tracking": ["ts-seed"],
}


#: views of numbers and ranks; the full lane compares all views of metric and report once for each task
NUMBERS = ("score", "block_score", "leaderboard", "block_label", "det_point", "trial")


def relations(store, views_too):
    """Return the tables of base, and all views or those of numbers."""
    which = "true" if views_too else f"schema_name = 'report' and view_name in {NUMBERS}"
    return store.engine.column(f"""
        select schema_name || '.' || table_name from duckdb_tables() where schema_name = 'base'
        union select schema_name || '.' || view_name from duckdb_views()
        where schema_name in ('base', 'metric', 'report') and ({which}) order by 1""")


def rows(store, views_too):
    """Return relation -> its rows as texts, how often each is there."""
    found = {}
    for relation in relations(store, views_too):
        columns = [name for name, *_ in store.engine.rows(f"describe {relation}")]
        owner = (
            "it.condition_no"
            if "condition_no" in columns
            else "(select condition_no from registry.run where run_no = it.run_no)"
        )
        known = NAMES | {name: text.format(owner) for name, text in NAMES_OF_ITEMS.items()}
        is_owned = {"condition_no", "run_no"} & set(columns)
        said = [
            known[name] if name in NAMES or name in known and is_owned else f'it."{name}"'
            for name in columns
            if name not in LEFT_OUT and "sha256" not in name
        ]
        found[relation] = Counter(map(str, store.engine.rows(f"select {', '.join(said)} from {relation} as it")))
    return found


class Campaign:
    """A bundle of one task whose files and settings change."""

    def __init__(self, made, task, folder):
        self.made, self.task, self.folder = made, task, folder
        self.stories = {f"d{n:02}": [made.choice(LANGUAGES), made.choice(SOURCES)] for n in range(14)}
        self.judged = {
            (topic, story): made.choice(LABELS) for topic in TOPICS for story in self.stories if made.random() < 0.6
        }
        self.settings = {"profile": PROFILES[task][:1]}
        self.gold = {story: made.choice(CLUSTERS) for story in self.stories}
        self.matches = {(query, n): made.choice(NUGGETS) for query in QUERIES for n in range(4) if made.random() < 0.7}
        self.attributes = {f"q{n}": [made.choice(LANGUAGES), made.choice(SOURCES)] for n in range(8)}
        self.runs = {name: self.run() for name in ("a", "b")}
        self.withdrawn = set()

    def run(self):
        """Return the rows of a new run, with their header."""
        made = self.made
        if self.task == "items":
            measures = made.sample(["acc", "f1", "score"], made.choice([1, 2]))
            columns = made.sample([0, 1], made.choice([0, 1, 2]))
            header = ["item_id", "metric", "score", *(("lang", "kind")[column] for column in columns)]
            said = [
                (
                    item,
                    measure,
                    made.randint(0, 1),
                    *(of_item[column] if made.random() < 0.7 else "" for column in columns),
                )
                for item, of_item in self.attributes.items()
                if made.random() < 0.7
                for measure in measures
            ]
            once = {(item, column): value for item, _, _, *values in said for column, value in zip(columns, values)}
            said = [(*row[:3], *(once[row[0], column] for column in columns)) for row in said]
            return header, said or [("q0", "acc", 1, *("" for _ in columns))]
        if self.task == "verification":
            return ["trial_id", "score"], [(story, made.randint(-3, 3)) for story in self.stories]
        if self.task == "partition":
            said = [(story, made.choice(CLUSTERS)) for story in self.stories if made.random() < 0.8]
            return ["item_id", "cluster_id"], said or [("d00", "c")]
        if self.task == "link":
            said = [(*pair, made.choice(["yes", "no"]), made.randint(0, 4)) for pair in PAIRS]
            return ["story_id_1", "story_id_2", "decision", "score"], said
        if self.task == "hierarchy":
            return made.choice([["ab", "ac", "bd"], ["ab", "bc", "bd", "cd"], ["ab", "ac", "ad"]]), {
                story: made.choice("bcd") for story in self.stories
            }
        if self.task == "summarization":
            said = [
                (query, "t", "r", f"doc{n % 2}", n, 1000 + made.randint(0, 9) * 600, made.randint(1, 9) / 10)
                for query in QUERIES
                for n in range(5)
                if made.random() < 0.8
            ]
            return None, said or [(1, "t", "r", "doc0", 0, 1600, 0.5)]
        if self.task == "value_tracking":
            said = [
                (query, "t", "r", "NULL", "NULL", 1000 + number * 600, what, made.randint(0, 20), 0.5)
                for query, what in ((1, "deaths"), (2, "displaced"))
                for number in range(made.randint(1, 4))
            ]
            return None, said
        if self.task == "new_event":
            return (
                ["story_id", "decision", "score"],
                [(story, made.choice(["yes", "no"]), made.randint(0, 4)) for story in self.stories],
            )
        pairs = [(topic, story) for topic in TOPICS for story in self.stories if made.random() < 0.8]
        return (
            ["topic_id", "story_id", "decision", "score"],
            [(*pair, made.choice(["yes", "no"]), made.randint(0, 4)) for pair in pairs],
        )

    def change(self, store):
        """Make one change; those that a bundle cannot tell are made in the store."""
        made = self.made
        kind = made.choice(["stories", "stories", "judgments", "run", "run", "add", "drop", "withdraw", "settings"])
        if kind == "stories":
            for story in made.sample(sorted(self.stories), 3):
                self.stories[story] = [made.choice(LANGUAGES), made.choice(SOURCES)]
        elif kind == "judgments":
            self.judged[made.choice(TOPICS), made.choice(sorted(self.stories))] = made.choice(LABELS)
            self.gold[made.choice(sorted(self.stories))] = made.choice(CLUSTERS)
            self.matches[made.choice(QUERIES), made.randint(0, 3)] = made.choice(NUGGETS)
        elif kind == "run":
            self.runs[made.choice(sorted(self.runs))] = self.run()
        elif kind == "add":
            self.runs[made.choice("cde")] = self.run()
        elif kind == "drop" and len(self.runs) > 1:
            name = made.choice(sorted(self.runs))
            store.drop_run(name)
            del self.runs[name]
            self.withdrawn.discard(name)
        elif kind == "withdraw":
            name = made.choice(sorted(self.runs))
            if name not in self.withdrawn and store.engine.rows("select 1 from registry.run where run_id = ?", [name]):
                store.withdraw_run(name, reason="a bug")
                self.withdrawn.add(name)
        elif kind == "settings":
            self.settings["profile"] = made.sample(PROFILES[self.task], made.randint(1, len(PROFILES[self.task])))
            if self.task in JUDGED:
                self.settings["languages"] = made.choice([LANGUAGES, LANGUAGES[:2]])
            if self.task == "verification":
                self.settings["blocks"] = made.choice([["lang"], ["kind"], ["kind", "lang"]])

    def write(self):
        """Write the bundle and its files; return its path."""
        folder, task = self.folder, self.task
        stories = [(story, n, *of_story) for n, (story, of_story) in enumerate(self.stories.items(), 1)]
        key = [(story, ("target", "nontarget")[n % 2], *of) for n, (story, of) in enumerate(self.stories.items())]
        write_tables(
            folder,
            stories=("story_id position language source", stories),
            judgments=("topic_id story_id label", [(*pair, label) for pair, label in self.judged.items()]),
            key=("trial_id label lang kind", key),
            gold=("item_id cluster_id", self.gold.items()),
            pairs=("story_id_1 story_id_2", PAIRS),
        )
        self.write_summaries()
        for name, (header, said) in self.runs.items():
            if task == "hierarchy":
                (folder / f"{name}.csv").write_text(hierarchy(header, said))
            elif header is None:
                text = "\n".join("\t".join(map(str, row)) for row in said).replace("\tr\t", f"\t{name}\t")
                (folder / f"{name}.csv").write_text(text + "\n")
            else:
                write_csv(folder / f"{name}.csv", header, said)
        corpus = {"id": "k", "stories": "stories.csv"} | ({"judgments": "judgments.csv"} if task in JUDGED else {})
        condition = {"id": "c", "task": task} | self.settings | FILES.get(task, {})
        form = {"hierarchy": "htd-xml", "summarization": "ts", "value_tracking": "vt"}.get(task, "tidy")
        runs = [{"id": name, "condition": "c", "files": [f"{name}.csv"], "format": form} for name in sorted(self.runs)]
        return write_bundle(folder, corpus=corpus, conditions=[condition], runs=runs)

    def write_summaries(self):
        """Write the files of the gold of summarization and value tracking."""
        folder = self.folder
        text = "alpha beta gamma delta epsilon zeta"
        tables = {
            "nuggets.tsv": [
                ("query_id", "nugget_id", "timestamp", "importance", "nugget_len", "nugget_text"),
                *((query, f"{query}{nugget}", 1600, n, 5, "alpha") for query in QUERIES for n, nugget in NAMED),
            ],
            "updates.tsv": [
                ("query_id", "update_id", "doc_id", "sentence_id", "update_len", "duplicate_id", "update_text"),
                *(
                    (query, f"doc{n % 2}-{n}", f"doc{n % 2}", n, len(text), "NULL", text)
                    for query in QUERIES
                    for n in range(4)
                ),
            ],
            "matches.tsv": [
                ("query_id", "update_id", "nugget_id", "match_start", "match_end", "auto_p"),
                *((query, f"doc{n % 2}-{n}", f"{query}{of}", 0, 5, 0) for (query, n), of in self.matches.items()),
            ],
        }
        for name, rows_of in tables.items():
            (folder / name).write_text("".join("\t".join(map(str, row)) + "\n" for row in rows_of))
        said = {
            query: sum(nugget == "a" for (of, _), nugget in self.matches.items() if of == query) for query in QUERIES
        }
        events = "".join(
            f"<event><id>{query}</id><title>e</title><start>1000</start><end>9000</end><type>storm</type>"
            f"<{what}><value><count>{said[query] + 1}</count><time>1000</time></value></{what}></event>\n"
            for query, what in ((1, "deaths"), (2, "displaced"))
        )
        (folder / "topics.xml").write_text(f"<events>\n{events}</events>\n")


def hierarchy(edges, vertices):
    """Return a hierarchy as XML: edges as 'ab', and story -> vertex."""
    inside = {
        name: "".join(f'<story docID="{story}"/>' for story, of in vertices.items() if of == name) for name in "abcd"
    }
    listed = "".join(f'<vertex name="{name}">{stories}</vertex>\n' for name, stories in inside.items())
    joined = "".join(f'<edge srcVertex="{parent}" destVertex="{child}"/>\n' for parent, child in edges)
    return f'<htd system="s" rootVertex="a"><vertexSet>{listed}</vertexSet><edgeSet>{joined}</edgeSet></htd>\n'


QUERIES, NUGGETS, CLUSTERS = (1, 2), "abc", ["x", "y", "z"]
NAMED = list(enumerate(NUGGETS, 1))
PAIRS = [(f"d{one:02}", f"d{other:02}") for one in range(5) for other in range(one + 1, 5)]
FILES = {
    "verification": {"key": "key.csv", "scores": "llr"},
    "partition": {"gold": "gold.csv"},
    "link": {"trials": "pairs.csv"},
    "summarization": {name: f"{name}.tsv" for name in ("nuggets", "updates", "matches")}
    | {"events": "topics.xml", "tau": [600]},
    "value_tracking": {"events": "topics.xml"},
}
TOPICS, LANGUAGES, SOURCES = ["T0", "T1"], ["ENGLISH", "MANDARIN", "ARABIC"], ["NYT", "XIN"]
LABELS = ["yes", "yes", "no", "brief"]


@both
@pytest.mark.parametrize("task", some(TASKS, 6))
def test_a_store_equals_a_fresh_one_after_any_sequence(task, tmp_path):
    for seed in range(number(default=1, full=3)):
        campaign = Campaign(random.Random(f"{task} {seed}"), task, tmp_path)
        with tdtsql.connect(":memory:") as store, tdtsql.connect(":memory:") as fresh:
            for step in range(number(default=1, full=4)):
                evaluate_into(store.engine, campaign.write(), score=step == 0)
                for _ in range(number(default=3, full=1)):
                    campaign.change(store)
            store.evaluate(campaign.write())
            fresh.evaluate(campaign.write())
            for name in sorted(campaign.withdrawn):
                fresh.withdraw_run(name, reason="a bug")
            kept, new = (rows(one, is_full() and seed == 0) for one in (store, fresh))
            assert kept.keys() == new.keys()
            assert {
                name: (kept[name] - new[name], new[name] - kept[name]) for name in kept if kept[name] != new[name]
            } == {}
            assert not is_full() or not [result for result in audit(store.engine) if result.failed]
