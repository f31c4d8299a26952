"""Verification: a score for each trial of a key."""

from tdtsql.tasks.declaration import SCORED, SCORES, Task, built_in, WORDS

PACKAGE = built_in(
    Task(
        name="verification",
        position=9,
        families=("detection", "verification"),
        primary="min_c_det_norm",
        primary_of_llr="act_c_det_norm",
        best="lowest",
        summary=("eer", "min_c_det_norm", "act_c_det_norm", "cllr", "min_cllr"),
        run_table="base.decision",
        decides_on="trial",
        must_name_profile=True,
        blocks="block",
        has_second_judgments=False,
        keys={
            **SCORES,
            "key": "columns",
            "blocks": "list of texts",
            "subsets": "list of texts",
            "key_format": "format",
            **dict.fromkeys(("label_column", "trial_column", "repeated_trials"), "text"),
            **dict.fromkeys(("target_label", "nontarget_label", "ignore_label", "id_suffix"), WORDS),
        },
        run_keys={
            **dict.fromkeys(("score_column", "unknown_trials", "missing_scores", "repeated_scores"), "text"),
            "higher_is_target": "flag",
            "id_suffix": WORDS,
        },
        choices={
            # the last two become the first as they are loaded
            "scores": ("llr", "score", "probability", "log10lr"),
            "repeated_trials": ("error", "first", "each"),
            # what is done with trials and scores that do not pair one to one
            "unknown_trials": ("error", "ignore"),
            "missing_scores": ("error", "reject"),
            "repeated_scores": ("error", "first"),
        },
        # what the scores in the files of runs are; probabilities and base-10 logarithms become natural ones
        condition_policies={
            **SCORED,
            "scores": "score",
            "ignore_label": "",
            "repeated_trials": "error",
            "subsets": None,
        },
    ),
)
