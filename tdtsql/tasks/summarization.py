"""Temporal summarization: updates on an event, as it unfolds."""

from tdtsql.tasks.declaration import EXCLUDE, Task, built_in

PACKAGE = built_in(
    Task(
        name="summarization",
        position=6,
        families=("summarization",),
        primary="h",
        best="highest",
        summary=("neg", "nelg", "comprehensiveness", "latency_comprehensiveness", "h"),
        official_is_tsv=True,
        run_table="base.run_update",
        blocks="event",
        default_profile="ts-seed",
        is_scored_together=True,
        keys={
            **EXCLUDE,
            **dict.fromkeys(("nuggets", "updates", "matches", "events", "duplicates"), "file"),
            "tau": "list of numbers",
        },
        follows=("first_emission",),
        has_second_judgments=False,
    ),
)
