"""The cookbook: its saved queries, and a page for each with its parameters as fields."""

from itertools import groupby

from tdtsql.cookbook.saved_query import ANYTHING, Parameter, find, questions
from tdtsql.errors import TdtsqlError
from tdtsql.serve.query import answer, query_of, without_option
from tdtsql.serve.server import Page, PageRequest

#: parameters whose values are few enough to choose from -> where they stand
_CHOICES = {
    "run": "select distinct run_id from registry.run order by 1",
    "condition": "select condition_id from registry.condition order by condition_no",
    "profile": "select distinct profile_id from registry.condition_profile join registry.profile using (profile_no) "
    "order by 1",
    "metric": "select distinct metric from registry.metric order by 1",
    "weighting": "select distinct weighting from report.score order by 1",
    "subset": "select distinct subset from report.score order by 1",
    "topic": "select distinct block_id from base.block order by 1",
}
#: names of the address that are no parameters
_OWN = "name data sort down form q".split()


def index(ask: PageRequest) -> Page:
    groups = groupby(questions().values(), key=lambda question: question.about)
    return ask.page("Cookbook", "cookbook.html", "/cookbook", groups=[(about, list(group)) for about, group in groups])


def page(ask: PageRequest) -> Page:
    question = find(ask.require("name"))
    given = {parameter.name: ask.get(parameter.name) for parameter in question.parameters if parameter.name not in _OWN}
    lacking = [one.name for one in question.parameters if one.is_needed and given.get(one.name) is None]
    found, sql, error = None, None, None
    if not question.reads_another_store and not lacking:
        try:
            with ask.engine.limited(ask.limits):
                sql = query_of(ask)
                asked = {name: value for name, value in given.items() if value is not None}
                found = answer(ask, sql, caption=f"Result: {question.title}", name=question.name, **asked)
        except TdtsqlError as failed:
            error = without_option(failed)
    ordered = sorted(question.parameters, key=lambda parameter: not parameter.is_needed)
    return ask.page(
        question.title,
        "question.html",
        "/cookbook",
        400 if error else 200,
        question=question,
        fields=[(one, *_field(ask, one, given.get(one.name))) for one in ordered],
        anything=ANYTHING,
        lacking=lacking,
        answer=found,
        sql=sql,
        error=error,
    )


def _field(ask: PageRequest, parameter: Parameter, value: str | None) -> tuple[str, list[str] | None]:
    """Return the value of a field, and what can be chosen where that is not too much."""
    shown = value if value is not None else parameter.default if parameter.default not in (None, ANYTHING) else ""
    if parameter.type not in _CHOICES:
        return shown, None
    known = ask.names(_CHOICES[parameter.type])
    return shown, known if len(known) <= 200 else None
