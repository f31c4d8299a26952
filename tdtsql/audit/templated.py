"""Texts of the audit: what a person or another program reads, from the files of ``templates``."""

from functools import cache

from jinja2 import Environment, PackageLoader, select_autoescape

from tdtsql.errors import format_value


@cache
def _environment() -> Environment:
    loader, escaped = PackageLoader("tdtsql.audit"), select_autoescape(["xml"])
    made = Environment(loader=loader, autoescape=escaped, trim_blocks=True, lstrip_blocks=True)
    made.filters |= {"value": format_value, "repr": repr}
    return made


def render(template: str, /, **values: object) -> str:
    """Return a template with these values, without blank lines around it."""
    return _environment().get_template(template).render(values).strip()
