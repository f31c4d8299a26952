"""All tasks: those of tdtsql, and those of task packages in use."""

import re
from collections.abc import Callable, Collection, Iterable
from importlib import import_module
from pkgutil import iter_modules

from tdtsql import tasks
from tdtsql.errors import UnknownName
from tdtsql.tasks.declaration import Task, TaskPackage
from tdtsql.toml_file import toml_beside

#: usual names of metrics, weightings in words, and columns of registry.task
_SAID = toml_beside(__file__)
#: built-in tasks: each is PACKAGE of its module in `tdtsql.tasks`
_BUILT_IN: list[TaskPackage] = [
    import_module(f"tdtsql.tasks.{one.name}").PACKAGE
    for one in iter_modules(tasks.__path__)
    if one.name != "declaration"
]
#: task -> what it declares
PACKAGES = {package.task.name: package for package in sorted(_BUILT_IN, key=lambda package: package.task.position)}
#: task -> its row
TASKS: dict[str, Task] = {name: package.task for name, package in PACKAGES.items()}

#: called with the name of an unknown task: task packages (`tdtsql.definitions.sets`), which add it to `TASKS` if they
#: have it
FINDERS: list[Callable[[str], object]] = []


def find_task(name: str) -> Task | None:
    """Return the task of this name, of tdtsql or of an installed package; None for an unknown one."""
    for find in FINDERS:
        find(name)
    return TASKS.get(name)


def formats_of(task: str) -> tuple[str, ...]:
    """Return the formats of the runs of a task, the official one first."""
    return TASKS[task].formats or tuple(PACKAGES[task].loaded().formats)


def formats() -> tuple[str, ...]:
    """Return the formats of the runs of every task in use."""
    return tuple(dict.fromkeys(name for task in TASKS for name in formats_of(task)))


#: `TASKS` describes metrics over topics with this weighting
WEIGHTING = "topic"

#: every weighting, in the order in which one is looked for; group and weight are those of attributes of items
WEIGHTINGS = (WEIGHTING, "topic_all", "none", "story", "group", "weight")


def usual_weighting(task: str) -> str:
    """Return the weighting of the curves of a task: pooled over scored trials, otherwise over topics."""
    return "story" if TASKS[task].is_by_trial else WEIGHTING


def weighting_in_words(weighting: str, task: str) -> str:
    """Return the name of a weighting for a task."""
    of = TASKS[task]
    kind = "trial" if of.is_by_trial else "cluster" if of.is_clustering else "item" if of.blocks == "item" else "topic"
    return _SAID["weighting"][kind].get(weighting, f"{weighting}-weighted" if kind == "topic" else weighting)


#: measures of ranked lists, which are out of scope
_RANKED = re.compile(
    r"(map|ap|ndcg|mrr|recip(rocal)?rank|err|bpref|rbp|infap|gmap|p\d+|rprec|success|iprecatrecall)(cut)?\d*|recall\d+"
)


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).lower()


def nearest(name: str, known: Collection[str]) -> str:
    """Return the known name that differs in case and separators only; the name itself without one."""
    same = [one for one in known if _plain(one) == _plain(name)]
    return name if name in known or len(same) != 1 else same[0]


def metric_id(word: str) -> str:
    """Return the id of the metric that the field calls so (EER, minDCF, T11F); other names unchanged.

    Raises:
        UnknownName: a measure of ranked lists.
    """
    plain = _plain(word)
    if plain in _SAID["usual"]:
        return _SAID["usual"][plain]
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
    return TASKS[task].is_by_trial or TASKS[task].is_clustering


def topic_word(task: str, n: int = 1) -> str:
    """Return what messages call the topics of a task."""
    word = TASKS[task].blocks
    return f"{'topic' if word in ('topic', 'event', 'attribute', 'block') else word}{'' if n == 1 else 's'}"


def task_columns() -> dict[str, list]:
    """Return the properties of tasks for SQL: the columns of ``registry.task``, each with a value for every task."""
    known: dict[str, list] = {"task": list(TASKS), "position": list(range(1, len(TASKS) + 1))}
    return known | {
        column: [_for_sql(getattr(task, name)) for task in TASKS.values()] for column, name in _SAID["column"].items()
    }


def _for_sql(value: object) -> object:
    return " ".join(value) if isinstance(value, tuple) else int(value) if isinstance(value, bool) else value
