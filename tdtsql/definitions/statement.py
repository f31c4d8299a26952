"""The text of a view in a store: the whole closure in one statement if parts of it are read several times.

An engine inlines a view wherever another refers to it, so a view that is referenced twice is computed twice, with its
inputs. Such a view is stored in one statement with those views of its closure that several read, one CTE each,
materialised unless its header declares it as large (filters have to reach its rows), and with the views that read one
of these. All others are referred to by name: every connection reads the texts of all views.
"""

from collections import Counter
from collections.abc import Mapping

from tdtsql.definitions.catalogue import Relation, closure

#: table scans of a query with all views inlined, above which the closure is one statement
MOST_SCANS = 600


def stored_texts(relations: Mapping[str, Relation]) -> dict[str, str]:
    """Return the SELECT of every view in a store, in build order."""
    read = {name: Counter(place.relation for place in relation.reads) for name, relation in relations.items()}
    texts: dict[str, str] = {}
    n_scan: dict[str, int] = {}
    for name, relation in relations.items():
        n_scan[name] = sum(times * n_scan.get(other, 1) for other, times in read[name].items())
        texts[name] = relation.body
        if n_scan[name] > MOST_SCANS:
            parts = closure(relations, [name])
            n_scan[name] = sum(sum(read[part].values()) for part in parts)
            texts[name] = _one_statement(relations, parts, read)
    return texts


def _one_statement(relations: Mapping[str, Relation], parts: list[str], read: Mapping[str, Counter[str]]) -> str:
    """Return the SELECT of the last of ``parts``, with those as CTEs that several read, and what reads them."""
    n_read = Counter[str]()
    for part in parts:
        n_read.update(read[part])
    is_shared = {part: n_read[part] > 1 and not relations[part].header.is_large for part in parts}
    local: dict[str, str] = {}
    for part in parts:  # in build order
        if is_shared[part] or part == parts[-1] or read[part].keys() & local.keys():
            local[part] = part.replace(".", "_")
    steps = []
    for part, name in local.items():
        how = "materialized" if is_shared[part] else "not materialized"
        steps.append(f"{name} as {how} (\n{relations[part].reading(local)}\n)")
    columns = ", ".join(column.name for column in relations[parts[-1]].header.columns)
    steps_text = ",\n".join(steps)
    return f"with {steps_text}\nselect {columns}\nfrom {local[parts[-1]]}"
