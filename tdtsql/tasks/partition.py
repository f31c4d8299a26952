"""Clusterings: each item in one cluster."""

from tdtsql.tasks.declaration import COLUMN_NAMES, WORDS, Task, built_in

PACKAGE = built_in(
    Task(
        name="partition",
        position=8,
        families=("partition",),
        primary="b3_f1",
        best="highest",
        summary=("b3_precision", "b3_recall", "b3_f1", "pair_f1", "ari", "v_measure", "ami_arithmetic", "conll_f1"),
        run_table="base.partition_answer",
        blocks="block",
        default_profile="partition",
        has_second_judgments=False,
        keys={
            "gold": "columns",
            "languages": "list of texts",
            "gold_format": "format",
            **dict.fromkeys(("noise_label", "window", "step", *COLUMN_NAMES), "text"),
            "item": WORDS,
        },
        run_keys={**dict.fromkeys((*COLUMN_NAMES, "gold"), "text"), "item": WORDS},
        # the label of noise in a run (not a cluster), if it has one
        condition_policies={"noise_label": ""},
    ),
)
