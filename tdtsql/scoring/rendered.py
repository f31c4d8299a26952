"""Every view in another engine's SQL, written once for an installation and read from then on.

Parsing and writing all views takes seconds, more than a small store is scored in.
What was written lies in the user's cache folder, under a name that changes with the
definitions, this package and sqlglot; where that folder cannot be written, every
process writes its own.
"""

import json
from functools import cache
from pathlib import Path

import sqlglot

from tdtsql.errors import NotPortable
from tdtsql.metric.catalog import catalog, redirect
from tdtsql.metric.dialect import dialect
from tdtsql.metric.fingerprint import digest
from tdtsql.metric.render import render_view
from tdtsql.cache import cache_folder, installed_key, keep_newest, own_folder, read_own, write_own
from tdtsql.version import __version__

#: files in the cache folder, of every installation and engine
LIMIT = 16


def rendered(name: str, engine: str, names: dict[str, str] | None = None) -> str:
    """Return the SELECT of relation ``name`` as ``engine`` reads it, reading ``names[x]`` in place of ``x``.

    Raises:
        NotPortable: the engine cannot take it.
    """
    text = _all(engine).get(name)
    if text is None:
        text = render_view(catalog()[name], dialect(engine))
    return redirect(text, names or {})


@cache
def _all(engine: str) -> dict[str, str]:
    package = Path(__file__).parents[1]
    sources = [*sorted(package.glob("metric/*.py")), *sorted(package.glob("metric/dialect/*.py"))]
    key = digest(
        [
            installed_key(),
            __version__,
            sqlglot.__version__,
            engine,
            *(path.read_text(encoding="utf-8") for path in sources),
        ]
    )
    path = cache_folder() / f"views-{engine}-{key[:16]}.json"
    text = read_own(path)
    if text is not None:
        return json.loads(text)
    views = {}
    for name, relation in catalog().items():
        try:
            views[name] = render_view(relation, dialect(engine))
        except NotPortable:
            pass  # said when somebody asks for it
    try:
        if own_folder(path.parent):
            write_own(path, json.dumps(views))
        keep_newest(path.parent, "views-*.json", LIMIT)
    except OSError:
        pass
    return views
