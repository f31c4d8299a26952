"""Scores of items, as evaluations of language models have them."""

from tdtsql.tasks.declaration import Task, built_in, WORDS

PACKAGE = built_in(
    Task(
        name="items",
        families=("items",),
        primary="{measure}",
        best="highest",
        summary=("{measure}", "{measure}.se", "{measure}.se_clustered", "{measure}.n_missing"),
        formats=("tidy", "trec_eval", "ir_measures", "lm_eval", "inspect", "every_eval_ever"),
        run_table="base.item_score",
        blocks="item",
        default_profile="items",
        has_second_judgments=False,
        follows=("item_of_measure", "item_baseline", "item_pass"),
        condition_policies={
            "ranked_by": "",
            "lower_is_better": "",
            "attributes": "",
            "group_by": "",
            "cluster_by": "",
            "baseline": "",
            "missing_item": "drop",
            "unknown_item": "error",
            "repeated_item": "error",
            "error_item": "score",
        },
        keys={
            "items": "columns",
            "measure": "text",
            "lower_is_better": "list of texts",
            "attributes": "list of texts",
            "group": "list of texts",
            "cluster": "list of texts",
            "weight": "text",
            "k": "list of numbers",
            "baseline": "text",
            "missing_item": "text",
            "unknown_item": "text",
            "repeated_item": "text",
            "error_item": "text",
        },
        run_keys={"item": "text", "epoch": "text", "score": WORDS},
        choices={
            "missing_item": ("drop", "error"),
            "unknown_item": ("error", "ignore"),
            "repeated_item": ("error", "epoch"),
            "error_item": ("score", "missing"),
        },
    ),
)
