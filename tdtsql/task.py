"""Tasks, one row each. All other Python of a task is in its module in loading/tasks and its readers."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field

from tdtsql.errors import UnknownName


#: kinds of values of keys that a bundle writes as another one. Files are of its folder; the columns of a table may also
#: be given in Python.
WRITTEN_AS = {"file": "text", "columns": "text", "files": "list of texts", "flag": "true or false"}
#: kind of an id
NAME = "printable name"
#: keys of the conditions of every task
ALL_KEYS = {"id": NAME, "task": "text", "profile": "list of texts"}
#: of those whose blocks have names: what is left out, each with the reason
EXCLUDE = {"exclude_topics": "table of texts"}
#: of those over stories
STORY_KEYS = {
    **EXCLUDE,
    "control": "file",
    "index": "files",
    "index_list": "file",
    "trials": "columns",
    "mapping": "text",
    "on_topic": "list of texts",
    "topic_pattern": "text",
    "nt": "text or whole number",
    "training": "columns",
    "training_language": "text",
    "languages": "list of texts",
    "deferral": "whole number",
    "periods": "list of numbers",
}


@dataclass(frozen=True, slots=True)
class Required:
    """A condition that the 2004 TDT evaluation plan requires of every site; None: it may be any."""

    table: str  #: of the plan
    languages: frozenset[str] | None = None  #: of the test stories, exactly these
    training_language: str | None = None
    nt: str | None = None  #: training stories
    deferral: int | None = None  #: source files

    def is_met(
        self, *, languages: frozenset[str], training_language: str | None, nt: str | None, deferral: int | None
    ) -> bool:
        """Return whether a condition matches; languages are in capital letters."""
        given = {"languages": languages, "training_language": training_language, "nt": nt, "deferral": deferral}
        return all(getattr(self, name) in (None, value) for name, value in given.items())


@dataclass(frozen=True, slots=True)
class Task:
    """One task."""

    name: str
    families: tuple[str, ...]  #: of sql/metric, whose numbers its runs have
    primary: str  #: the metric that its runs are ranked by, over topics; see report.condition
    best: str  #: of that metric: lowest or highest
    summary: tuple[str, ...]  #: the metrics, over topics, that `tdtsql evaluate` prints
    formats: tuple[str, ...]  #: of its runs; the first is the official one
    run_table: str  #: the table that a run of it cannot be without
    decides_on: str | None = (
        #: unit of a decision of a run: a story and a topic ("topic"), a "story", a "pair" of stories, a "trial" of a
        #: key; None: no decisions
        None
    )
    blocks: str = "topic"  #: what its blocks are: topic, event, attribute, block
    default_profile: str = "tdt2004"  #: of a condition that names none
    must_name_profile: bool = False  #: a condition without a profile is an error
    on_request: tuple[str, ...] = ()  #: views of sql/metric that are computed for its runs on request
    #: policies of a condition, each a column of registry.condition, with its default
    condition_policies: Mapping[str, str] = field(default_factory=dict)
    official_is_tsv: bool = False  #: files of the official format may be called .tsv; elsewhere such a file is tidy
    weighting: str = "topic"  #: of that metric where runs are ranked, and of the summary where it has several
    may_be_partition: bool = False  #: check for each condition and run whether each story has one topic at most
    primary_of_llr: str | None = None  #: that metric where scores are log-likelihood ratios, if it is another
    is_scored_together: bool = False  #: the numbers of a run may depend on the other runs of its condition
    has_second_judgments: bool = True  #: each condition has a copy with the second judgments of the corpus
    is_over_stories: bool = False  #: its conditions test stories of the corpus: they have `STORY_KEYS`
    #: keys of conditions and of runs in a bundle, in addition to those of every task: key -> kind (`WRITTEN_AS`)
    keys: Mapping[str, str] = field(default_factory=dict)
    run_keys: Mapping[str, str] = field(default_factory=dict)
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  #: of some of these keys, the values
    follows: tuple[
        str, ...
    ] = ()  #: of sql/derived, what of a condition follows from its runs, and their numbers from it
    is_in_plan: bool = False  #: the 2004 TDT evaluation plan has it
    required: tuple[Required, ...] = ()

    @property
    def condition_keys(self) -> dict[str, str]:
        """The keys that a condition of it may have, and the kind of each."""
        return {**ALL_KEYS, **(STORY_KEYS if self.is_over_stories else {}), **self.keys}

    @property
    def is_detection(self) -> bool:
        return self.decides_on is not None

    @property
    def is_by_topic(self) -> bool:
        """Each story has a decision for each topic; otherwise one for all, stored under block 0."""
        return self.decides_on == "topic"

    @property
    def is_tree(self) -> bool:
        """A run is a tree of vertices with stories."""
        return self.run_table == "base.vertex"

    @property
    def is_clustering(self) -> bool:
        """A run assigns items to clusters."""
        return self.run_table == "base.partition_answer"

    def summary_of(self, present: Iterable[str]) -> list[str]:
        """Return which of some metrics are those of the summary, in its order; of several measures one after the
        other, each with the error that allows for clusters where there is one.
        """
        known = set(present)
        if self.keys_of_summary:
            measures = sorted(
                name
                for name in known
                if not any(
                    letter == "." and self.is_made_of(name, name[:place]) and name[:place] in known
                    for place, letter in enumerate(name)
                )
            )
            names = [name.replace("{measure}", measure) for measure in measures for name in self.summary]
            return [
                name for name in names if name in known and not (name.endswith(".se") and f"{name}_clustered" in known)
            ]
        return [name for name in self.summary if name in known]

    @property
    def keys_of_summary(self) -> bool:
        """The ids of its metrics contain the names of measures."""
        return "{" in self.primary

    def is_made_of(self, metric: str, measure: str) -> bool:
        """Return whether the id of a metric contains the name of this measure."""
        ending = metric.removeprefix(measure)
        return ending in _ENDINGS or re.fullmatch(r"\.pass_(at|hat)_[0-9]+", ending) is not None

    @property
    def official_format(self) -> str:
        """The default format of a run."""
        return self.formats[0]


#: of scores of decisions: what they are
_SCORED = {"score_kind": "score"}
_WORDS = "text or list of texts"
#: of a run or of gold: what its columns are called
_COLUMN_NAMES = ("item", "cluster", "block")
_SCORES = {"scores": "text"}
_TRIAL_FORMATS = ("tidy", "kaldi", "voxceleb", "sre", "asvspoof", "wespeaker", "speechbrain")
_CLUSTER_FORMATS = ("tidy", "conll", "jsonl")
_SCORE_KINDS = {"scores": ("llr", "score")}

#: suffixes of metrics whose ids contain the name of a measure
_ENDINGS = tuple(
    f".{name}"
    for name in "sd se se_clustered median var_within var_between sd_epoch win_rate n_sample n_missing n_unscored "
    "n_error".split()
)

_ENGLISH = frozenset({"ENGLISH"})
_THREE = frozenset({"ENGLISH", "MANDARIN", "ARABIC"})

#: in the order in which they are shown
TASKS: dict[str, Task] = {
    task.name: task
    for task in (
        Task(
            name="tracking",
            families=("detection", "bcubed", "filtering"),
            primary="c_det_norm",
            best="lowest",
            summary=("p_miss", "p_fa", "c_det_norm", "c_det_prel_norm", "min_c_det_norm", "b3_f1"),
            formats=("tdt", "tidy", "trec"),
            run_table="base.decision",
            decides_on="topic",
            may_be_partition=True,
            is_in_plan=True,
            is_over_stories=True,
            keys=_SCORES,
            choices=_SCORE_KINDS,
            required=(Required("2", training_language="ENGLISH", nt="1"),),
            condition_policies=_SCORED,
            on_request=("verification", "first_detection"),
        ),
        Task(
            name="new_event",
            families=("detection", "filtering"),
            primary="c_det_norm",
            best="lowest",
            summary=("p_miss", "p_fa", "c_det_norm", "c_det_prel_norm", "min_c_det_norm"),
            formats=("tdt", "tidy"),
            run_table="base.decision",
            decides_on="story",
            is_in_plan=True,
            is_over_stories=True,
            keys=_SCORES,
            choices=_SCORE_KINDS,
            required=(Required("5", _ENGLISH, deferral=10),),
            condition_policies=_SCORED,
            on_request=("verification",),
        ),
        Task(
            name="link",
            families=("detection", "filtering"),
            primary="c_det_norm",
            best="lowest",
            summary=("p_miss", "p_fa", "c_det_norm", "c_det_prel_norm", "min_c_det_norm"),
            formats=("tdt", "tidy"),
            run_table="base.decision",
            decides_on="pair",
            is_in_plan=True,
            is_over_stories=True,
            keys={**_SCORES, "key": "columns"},
            choices=_SCORE_KINDS,
            required=(Required("7", _THREE, deferral=10),),
            condition_policies=_SCORED,
            on_request=("verification",),
        ),
        Task(
            name="hierarchy",
            families=("hierarchy",),
            primary="min_cost",
            best="lowest",
            summary=("min_cost", "c_det_norm", "c_travel_norm"),
            formats=("htd-xml",),
            run_table="base.vertex",
            is_in_plan=True,
            is_over_stories=True,
            required=(Required("A1", _ENGLISH), Required("A1", _THREE)),
        ),
        Task(
            name="filtering",
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
            formats=("trec", "tidy", "tdt"),
            run_table="base.decision",
            decides_on="topic",
            default_profile="trec11",
            on_request=("verification",),
            is_over_stories=True,
            keys={**_SCORES, "unknown_topics": "text", "unknown_documents": "text"},
            choices={
                **_SCORE_KINDS,
                "unknown_topics": ("error", "ignore"),
                "unknown_documents": ("error", "ignore", "not_relevant"),
            },
            # what happens with lines on topics and documents that the corpus does not have
            condition_policies={**_SCORED, "unknown_topics": "error", "unknown_documents": "ignore"},
        ),
        Task(
            name="summarization",
            families=("summarization",),
            primary="h",
            best="highest",
            summary=("neg", "nelg", "comprehensiveness", "latency_comprehensiveness", "h"),
            formats=("ts", "tidy"),
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
        Task(
            name="value_tracking",
            families=("value_tracking",),
            primary="ee",
            best="lowest",
            summary=("ee",),
            formats=("vt",),
            official_is_tsv=True,
            run_table="base.submitted_value",
            blocks="attribute",
            default_profile="ts-seed",
            keys={**EXCLUDE, "events": "file"},
            has_second_judgments=False,
        ),
        Task(
            name="partition",
            families=("partition",),
            primary="b3_f1",
            best="highest",
            summary=("b3_precision", "b3_recall", "b3_f1", "pair_f1", "ari", "v_measure", "ami_arithmetic", "conll_f1"),
            formats=_CLUSTER_FORMATS,
            run_table="base.partition_answer",
            blocks="block",
            default_profile="partition",
            has_second_judgments=False,
            keys={
                "gold": "columns",
                "languages": "list of texts",
                **dict.fromkeys(("gold_format", "noise_label", "window", "step", *_COLUMN_NAMES), "text"),
            },
            run_keys=dict.fromkeys((*_COLUMN_NAMES, "gold"), "text"),
            choices={"gold_format": _CLUSTER_FORMATS},
            # the label of noise in a run (not a cluster), if it has one
            condition_policies={"noise_label": ""},
        ),
        Task(
            name="verification",
            families=("detection", "verification"),
            primary="min_c_det_norm",
            primary_of_llr="act_c_det_norm",
            best="lowest",
            summary=("eer", "min_c_det_norm", "act_c_det_norm", "cllr", "min_cllr"),
            formats=_TRIAL_FORMATS,
            run_table="base.decision",
            decides_on="trial",
            must_name_profile=True,
            blocks="block",
            has_second_judgments=False,
            keys={
                **_SCORES,
                "key": "columns",
                "blocks": "list of texts",
                **dict.fromkeys(("key_format", "label_column", "trial_column", "repeated_trials"), "text"),
                **dict.fromkeys(("target_label", "nontarget_label", "ignore_label", "id_suffix"), _WORDS),
            },
            run_keys={
                **dict.fromkeys(("score_column", "unknown_trials", "missing_scores", "repeated_scores"), "text"),
                "higher_is_target": "flag",
                "id_suffix": _WORDS,
            },
            choices={
                # the last two become the first as they are loaded
                "scores": ("llr", "score", "probability", "log10lr"),
                "key_format": _TRIAL_FORMATS,
                "repeated_trials": ("error", "first", "each"),
                # what is done with trials and scores that do not pair one to one
                "unknown_trials": ("error", "ignore"),
                "missing_scores": ("error", "reject"),
                "repeated_scores": ("error", "first"),
            },
            # what the scores in the files of runs are; probabilities and base-10 logarithms become natural ones
            condition_policies={**_SCORED, "scores": "score", "ignore_label": "", "repeated_trials": "error"},
        ),
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
            run_keys={"item": "text", "epoch": "text", "score": _WORDS},
            choices={
                "missing_item": ("drop", "error"),
                "unknown_item": ("error", "ignore"),
                "repeated_item": ("error", "epoch"),
                "error_item": ("score", "missing"),
            },
        ),
    )
}

#: called with the name of an unknown task: task packages (`tdtsql.installed`), which add it to `TASKS` if they have it
FINDERS: list[Callable[[str], object]] = []


def find_task(name: str) -> Task | None:
    """Return the task of this name, of tdtsql or of an installed package; None for an unknown one."""
    for find in FINDERS:
        find(name)
    return TASKS.get(name)


#: `TASKS` describes metrics over topics with this weighting
WEIGHTING = "topic"

#: every weighting, in the order in which one is looked for; group and weight are those of attributes of items
WEIGHTINGS = (WEIGHTING, "topic_all", "none", "story", "group", "weight")


def usual_weighting(task: str) -> str:
    """Return the weighting of the curves of a task: pooled over scored trials, otherwise over topics."""
    return "story" if TASKS[task].decides_on == "trial" else WEIGHTING


def weighting_in_words(weighting: str, task: str) -> str:
    """Return the name of a weighting for a task."""
    if TASKS[task].decides_on == "trial":
        return {"story": "pooled over trials", "topic": "mean over blocks"}.get(weighting, weighting)
    if TASKS[task].blocks == "item":
        words = {
            "topic": "mean over items",
            "topic_all": "mean over all items, missing ones count as missing_value of the profile",
            "story": "over samples",
            "group": "mean over groups",
            "weight": "weighted mean over items",
        }
        return words.get(weighting, weighting)
    return "mean over all topics" if weighting == "topic_all" else f"{weighting}-weighted"


#: usual name, in lower case without separators -> metric id
USUAL = {
    "mindcf": "min_c_det_norm",
    "mincdet": "min_c_det",
    "mincprimary": "min_c_det_norm",
    "actdcf": "act_c_det_norm",
    "minimumdcf": "min_c_det_norm",
    "actualdcf": "act_c_det_norm",
    "dcf": "c_det_norm",
    "cdet": "c_det",
    "cdetnorm": "c_det_norm",
    "normcdet": "c_det_norm",
    "ndcf": "c_det_norm",
    "ctrk": "c_trk",
    "eer": "eer",
    "auc": "auc",
    "rocauc": "auc",
    "cllr": "cllr",
    "mincllr": "min_cllr",
    "pmiss": "p_miss",
    "frr": "p_miss",
    "fnr": "p_miss",
    "pfa": "p_fa",
    "far": "p_fa",
    "fpr": "p_fa",
    "t11f": "f_beta",
    "setf": "f_beta",
    "setp": "precision",
    "setrecall": "recall",
    "setr": "recall",
    "f": "f_beta",
    "fmeasure": "f_beta",
    "f1score": "f1",
    "t11su": "t11su",
    "t11u": "t11u",
    "tdt5su": "tdt5su",
    "bcubed": "b3_f1",
    "bcubedf1": "b3_f1",
    "b3": "b3_f1",
    "bcubedprecision": "b3_precision",
    "bcubedrecall": "b3_recall",
    "adjustedrand": "ari",
    "adjustedrandindex": "ari",
    "vmeasure": "v_measure",
    "conll": "conll_f1",
    "hm": "h",
    "hmean": "h",
}
#: measures of ranked lists, which are out of scope
_RANKED = re.compile(
    r"(map|ap|ndcg|mrr|recip(rocal)?rank|err|bpref|rbp|infap|gmap|p\d+|rprec|success|iprecatrecall)(cut)?\d*|recall\d+"
)


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).lower()


def nearest(name: str, known: Collection[str]) -> str:
    """Return the known name that differs in case and separators only; the name itself if there is no such name."""
    same = [one for one in known if _plain(one) == _plain(name)]
    return name if name in known or len(same) != 1 else same[0]


def metric_id(word: str) -> str:
    """Return the id of the metric that the field calls so (EER, minDCF, T11F); other names unchanged.

    Raises:
        UnknownName: a measure of ranked lists.
    """
    plain = _plain(word)
    if plain in USUAL:
        return USUAL[plain]
    if _RANKED.fullmatch(plain):
        raise UnknownName(
            f"metric '{word}' is a ranked measure, and ranked measures are out of scope. Load per-topic values "
            f"instead (task items), or choose one of `tdtsql metric list`."
        )
    return word


def known_metrics(names: Iterable[str], known: Collection[str]) -> list[str]:
    """Return metric ids for names as users write them; unknown ones stay.

    Raises:
        UnknownName: a measure of ranked lists.
    """
    return [name if name in known else nearest(metric_id(name), known) for name in names]


#: every policy that a condition may have, with its default
CONDITION_POLICIES = {name: value for task in TASKS.values() for name, value in task.condition_policies.items()}


def tasks_with(**facts: object) -> tuple[str, ...]:
    """Return the names of the tasks with all these properties: ``tasks_with(is_detection=True)``."""
    return tuple(
        task.name for task in TASKS.values() if all(getattr(task, fact) == value for fact, value in facts.items())
    )


def task_list_sql(**facts: object) -> str:
    """Return the names of such tasks as SQL lists them between parentheses."""
    return ", ".join(f"'{name}'" for name in tasks_with(**facts)) or "null"


def has_blocks(task: str) -> bool:
    """Return True if the topics of a task are blocks of its trials or items, of which there may be one that is all."""
    return TASKS[task].decides_on == "trial" or TASKS[task].is_clustering


def topic_word(task: str, n: int = 1) -> str:
    """Return what messages call the topics of a task."""
    word = TASKS[task].blocks
    return f"{'topic' if word in ('topic', 'event', 'attribute', 'block') else word}{'' if n == 1 else 's'}"


def task_columns() -> dict[str, list]:
    """Return the properties of tasks for SQL: the columns of ``registry.task``, each with a value for every task."""
    tasks = TASKS.values()
    return {
        "task": list(TASKS),
        "position": list(range(1, len(TASKS) + 1)),
        "primary_metric": [task.primary for task in tasks],
        "primary_of_llr": [task.primary_of_llr for task in tasks],
        "primary_weighting": [task.weighting for task in tasks],
        "block": [task.blocks for task in tasks],
        **{
            name: [getattr(task, name) for task in tasks]
            for name in ("best", "decides_on", "run_table", "default_profile")
        },
        **{
            name: [int(getattr(task, name)) for task in tasks]
            for name in ("is_detection", "may_be_partition", "is_scored_together", "has_second_judgments", "is_in_plan")
        },
    }
