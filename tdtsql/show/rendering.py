"""The templates of report, web UI, charts, tables and gate."""

from functools import cache
from importlib.resources import files

from typing import TYPE_CHECKING

from markupsafe import Markup

from tdtsql.errors import escape_control, truncate
from tdtsql.show.values import SIGNS, UNDEFINED, escape_latex, escape_markdown, fixed

if TYPE_CHECKING:
    from jinja2 import Environment


def shown(value: object) -> str:
    """Return a value as a person reads it: a double in four decimals, a dash for NULL; a text as it is."""
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return fixed(value)
    return UNDEFINED if value is None else f"{value:,}" if type(value) is int else str(value)


@cache
def _environment() -> "Environment":
    from jinja2 import (
        ChoiceLoader,
        Environment,
        PackageLoader,
        StrictUndefined,
    )  # imported late: most commands need none

    made = Environment(
        loader=ChoiceLoader([PackageLoader(f"tdtsql.{name}") for name in ("show", "serve")]),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    made.filters |= {
        "shown": shown,
        "truncated": truncate,
        "markdown": escape_markdown,
        "latex": escape_latex,
        "sign": SIGNS.__getitem__,
        "escape_control": escape_control,
    }
    return made


def render(template: str, /, **values: object) -> Markup:
    """Return a template with these values; every text is escaped unless it was made as markup."""
    return Markup(_environment().get_template(template).render(values).lstrip())


def asset(name: str) -> str:
    """Return a style sheet or script that is put into a page."""
    text = files("tdtsql.show").joinpath("assets", name).read_text(encoding="utf-8")
    if "</script" in text.lower() or "</style" in text.lower():
        raise ValueError(f"{name} would end the element it is put in")
    return text
