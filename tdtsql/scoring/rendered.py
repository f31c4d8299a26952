"""Views in another engine's SQL, each written once in a process."""

from functools import cache

from tdtsql.metric.catalog import catalog, rewrite_tables
from tdtsql.metric.dialect import dialect
from tdtsql.metric.render import render_view


def rendered(name: str, engine: str, names: dict[str, str] | None = None) -> str:
    """Return the SELECT of relation ``name`` as ``engine`` reads it, reading ``names[x]`` in place of ``x``.

    Raises:
        NotPortable: the engine does not support it.
    """
    return rewrite_tables(_rendered(name, engine), names or {})


@cache
def _rendered(name: str, engine: str) -> str:
    return render_view(catalog()[name], dialect(engine))
