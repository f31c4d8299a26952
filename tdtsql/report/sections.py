"""HTML of the report and of the web UI: one set of templates, in which every text is escaped unless it was made as
markup.
"""

from collections.abc import Sequence
from functools import cache
from textwrap import dedent
from urllib.parse import urlencode

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from tdtsql.errors import counted, escape_control, truncate
from tdtsql.report import charts
from tdtsql.show.table import SIGNS, UNDEFINED, Table, alignment, better, escape_markdown, fixed, is_count
from tdtsql.task import TASKS, tasks_with, topic_word, weighting_in_words

#: how far the lines of a header's field are indented; its first line has lost that
HANGING = " " * 10


def address(path: str, /, **state: str | int | Sequence[str] | None) -> str:
    """Return the address of a page in a state; what is None is left out, what is a list is there several times."""
    pairs = [(name, value) for name, value in state.items() if value is not None]
    return path + (f"?{urlencode(pairs, doseq=True)}" if pairs else "")


def shown(value: object) -> str:
    """Return a value as a person reads it: a double in four decimals, a dash for NULL; a text as it is."""
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return fixed(value)
    return UNDEFINED if value is None else f"{value:,}" if type(value) is int else str(value)


def of_metric(value: float | None, metric: str) -> str:
    """Return a number of a metric as a person reads it: a count without decimals."""
    return f"{value:,.0f}" if value is not None and is_count(metric) and value == int(value) else shown(value)


def digits(value: object) -> str:
    """Return a value with all its digits; NULL as such."""
    return "NULL" if value is None else repr(value) if isinstance(value, float) else str(value)


@cache
def environment() -> Environment:
    made = Environment(
        loader=ChoiceLoader([PackageLoader(f"tdtsql.{name}") for name in ("report", "serve")]),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    made.globals |= {"url": address, "charts": charts, "tasks": TASKS, "topic_word": topic_word, "signs": SIGNS}
    made.globals |= {"in_words": weighting_in_words, "better": better, "trial_tasks": tasks_with(decides_on="trial")}
    made.filters |= {
        "number": fixed,
        "shown": shown,
        "of_metric": of_metric,
        "counted": counted,
        "repr": repr,
        "dedent": lambda text: dedent(HANGING + text),
        "digits": lambda rows: [[digits(value) for value in row] for row in rows],
        "px": lambda value: f"{value:.1f}",
        "truncated": truncate,
        "markdown": escape_markdown,
        "escape_control": escape_control,
        "align": lambda rows, columns: alignment(Table(columns, rows)),
    }
    return made


def render(template: str, /, **values: object) -> Markup:
    """Return a template with these values."""
    return Markup(environment().get_template(template).render(values).lstrip())


def part(macro: str, /, *values: object) -> Markup:
    """Return a section of `sections.html`."""
    return getattr(environment().get_template("sections.html").module, macro)(*values)


def drawn(macro: str, /, *values: object, **named: object) -> Markup:
    """Return a chart of `charts.svg`."""
    return getattr(environment().get_template("charts.svg").module, macro)(*values, **named).strip()
