"""Filtering: sets of documents retrieved for topics."""

from tdtsql.tasks.declaration import SCORED, SCORES, SCORE_KINDS, Task, built_in

PACKAGE = built_in(
    Task(
        name="filtering",
        position=5,
        families=("detection", "filtering", "bcubed"),
        primary="t11su",
        best="highest",
        summary=(
            "precision",
            "recall",
            "f_beta",
            "t11su",
            "c_det_norm",
            "c_det_prel_norm",
            "n_empty_topic",
            "n_empty_retrieved",
        ),
        run_table="base.decision",
        decides_on="topic",
        default_profile="trec11",
        on_request=("verification",),
        is_over_stories=True,
        keys={**SCORES, "unknown_topics": "text", "unknown_documents": "text"},
        choices={
            **SCORE_KINDS,
            "unknown_topics": ("error", "ignore"),
            "unknown_documents": ("error", "ignore", "not_relevant"),
        },
        # what happens with lines on topics and documents that the corpus does not have
        condition_policies={**SCORED, "unknown_topics": "error", "unknown_documents": "ignore"},
    ),
)
